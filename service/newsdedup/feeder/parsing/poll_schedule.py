"""How often and when a feed wants to be polled: ttl, skipHours, skipDays, syndication period."""

from dataclasses import dataclass
from datetime import timedelta

_LONGEST = timedelta(days=7)
"""A feed that asks for more is polled every week all the same: many a ttl is in seconds."""
_PERIODS = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(days=7),
    "monthly": timedelta(days=30),
    "yearly": timedelta(days=365),
}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class PollSchedule:
    """When a feed may be fetched again, as it says itself."""

    interval: timedelta | None = None
    """The longest of those that the feed states, at most a week; None if it states none."""
    skip_hours: frozenset[int] = frozenset()
    """Hours of UTC."""
    skip_days: frozenset[int] = frozenset()
    """Days of UTC; 0 is Monday."""


def poll_schedule(
    *,
    ttl: str = "",
    period: str = "",
    frequency: str = "",
    hours: tuple[str, ...] = (),
    days: tuple[str, ...] = (),
) -> PollSchedule:
    """Return the schedule of the values that a feed holds; what is no number or name is ignored.

    `ttl` is in minutes, `frequency` is how often in a `period`, hour 24 is hour 0.
    """
    intervals = []
    if _is_number(ttl) and int(ttl):
        intervals.append(min(_LONGEST, timedelta(minutes=int(ttl))))
    if period.lower() in _PERIODS:
        times = int(frequency) if _is_number(frequency) and int(frequency) else 1
        intervals.append(min(_LONGEST, _PERIODS[period.lower()] / times))
    return PollSchedule(
        max(intervals, default=None),
        frozenset(int(hour) % 24 for hour in hours if _is_number(hour) and int(hour) <= 24),
        frozenset(_DAYS.index(day.lower()) for day in days if day.lower() in _DAYS),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6
