"""The day and hour at which items were published, by the calendar and clock of their publishers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, tzinfo
from typing import NamedTuple

from newsdedup.core.model import NewsItem
from newsdedup.core.moments import MIDNIGHT, source_time


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


NO_ZONES = PublisherZones()
"""Times count as they were written."""
