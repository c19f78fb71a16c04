"""Moments as microseconds, and the times that an item states. No clock is read here."""

from datetime import UTC, datetime, time, timedelta

from newsdedup.core.model import Micros, NewsItem, Stamp

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MIDNIGHT = time()
MICROSECOND = timedelta(microseconds=1)
HOUR = timedelta(hours=1) // MICROSECOND
DAY = 24 * HOUR


def to_micros(moment: datetime) -> Micros:
    """Return a moment as microseconds since 1970 UTC; negative before 1970."""
    return (moment - EPOCH) // MICROSECOND


def to_datetime(at: Micros) -> datetime:
    """Return microseconds since 1970 as a moment in UTC."""
    return EPOCH + at * MICROSECOND


def source_time(item: NewsItem) -> datetime | None:
    """Return when an item was published, else when it was seen; None if neither is known."""
    return item.published_at or item.seen_at


def is_dated(item: NewsItem) -> bool:
    """Return whether the time is known at which an item was published or seen."""
    return source_time(item) is not None


def version_stamp(item: NewsItem) -> Stamp:
    """Return (updated_at or published_at, seen_at) of an item in microseconds, 0 if missing."""
    changed = item.updated_at or item.published_at
    return Stamp(
        0 if changed is None else to_micros(changed),
        0 if item.seen_at is None else to_micros(item.seen_at),
    )
