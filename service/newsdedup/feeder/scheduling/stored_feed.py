"""What is stored of a feed between two visits, and how a visit changes it.

The interval of a feed follows its news, its wait follows who asked for more. Pure functions; `draw`
is a random number from 0 up to 1 that the caller passes in.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from newsdedup.ports.errors import SettingsInvalid

FeedStatus = Literal["active", "gone", "merged", "unlisted"]
"""`gone` after 410, `merged` after a move to the address of another feed, `unlisted` while the list
that is followed does not name it: none of these is visited."""

NEEDS_PRIVATE: Final = "--allow-private admits it"
"""The end of the problem of a feed that leads inside without being allowed to."""
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of what has not happened; a feed with this `next_at` is due at once."""
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
class StoredFeed:
    """A feed of the list, how it is fetched, and how it went."""

    number: int
    """Its key in the state, which stays when the address changes."""
    subscribed: str
    """The address in the user's list."""
    address: str
    """Where it is now: differs from `subscribed` after a permanent redirect."""
    category: str = ""
    source: str = ""
    """The source that its items get; empty for the host of its site."""
    full_text: bool = False
    """Whether the texts of its items are completed from their pages."""
    secret: str = ""
    """The name of its credentials (env:NAME or file:PATH), never their content."""
    allow_private: bool = False
    """Whether it may lead to addresses of this machine and of private networks."""
    title: str = ""
    """As the feed calls itself; empty before the first success."""
    publisher: str = ""
    """The source that its own items had at the last visit with content; empty before it."""
    status: FeedStatus = "active"
    etag: str = ""
    last_modified: str = ""
    interval: timedelta = timedelta()
    """The adapted interval; zero before the first success."""
    next_at: datetime = NEVER
    tried_at: datetime = NEVER
    succeeded_at: datetime = NEVER
    failures: int = 0
    """Failed visits since the last success."""
    problem: str = ""
    """What went wrong at the last visit; empty if nothing."""
    added_at: datetime = NEVER
    news_at: datetime = NEVER
    """When it last showed a new or changed entry."""
    entries: int = 0
    """New and changed entries so far."""

    @property
    def logged_address(self) -> str:
        """Return `subscribed` without its query, which may hold a key, for logs and traces."""
        address, has_query, _ = self.subscribed.partition("?")
        return f"{address}?..." if has_query else address


def one_line(problem: str, *, longest: int = 300) -> str:
    """Return a problem as one printable line; one of more than `longest` characters ends in "…".

    It may quote what strangers have written: a feed, or the answer of a hub.
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in problem).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


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
    The jitter, a tenth times `draw` (0 to 1), is only added: no visit is sooner than asked for.
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

    It ends at the longest interval; only Retry-After and the jitter, a tenth times `draw` (0 to 1),
    make it longer.
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
    """Return the record of a feed after a visit that brought its content, or found it unchanged.

    `asked` are the waits that its publisher asks for, `skip_days` weekdays, 0 for Monday, `draw` (0
    to 1) is the jitter. What the feed says of itself stays as it is in `feed`.
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

    `problem` is shown to the user; `retry_after` is how long the server asks to wait, if it does;
    `draw` (0 to 1) is the jitter.
    """
    failures = feed.failures + 1
    wait = retry_wait(feed.interval, failures, retry_after, bounds, draw=draw)
    return replace(
        feed, next_at=at + wait, tried_at=at, failures=failures, problem=one_line(problem)
    )
