"""Where a feed names its hubs, and the values that a lease goes through."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.parsed_feed import HubOffer, hub_offer
from newsdedup.feeder.scheduling.hub_lease import (
    HubLease,
    after_denial,
    after_request,
    after_verification,
    lease_condition,
)
from newsdedup.feeder.websub.callbacks import PushSignature

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
FEED = "https://news.example/feed?page=1"
HUB = "https://hub.example/"
LONG = "https://" + "x" * 3_000
RSS = f"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News</title>
<atom:link rel="hub" href="{HUB}"/><atom:link rel="self" href="{FEED}&amp;utm_source=rss"/>
<item><title>A bridge is open</title><guid>1</guid></item></channel></rss>"""
ATOM = f"""<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="{FEED}"/>
<link rel="hub" href="{HUB}"/><entry><id>1</id><title>A bridge is open</title></entry></feed>"""
JSON = f"""{{"version": "https://jsonfeed.org/version/1.1", "feed_url": "{FEED}",
"hubs": [{{"type": "WebSub", "url": "{HUB}"}}], "items": [{{"id": "1", "title": "A bridge"}}]}}"""


@pytest.mark.parametrize(
    ("body", "topic"),
    [(RSS, f"{FEED}&utm_source=rss"), (ATOM, FEED), (JSON, FEED)],
    ids=["rss", "atom", "json"],
)
def test_a_feed_names_its_hub_and_its_exact_address(body, topic):
    feed = parse_feed(body.encode(), content_type=None, address="https://x/", received_at=NOW)
    assert hub_offer((), feed.hubs, feed.self_link, address="https://x/") == HubOffer(topic, (HUB,))


@pytest.mark.parametrize(
    ("headers", "offer"),
    [
        ([f'<{HUB}>; rel="hub"', f'<{FEED}>; rel="self"'], HubOffer(FEED, (HUB,))),
        ([f"<{FEED}>;rel=self, <{HUB}>;rel=HUB"], HubOffer(FEED, (HUB,))),
        ([f'<{HUB}>; title="a, b; c"; rel="alternate hub"'], HubOffer("https://own/", (HUB,))),
        ([f"<{HUB}>; rel=hub, </2>; rel=hub"], HubOffer("https://own/", (HUB, "https://at/2"))),
        (["</feed>; rel=self"], HubOffer("https://own/", ("https://in.feed/",))),
        ([f"<{HUB}>", "nonsense", "<", ""], HubOffer("https://own/", ("https://in.feed/",))),
        (["<javascript:x>; rel=hub"], HubOffer("https://own/", ("https://in.feed/",))),
    ],
    ids=["two headers", "one header", "parameters", "two hubs", "no hub", "nonsense", "scheme"],
)
def test_link_headers_come_before_what_the_feed_says(headers, offer):
    assert hub_offer(headers, ["https://in.feed/"], "https://own/", address="https://at/f") == offer


def test_without_a_hub_there_is_no_offer():
    assert hub_offer([f"<{FEED}>; rel=self"], [], FEED, address=FEED) is None
    assert hub_offer([], ["ftp://hub.example/", LONG], FEED, address=FEED) is None
    assert hub_offer([], [HUB], LONG, address=FEED) is None


def test_few_hubs_are_taken_of_many():
    hubs = [f"https://hub{n}.example/" for n in range(100)]
    offer = hub_offer([], [hubs[0], *hubs], FEED, address=FEED)
    assert offer == HubOffer(FEED, tuple(hubs[:4]))


def test_signatures_are_those_of_rfc_4231():
    # Test case 2: key "Jefe", data "what do ya want for nothing?".
    known = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    for header in (f"sha256={known}", f"SHA256={known.upper()}"):
        check = PushSignature(header, "Jefe")
        check.add(b"what do ya want ")
        check.add(b"for nothing?")
        assert check.matches()
        check.add(b"!")
        assert not check.matches()


def lease(**fields):
    common = {"feed": 1, "base": "https://me.example", "token": "t", "secret": "s"}
    return HubLease(**common, topic=FEED, hubs=(HUB,), begun_at=NOW, **fields)


def test_a_lease_goes_from_requested_to_active_to_expired():
    one = after_request(lease(), at=NOW)
    assert lease_condition(one, at=NOW) == "requested"
    one = after_verification(one, 3_600, at=NOW)
    assert lease_condition(one, at=NOW + timedelta(minutes=59)) == "active"
    assert lease_condition(one, at=NOW + timedelta(minutes=60)) == "expired"
    late = after_request(one, at=NOW + timedelta(hours=2))
    assert lease_condition(late, at=NOW + timedelta(hours=2)) == "requested"


def test_a_lease_of_years_is_renewed_within_a_month():
    one = after_verification(lease(), 10**11, at=NOW)
    assert one.next_at - NOW == timedelta(days=20)
    assert one.expires_at - NOW == timedelta(days=30)


def test_a_renewal_that_waits_leaves_the_lease_active():
    one = after_verification(lease(), 7_200, at=NOW)
    assert after_request(one, at=NOW + timedelta(hours=1)).state == "active"


def test_the_reason_of_a_denial_is_a_short_printable_line():
    denied = after_denial(lease(), "\x1b[31mno\r\n" + "x" * 999, at=NOW)
    assert denied.problem.isprintable()
    assert len(denied.problem) == 200


def test_hubs_are_asked_in_turn_and_for_ever():
    one = replace(lease(), hubs=("a", "b"))
    asked = []
    for _ in range(60):
        one = after_request(one, at=NOW)
        asked.append(one.hub)
    assert asked[:4] == ["a", "b", "a", "b"]
    assert one.next_at - NOW == timedelta(days=1)
