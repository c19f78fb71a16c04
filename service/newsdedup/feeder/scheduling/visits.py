"""What a visit changes in the record of its feed."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from newsdedup.feeder.scheduling.intervals import (
    IntervalBounds,
    adapt_interval,
    polite_wait,
    retry_wait,
    skip_quiet_hours,
)
from newsdedup.feeder.scheduling.stored_feed import StoredFeed, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Success:
    """A visit that brought the feed, or the word that it is unchanged."""

    moved_to: str
    etag: str
    last_modified: str
    new_entries: int
    max_age: timedelta | None = None
    ttl: timedelta | None = None
    """The interval that the feed itself asks for; None if it does not, or is unchanged."""
    skip_hours: Collection[int] = ()
    skip_days: Collection[int] = ()
    """Weekdays, 0 for Monday."""
    title: str = ""
    publisher: str = ""
    problem: str = ""
    """What is wrong although the feed was read; "" if nothing."""


def after_success(
    feed: StoredFeed, success: Success, bounds: IntervalBounds, *, at: datetime, draw: float
) -> StoredFeed:
    """Return the record of a feed after a visit that succeeded."""
    interval = adapt_interval(feed.interval, success.new_entries, bounds)
    wait = polite_wait(interval, (success.max_age, success.ttl), bounds, draw=draw)
    return replace(
        feed,
        address=success.moved_to,
        etag=success.etag,
        last_modified=success.last_modified,
        interval=interval,
        next_at=skip_quiet_hours(at + wait, success.skip_hours, success.skip_days),
        tried_at=at,
        succeeded_at=at,
        failures=0,
        problem=one_line(success.problem),
        news_at=at if success.new_entries else feed.news_at,
        title=one_line(success.title) or feed.title,
        publisher=success.publisher or feed.publisher,
        entries=feed.entries + success.new_entries,
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


def after_gone(feed: StoredFeed, problem: str, *, at: datetime) -> StoredFeed:
    """Return the record of a feed that answered 410: it is not visited again."""
    return replace(
        feed, status="gone", tried_at=at, failures=feed.failures + 1, problem=one_line(problem)
    )


def after_end(feed: StoredFeed, *, at: datetime) -> StoredFeed:
    """Return the record of a feed that says of itself that it has ended."""
    return replace(
        feed, status="gone", tried_at=at, problem="The feed says that nothing will come any more"
    )


def after_pause(feed: StoredFeed, until: datetime, *, draw: float, spread: timedelta) -> StoredFeed:
    """Return the record of a feed whose host refuses requests until then; that is no failure.

    The feeds of a host come back over a span of time, not all at once.
    """
    return replace(feed, next_at=until + spread * draw)
