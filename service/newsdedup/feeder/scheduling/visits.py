"""What a visit changes in the record of its feed."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from newsdedup.feeder.scheduling.intervals import (
    IntervalBounds,
    adapt_interval,
    polite_wait,
    retry_wait,
    skip_quiet_hours,
)
from newsdedup.feeder.scheduling.stored_feed import StoredFeed, one_line


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
    """Return the record of a feed after a visit that failed; its validators and address stay."""
    failures = feed.failures + 1
    wait = retry_wait(feed.interval, failures, retry_after, bounds, draw=draw)
    return replace(
        feed, next_at=at + wait, tried_at=at, failures=failures, problem=one_line(problem)
    )
