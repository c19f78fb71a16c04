"""Days in texts are those where the publisher is, once its zone is set."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from newsdedup import ItemKey, NewsItem
from newsdedup.core.facts.days import format_day
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.moments import LocalTime, PublisherZones
from newsdedup.core.text.tokens import tokens

COLOMBO, KYIV, NEW_YORK = map(ZoneInfo, ("Asia/Colombo", "Europe/Kyiv", "America/New_York"))
NO_ZONES = PublisherZones()
"""Times count as they were written."""
EVENING = datetime(2024, 11, 22, 20, 0, tzinfo=UTC)
"""Half past one of the next day in Colombo, ten in the evening in Kyiv."""


def item(text: str, at: datetime | None, source: str = "daily.example") -> NewsItem:
    return NewsItem(ItemKey(source, "1"), "", text, published_at=at)


def days(zones: PublisherZones, news: NewsItem) -> list[str]:
    day, hour = zones.local_time(news)
    facts = extract_facts(news.text, tokens(news.text), published=day, hour=hour)
    return [format_day(fact.value) for fact in facts]


@pytest.mark.parametrize(
    ("text", "by_utc", "in_colombo"),
    [
        ("The bridge opened today", "2024-11-22", "2024-11-23"),
        ("The bridge opened yesterday", "2024-11-21", "2024-11-22"),
        ("The bridge opened on Saturday", "2024-11-16", "2024-11-23"),
        ("The bridge opened on 5 November", "2024-11-05", "2024-11-05"),
    ],
)
def test_a_word_names_the_day_where_its_publisher_is(
    text: str, by_utc: str, in_colombo: str
) -> None:
    news = item(text, EVENING)
    assert days(NO_ZONES, news) == [by_utc]
    assert days(PublisherZones(COLOMBO), news) == [in_colombo]


def test_a_day_of_the_month_in_brackets_is_near_the_day_of_the_publisher() -> None:
    # Halfway between two such days, the nearest one is another an hour later.
    news = item("The bridge opened on Friday (15)", datetime(2024, 11, 30, 20, 0, tzinfo=UTC))
    assert days(NO_ZONES, news) == ["2024-11-15"]
    assert days(PublisherZones(COLOMBO), news) == ["2024-12-15"]


def test_two_reports_of_one_evening_from_two_zones_agree() -> None:
    zones = PublisherZones(by_source={"lanka.example": COLOMBO, "visti.example": KYIV})
    one = item("The minister resigned yesterday", EVENING, "lanka.example")
    other = item("The minister resigned today", EVENING, "visti.example")
    assert days(zones, one) == days(zones, other) == ["2024-11-22"]
    assert days(NO_ZONES, one) != days(NO_ZONES, other)


def test_the_zone_of_a_source_counts_before_the_offset_and_that_before_the_general_zone() -> None:
    zones = PublisherZones(COLOMBO, {"visti.example": KYIV})
    eastern = EVENING.astimezone(timezone(timedelta(hours=-5)))
    assert zones.local_time(item("", eastern, "visti.example")).hour == 22
    assert zones.local_time(item("", eastern)).hour == 15
    assert zones.local_time(item("", EVENING)).hour == 1
    assert NO_ZONES.local_time(item("", EVENING)).hour == 20


def test_summer_time_counts() -> None:
    zones = PublisherZones(NEW_YORK)
    july, january = (datetime(2024, month, 5, 12, 0, tzinfo=UTC) for month in (7, 1))
    assert [zones.local_time(item("", at)).hour for at in (july, january)] == [8, 7]


def test_a_date_without_a_time_stays_that_date_in_every_zone() -> None:
    zones = PublisherZones(NEW_YORK, {"lanka.example": COLOMBO})
    midnight = datetime(2024, 11, 22, tzinfo=UTC)
    for source in ("daily.example", "lanka.example"):
        assert zones.local_time(item("", midnight, source)) == LocalTime(date(2024, 11, 22), None)


def test_midnight_by_the_clock_of_the_publisher_is_an_hour() -> None:
    at = datetime(2024, 11, 22, 18, 30, tzinfo=UTC)
    assert PublisherZones(COLOMBO).local_time(item("", at)) == LocalTime(date(2024, 11, 23), 0)


def test_without_a_time_there_is_no_day() -> None:
    assert PublisherZones(COLOMBO).local_time(item("today", None)) == LocalTime(None, None)
