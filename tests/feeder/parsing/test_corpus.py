"""Each file of tests/feeder/corpus is read as the expectation next to it says (see its README)."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from feeder.parsing.feed_bodies import RECEIVED
from newsdedup.adapters.formats.item_json import decode_item, site_host
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import feed_items
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable

CORPUS = Path(__file__).parents[1] / "corpus"
ENDING = ".expected.json"
EXPECTATIONS = sorted(CORPUS.glob(f"*/*{ENDING}"))
ADDRESS = "https://visti.example/feeds/news.xml"
AS_RECEIVED = {"seen_at", "feed"}
DATES = ("published_at", "updated_at")


def body_of(expectation):
    return expectation.with_name(expectation.name.removesuffix(ENDING)).read_bytes()


def feed_of(expectation, expected):
    return parse_feed(
        body_of(expectation),
        content_type=expected.get("content_type"),
        address=expected.get("address", ADDRESS),
        received_at=RECEIVED,
    )


def comparable(record, defaults):
    """Return a record with its dates as moments, without what is the same in all records."""
    fields = {
        name: datetime.fromisoformat(value) if name in DATES else value
        for name, value in record.items()
        if name not in AS_RECEIVED
    }
    return {name: value for name, value in fields.items() if defaults.get(name) != value}


def feed_fields(feed):
    """Return what an expectation may say of a feed as a whole."""
    interval = feed.schedule.interval
    return {
        "format": feed.format,
        "title": feed.title,
        "site": feed.site,
        "self_link": feed.self_link,
        "hubs": list(feed.hubs),
        "expired": feed.expired,
        "interval_minutes": interval / timedelta(minutes=1) if interval else None,
        "skip_hours": sorted(feed.schedule.skip_hours),
        "skip_days": sorted(feed.schedule.skip_days),
        "sitemaps": [
            {"url": one.url}
            | (
                {"updated_at": one.updated.isoformat().replace("+00:00", "Z")}
                if one.updated
                else {}
            )
            for one in feed.sitemaps
        ],
    }


def test_each_file_of_the_corpus_has_an_expectation_and_names_its_rule():
    bodies = [path for path in CORPUS.glob("*/*") if not path.name.endswith(ENDING)]
    assert len(bodies) == len(EXPECTATIONS) >= 150
    for expectation in EXPECTATIONS:
        rule = json.loads(expectation.read_bytes())["rule"]
        assert rule.startswith(("Rule: ", "Defect: "))
        # In UTF-16 each character has a zero byte; what holds no markup at all names nothing.
        body = body_of(expectation).replace(b"\0", b"")
        assert rule.encode() in body or not body.strip().startswith((b"<", b"{"))


@pytest.mark.parametrize(
    "expectation",
    EXPECTATIONS,
    ids=lambda path: path.relative_to(CORPUS).as_posix().removesuffix(ENDING),
)
def test_a_file_of_the_corpus_is_read_as_expected(expectation):
    expected = json.loads(expectation.read_bytes())
    if "error" in expected:
        with pytest.raises(FeedUnusable) as refused:
            feed_of(expectation, expected)
        assert str(refused.value).startswith(expected["error"])
        return
    feed = feed_of(expectation, expected)
    records = feed_items(feed)
    # An expectation leaves out what all items of a feed have alike.
    defaults = {
        "source": site_host(expected.get("address", ADDRESS)),
        "feed_title": expected.get("title", ""),
    }
    wanted = [comparable(item, defaults) for item in expected["items"]]
    assert [comparable(record, defaults) for record in records] == wanted
    stated = feed_fields(feed)
    assert {name: stated[name] for name in stated.keys() & expected.keys()} == {
        name: expected[name] for name in stated.keys() & expected.keys()
    }
    assert len(feed.problems) == len(expected["problems"]), feed.problems
    for problem, start in zip(feed.problems, expected["problems"], strict=True):
        assert problem.startswith(start)
    for record in records:
        decode_item(json.dumps(record, ensure_ascii=False).encode())
