"""When a feed is visited next: its interval follows its news, its wait follows who asked for more.

Pure functions; `draw` is a random number from 0 up to 1 that the caller passes in.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from newsdedup.feeder.scheduling.stored_feed import StoredFeed, one_line
from newsdedup.ports.errors import SettingsInvalid

AIMED_ENTRIES: Final = 2
"""New entries for each visit that the interval aims at: with fewer most visits bring nothing, with
more an entry waits for long. A feed that shows its last 10 loses nothing until it is 5 times as
fast as it was."""
SLOWER: Final = 1.5
"""The factor of an interval after a visit without news."""
FASTEST: Final = 0.5
"""The least factor of an interval after a visit with much news: one burst is no habit."""
JITTER: Final = 0.1
"""The largest part of a wait that is added to it, so that feeds do not stay in step."""
_HOURS_OF_WEEK: Final = 7 * 24


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalBounds:
    """Between which the interval of a feed adapts."""

    shortest: timedelta = timedelta(minutes=5)
    longest: timedelta = timedelta(hours=24)
    first: timedelta = timedelta(minutes=30)
    """The interval after the first visit, which shows a backlog and no rate."""

    def __post_init__(self) -> None:
        if not timedelta() < self.shortest <= self.longest:
            raise SettingsInvalid(
                "the shortest interval of a feed must be above 0 and no longer than the longest"
            )

    def clamp(self, interval: timedelta) -> timedelta:
        """Return an interval within the bounds."""
        return min(max(interval, self.shortest), self.longest)


def adapt_interval(interval: timedelta, new_entries: int, bounds: IntervalBounds) -> timedelta:
    """Return the interval after a visit that showed a number of new entries.

    Without news it grows by half; with up to AIMED_ENTRIES it stays; with more it shrinks in
    proportion, to a half at most. A feed that was never visited (zero) gets the first interval.
    """
    if not interval:
        return bounds.clamp(bounds.first)
    if not new_entries:
        return bounds.clamp(min(interval, bounds.longest) * SLOWER)
    return bounds.clamp(interval * min(max(AIMED_ENTRIES / new_entries, FASTEST), 1.0))


def polite_wait(
    interval: timedelta, asked: Iterable[timedelta | None], bounds: IntervalBounds, *, draw: float
) -> timedelta:
    """Return how long to wait after a success: the interval, or what the publisher asks if longer.

    `asked` are max-age and the ttl of the feed. A mistake of years is cut to the longest interval.
    The jitter is only added, so that no feed is visited sooner than its publisher asks.
    """
    waits = [interval, *(wait for wait in asked if wait is not None)]
    return max(map(bounds.clamp, waits)) * (1 + JITTER * draw)


def retry_wait(
    interval: timedelta,
    failures: int,
    retry_after: timedelta | None,
    bounds: IntervalBounds,
    *,
    draw: float,
) -> timedelta:
    """Return how long to wait after the n-th failure in a row: the interval, doubled each time.

    It ends at the longest interval; only Retry-After may make it longer.
    """
    wait = bounds.clamp(interval or bounds.first)
    # The factor is limited before the product, which could overflow.
    doubled = wait * min(2.0 ** min(max(failures - 1, 0), 60), bounds.longest / wait)
    return max(min(doubled, bounds.longest), retry_after or timedelta()) * (1 + JITTER * draw)


def skip_quiet_hours(at: datetime, hours: Collection[int], days: Collection[int]) -> datetime:
    """Return the first moment from `at` on, in UTC, in no skipped hour (0-23) or day (0 = Monday).

    Where every hour is skipped, which is a mistake, return `at`.
    """
    moment = at
    for _ in range(_HOURS_OF_WEEK):
        if moment.hour not in hours and moment.weekday() not in days:
            return moment
        moment = moment.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return at


def after_success(
    feed: StoredFeed,
    bounds: IntervalBounds,
    *,
    new_entries: int,
    asked: Iterable[timedelta | None],
    at: datetime,
    draw: float,
    skip_hours: Collection[int] = (),
    skip_days: Collection[int] = (),
) -> StoredFeed:
    """Return the record of a feed after a visit that brought it, or the word that it is unchanged.

    `asked` are the waits that its publisher asks for, `skip_days` weekdays, 0 for Monday. What the
    feed says of itself stays as it is in `feed`.
    """
    interval = adapt_interval(feed.interval, new_entries, bounds)
    wait = polite_wait(interval, asked, bounds, draw=draw)
    return replace(
        feed,
        interval=interval,
        next_at=skip_quiet_hours(at + wait, skip_hours, skip_days),
        tried_at=at,
        succeeded_at=at,
        failures=0,
        news_at=at if new_entries else feed.news_at,
        entries=feed.entries + new_entries,
    )


def after_failure(
    feed: StoredFeed,
    problem: str,
    bounds: IntervalBounds,
    *,
    at: datetime,
    draw: float,
    retry_after: timedelta | None = None,
) -> StoredFeed:
    """Return the record of a feed after a visit that failed, with the time of the next one.

    `problem` is shown to the user; `retry_after` is how long the server asks to wait, if it does.
    """
    failures = feed.failures + 1
    wait = retry_wait(feed.interval, failures, retry_after, bounds, draw=draw)
    return replace(
        feed, next_at=at + wait, tried_at=at, failures=failures, problem=one_line(problem)
    )
