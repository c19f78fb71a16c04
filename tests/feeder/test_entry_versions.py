"""When an entry that was delivered is a new version of its item, and how new it is."""

from datetime import UTC, datetime

import pytest

from feeder.bad_site import reply
from feeder.polled import polled
from feeder.test_polling import in_loop
from newsdedup.feeder.parsing.parsed_feed import BOUNDS
from newsdedup.feeder.polling.item_identity import ListedEntry
from newsdedup.runners.intake.feed_records import record_parser


def listed(**fields):
    return ListedEntry({"source": "s", "id": "1", "seen_at": "2026-03-02T12:00:00+00:00", **fields})


BEFORE = datetime(2026, 3, 2, 11, tzinfo=UTC)


@pytest.mark.parametrize("stated", ["", "2026-03-02T09:00:00+00:00", "2026-03-02T11:00:00+00:00"])
def test_an_edit_that_states_no_later_change_is_as_new_as_its_receipt(stated):
    entry = listed(title="a", updated_at=stated) if stated else listed(title="a")
    assert entry.edited(BEFORE).record["updated_at"] == "2026-03-02T12:00:00+00:00"


def test_an_edit_keeps_a_change_that_is_later_than_the_visit_before():
    entry = listed(title="a", updated_at="2026-03-02T11:30:00+00:00")
    assert entry.edited(BEFORE) == entry


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"published_at": "2026-03-01T10:00:00+00:00"}, {"published_at": "2026-03-02T10:00:00Z"}),
        ({"updated_at": "2026-03-01T10:00:00+00:00"}, {}),
        ({"text": "Міст відкрили. (12 comments)"}, {"text": "Міст відкрили. (1,305 comments)"}),
        ({"text": "Переглядів: 7"}, {"text": "Переглядів: 15"}),
        ({"title": "Мост открыли 3 комментария"}, {"title": "Мост открыли 4 комментария"}),
    ],
)
def test_another_date_or_count_of_comments_is_no_new_version(one, other):
    assert listed(**one).content == listed(**other).content


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"text": "3 injured"}, {"text": "5 injured"}),
        ({"title": "a"}, {"title": "b"}),
        ({"url": "https://visti.example/1"}, {"url": "https://visti.example/2"}),
    ],
)
def test_other_words_and_numbers_are_a_new_version(one, other):
    assert listed(**one).content != listed(**other).content


def numbered(*titles):
    """Return a feed that gives all its entries one guid and no address."""
    items = [f"<item><guid>g</guid><title>{title}</title></item>" for title in titles]
    return f"<rss><channel><title>News</title>{''.join(items)}</channel></rss>".encode()


@in_loop
async def test_entries_that_share_a_guid_and_have_no_address_are_all_delivered_once():
    async with polled(parser=record_parser(BOUNDS)) as run:
        run.subscribe("/feed")
        body = numbered("Harbour tram", "Budget vote", "Harbour tram")
        run.site.routes["/feed"] = reply(200, body)
        await run.poller.run_once()
        await run.again()
        assert len(run.delivered) == len(set(run.delivered)) == 2


@in_loop
async def test_an_entry_that_is_edited_between_two_visits_keeps_the_id_of_its_guid():
    async with polled(parser=record_parser(BOUNDS)) as run:
        run.subscribe("/feed")
        for title in ("Harbour tram", "Harbour tram runs again"):
            run.site.routes["/feed"] = reply(200, numbered(title))
            await run.again()
        assert run.delivered == ["g=None", "g=None"]
