from datetime import UTC, datetime

import pytest

from feeder.parsing.feed_bodies import RECEIVED, atom, parsed, rss
from newsdedup.feeder.parsing.entry_reader import parse_feed_date

MOMENT = datetime(2026, 3, 2, 8, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Mon, 02 Mar 2026 10:05:00 +0200",
        "Mon, 2 Mar 2026 10:05 EET",
        "Пн, 02 мар 2026 10:05:00 +0200",
        "понедельник, 2 марта 2026, 10:05 +02:00",
        "2 березня 2026 р. о 10:05:00 +0200",
        "2 Березень 2026 10:05 EET",
        "08:05, 2 марта 2026",
        "March 2nd, 2026 8:05 AM",
        "Mon, 02 Mar 26 08:05:00 GMT",
        "02.03.2026 08:05",
        "2026-03-02T10:05:00+0200",
        "2026-03-02T08:05:00Z",
        "2026-03-02 T 08:05:00 Z",
        "2026/03/02 08:05",
        "1772438700",
        "  2026-03-02\n08:05 ",
    ],
)
def test_dates_are_read_in_all_their_forms(text):
    assert parse_feed_date(text) == MOMENT


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "32 мая 2026", "9" * 500],
)
def test_what_is_no_date_is_none(text):
    assert parse_feed_date(text) is None


def test_a_date_in_the_future_becomes_the_time_of_receipt_with_a_problem():
    feed = parsed(rss("<title>a</title><pubDate>2026-03-02T15:00:00Z</pubDate>"))
    assert feed.entries[0].published == RECEIVED
    assert feed.problems == (
        "A date lies in the future; the time of receipt counts: '2026-03-02T15:00:00Z'.",
    )


def test_clocks_that_differ_a_little_are_no_problem():
    feed = parsed(rss("<title>a</title><pubDate>2026-03-02T12:01:00Z</pubDate>"))
    assert (feed.entries[0].published, feed.problems) == (RECEIVED, ())


def test_missing_and_unreadable_dates_are_problems_of_the_feed():
    feed = parsed(rss("<title>a</title>", "<title>b</title><pubDate>soon</pubDate>"))
    assert [one.published for one in feed.entries] == [None, None]
    assert feed.problems == ("A date cannot be read: 'soon'.", "No entry has a date.")


def test_the_update_stands_in_for_a_missing_publication():
    entry = atom("<id>1</id><title>a</title><updated>2026-03-01T10:00:00Z</updated>")
    one = parsed(entry).entries[0]
    assert one.published == one.updated == datetime(2026, 3, 1, 10, tzinfo=UTC)


def test_an_update_before_the_publication_is_not_believed():
    entry = atom(
        "<id>1</id><title>a</title><updated>2026-02-01T10:00:00Z</updated>"
        "<published>2026-03-01T10:00:00Z</published>"
    )
    feed = parsed(entry)
    assert feed.entries[0].updated is None
    assert any("before it was published" in one for one in feed.problems)
