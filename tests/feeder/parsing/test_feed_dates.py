from datetime import UTC, datetime

import pytest

from feeder.parsing.feed_bodies import RECEIVED, atom, parsed, rss
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_dates import DateReader, feed_country

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
        "Mon, 02 Mar 2026 17:05:00 JST",
        "Mon, 02 Mar 2026 17:05:00 KST",
        "Mon, 02 Mar 2026 16:05 HKT",
        "Mon, 02 Mar 2026 19:05:00 AEDT",
        "Mon, 02 Mar 2026 10:05:00 SAST",
        "Mon, 02 Mar 2026 09:05:00 MET",
        "Mar 2, 2026 3:05 AM ET",
        "2 de marzo de 2026, 8:05",
        "2 de março de 2026 08:05",
        "lundi 2 mars 2026 08:05",
        "2. März 2026, 08:05",
        "2 marca 2026 08:05",
        "2 Mart 2026 08:05",
        "2 Maret 2026 08:05",
        "٢ مارس ٢٠٢٦ 08:05",
        "2 मार्च 2026 08:05",
        "2-го марта 2026 08:05",
        "2026年3月2日 08:05",
        "2026年3月2日 8時05分",
        "2026년 3월 2일 오전 8:05",
        "2 tháng 3, 2026 08:05",
        "2026. március 2. 08:05",
    ],
)
def test_dates_are_read_in_all_their_forms(text):
    assert DateReader().read(text) == MOMENT


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "32 мая 2026", "9" * 500],
)
def test_what_is_no_date_is_none(text):
    assert DateReader().read(text) is None


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


def dates_of(*texts: str, language: str = "", address: str = "https://visti.example/rss"):
    items = [f"<title>a</title><pubDate>{text}</pubDate>" for text in texts]
    channel = f"<language>{language}</language>" if language else ""
    feed = parse_feed(
        rss(*items, channel=channel).encode(),
        content_type=None,
        address=address,
        received_at=RECEIVED,
    )
    days = [f"{entry.published:%d.%m %H:%M %z}" for entry in feed.entries if entry.published]
    return days, list(feed.problems)


@pytest.mark.parametrize(
    ("language", "address", "read"),
    [
        ("hi", "https://visti.example/rss", "01.03 10:05 +0530"),
        ("en-IN", "https://visti.example/rss", "01.03 10:05 +0530"),
        ("en", "https://visti.example.in/rss", "01.03 10:05 +0530"),
        ("he", "https://visti.example/rss", "01.03 10:05 +0200"),
        ("en", "https://visti.example.ie/rss", "01.03 10:05 +0000"),
    ],
)
def test_a_zone_of_several_countries_is_that_of_the_country_of_the_feed(language, address, read):
    text = "Sun, 01 Mar 2026 10:05:00 IST"
    assert dates_of(text, language=language, address=address) == ([read], [])


def test_a_zone_of_several_countries_is_a_problem_where_the_country_is_not_known():
    days, problems = dates_of("Sun, 01 Mar 2026 10:05:00 IST")
    assert days == ["01.03 10:05 +0530"]
    assert len(problems) == 1
    assert problems[0].startswith("The zone of a date is used in several countries; the commonest")


def test_american_names_of_zones_are_those_of_the_standard_but_where_a_country_has_its_own():
    assert dates_of("Sun, 01 Mar 2026 10:05:00 CST") == (["01.03 10:05 -0600"], [])
    chinese = dates_of("Sun, 01 Mar 2026 10:05:00 CST", language="zh-CN")
    assert chinese == (["01.03 10:05 +0800"], [])
    australian = dates_of("Sun, 01 Mar 2026 10:05:00 EST", language="en-AU")
    assert australian == (["01.03 10:05 +1000"], [])


def test_zones_with_two_offsets_in_a_year_have_that_of_the_day():
    winter, summer = "Thu, 15 Jan 2026 10:05 PT", "Tue, 15 Jul 2025 10:05 PT"
    assert dates_of(winter, summer) == (["15.01 10:05 -0800", "15.07 10:05 -0700"], [])


def test_an_unknown_zone_is_utc_and_a_problem():
    days, problems = dates_of("Sun, 01 Mar 2026 10:05:00 QQT")
    assert days == ["01.03 10:05 +0000"]
    assert problems == [
        "A zone of a date is not known; UTC counts: 'Sun, 01 Mar 2026 10:05:00 QQT'."
    ]


def test_slashed_dates_are_read_as_the_other_dates_of_the_feed_are_written():
    assert dates_of("03/01/2026 10:05", "25/01/2026 10:05")[0][0] == "03.01 10:05 +0000"
    assert dates_of("02/01/2026 10:05", "01/25/2026 10:05")[0][0] == "01.02 10:05 +0000"


def test_slashed_dates_are_not_read_as_one_that_is_to_come():
    assert dates_of("02/11/2026 10:05")[0] == ["11.02 10:05 +0000"]
    assert dates_of("11/02/2026 10:05")[0] == ["11.02 10:05 +0000"]


def test_slashed_dates_without_evidence_are_read_as_the_country_writes_them():
    assert dates_of("01/02/2026 10:05", language="en-US")[0] == ["02.01 10:05 +0000"]
    assert dates_of("01/02/2026 10:05", language="en-GB")[0] == ["01.02 10:05 +0000"]
    assert dates_of("01/02/2026 10:05", language="uk")[0] == ["01.02 10:05 +0000"]
    days, problems = dates_of("01/02/2026 10:05", language="en")
    assert days == []
    assert problems == ["A date cannot be read: '01/02/2026 10:05'.", "No entry has a date."]


def test_slashed_dates_that_contradict_each_other_leave_open_ones_unread():
    texts = ("01/02/2026 10:05", "25/01/2026 10:05", "01/25/2026 10:05")
    assert dates_of(*texts)[0] == ["25.01 10:05 +0000", "25.01 10:05 +0000"]


@pytest.mark.parametrize(
    ("language", "address", "country"),
    [
        ("en-us", "https://visti.example.in/", "us"),
        ("zh-Hans-CN", "https://visti.example/", "cn"),
        ("en_GB", "https://visti.example/", "gb"),
        ("", "https://visti.example.uk/rss", "gb"),
        ("en", "https://visti.example.io/rss", ""),
        ("he", "https://visti.example/rss", "il"),
    ],
)
def test_the_country_of_a_feed_is_that_of_its_language_or_its_domain(language, address, country):
    assert feed_country(language, address) == country
