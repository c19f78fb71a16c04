"""Moments as microseconds, and the times that an item states. No clock is read here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

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


class LocalTime(NamedTuple):
    """The day and hour of a publication where its publisher is; "today" in its text is that day."""

    day: date | None
    """None if no time is known."""
    hour: int | None
    """None also where the time has only the precision of a day."""


@dataclass(frozen=True, slots=True)
class PublisherZones:
    """The time zones in which publishers write."""

    general: tzinfo | None = None
    """The zone of all sources without one of their own; None for UTC."""
    by_source: Mapping[str, tzinfo] = field(default_factory=dict)

    def local_time(self, item: NewsItem) -> LocalTime:
        """Return when an item was published, by the clock of its source.

        The zone of the source counts, else the offset with which the time was written, else the
        general zone. A time of exactly midnight, as it was written, is a date without a time: it
        stays that date in every zone.
        """
        at = source_time(item)
        if at is None:
            return LocalTime(None, None)
        if at.time() == MIDNIGHT:
            return LocalTime(at.date(), None)
        # An offset of 0 says nothing: most feeds write UTC, wherever their publishers are.
        zone = self.by_source.get(item.key.source) or (None if at.utcoffset() else self.general)
        local = at if zone is None else at.astimezone(zone)
        return LocalTime(local.date(), local.hour)
