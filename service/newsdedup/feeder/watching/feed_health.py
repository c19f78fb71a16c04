"""How the feeds of a list are: what an operator sees in a table, on a page and in an alert."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Final, Literal, get_args

from newsdedup.core.model import ItemKey, Micros
from newsdedup.core.moments import MICROSECOND
from newsdedup.core.stories.records import Record
from newsdedup.feeder.scheduling.hub_lease import HubLease, LeaseCondition, lease_condition
from newsdedup.feeder.scheduling.stored_feed import NEVER, StoredFeed

FeedCondition = Literal["dead", "gone", "failing", "merged", "silent", "new", "fine", "unlisted"]
"""The trouble of a feed, the worst first: `dead` has failed for days, `silent` has shown nothing
new for longer than its interval can explain."""

CONDITIONS: Final[tuple[FeedCondition, ...]] = get_args(FeedCondition)
DEAD_AFTER: Final = timedelta(days=3)
"""For how long a feed must have failed: most outages are shorter."""
SILENT_AFTER: Final = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class SourceShare:
    """The items of one source in the window."""

    items: int
    originals: int
    delay: timedelta | None
    """How much later than the originals its duplicates are, the median; None without any."""

    @property
    def duplicates(self) -> int:
        """Return the number of items that are no originals."""
        return self.items - self.originals

    def as_json(self) -> dict[str, object]:
        """Return the share as JSON for programs."""
        delay = None if self.delay is None else self.delay.total_seconds()
        return {
            "items": self.items,
            "originals": self.originals,
            "duplicates": self.duplicates,
            "median_delay_seconds": delay,
        }


@dataclass(frozen=True, slots=True)
class FeedHealth:
    """One feed as it is now."""

    feed: StoredFeed
    condition: FeedCondition
    share: SourceShare | None
    """Of the items of its source in the window; None if none is known."""
    lease: HubLease | None = None
    """Its subscription at a hub."""
    lease_state: LeaseCondition | None = None

    def as_json(self) -> dict[str, object]:
        """Return it as JSON for programs; times are ISO 8601, None for what has not happened."""
        feed, share, lease = self.feed, self.share, self.lease
        # Without its callback and its secret.
        hub = lease and {
            "address": lease.hub,
            "condition": self.lease_state,
            "problem": lease.problem,
            "expires": _written(lease.expires_at),
            "last_push": _written(lease.pushed_at),
        }
        return {
            "address": feed.address,
            "subscribed": feed.subscribed,
            "title": feed.title,
            "category": feed.category,
            "source": feed.source or feed.publisher,
            "condition": self.condition,
            "problem": feed.problem,
            "failures": feed.failures,
            "interval_seconds": feed.interval.total_seconds(),
            "last_success": _written(feed.succeeded_at),
            "last_news": _written(feed.news_at),
            "next_visit": _written(feed.next_at),
            "entries": feed.entries,
            **({} if hub is None else {"hub": hub}),
            **({} if share is None else share.as_json()),
        }


def feed_health(
    feeds: Iterable[StoredFeed],
    shares: Mapping[str, SourceShare],
    *,
    leases: Iterable[HubLease] = (),
    at: datetime,
) -> list[FeedHealth]:
    """Return how feeds are, those in trouble first, of equal ones the longest failing first.

    `shares` are by source; without them the numbers of duplicates are missing.
    """
    by_feed = {lease.feed: lease for lease in leases}
    health = []
    for feed in feeds:
        share, lease = shares.get(feed.source or feed.publisher), by_feed.get(feed.number)
        state = None if lease is None else lease_condition(lease, at=at)
        health.append(FeedHealth(feed, condition_of(feed, at=at), share, lease, state))
    return sorted(health, key=lambda one: (CONDITIONS.index(one.condition), one.feed.succeeded_at))


def source_shares(records: Iterable[Record]) -> dict[str, SourceShare]:
    """Return the share of each source among the records of a window; retracted items are none."""
    times: dict[ItemKey, Micros] = {}
    copies: dict[str, list[tuple[ItemKey, Micros]]] = defaultdict(list)
    items: dict[str, int] = defaultdict(int)
    for record in records:
        if record.retracted:
            continue
        source, at = record.key.source, record.entry.effective_at
        items[source] += 1
        times[record.key] = at
        if record.verdict == "duplicate" and record.original is not None:
            copies[source].append((record.original, at))
    shares = {}
    for source, number in items.items():
        copied = copies[source]
        delays = [at - times[original] for original, at in copied if original in times]
        delay = int(median(delays)) * MICROSECOND if delays else None
        shares[source] = SourceShare(number, number - len(copied), delay)
    return shares


def condition_of(feed: StoredFeed, *, at: datetime) -> FeedCondition:
    """Return the condition of a feed at a time; FeedCondition says what each means."""
    if feed.status != "active":
        return feed.status
    if feed.failures:
        since = feed.succeeded_at if feed.succeeded_at != NEVER else feed.added_at
        return "dead" if at - since > DEAD_AFTER else "failing"
    if feed.succeeded_at == NEVER:
        return "new"
    return "silent" if at - max(feed.news_at, feed.added_at) > SILENT_AFTER else "fine"


def count_conditions(feeds: Iterable[StoredFeed], *, at: datetime) -> Counter[str]:
    """Return the number of feeds in each condition."""
    return Counter(condition_of(feed, at=at) for feed in feeds)


def longest_wait(feeds: Iterable[StoredFeed], *, at: datetime, started_at: datetime) -> timedelta:
    """Return for how long the feed that waits longest has been due; zero if none is.

    A feed without a time (a new one, or one whose output is empty again) is due since it was added,
    but not before the feeder was started.
    """
    waits = (
        at - (feed.next_at if feed.next_at != NEVER else max(feed.added_at, started_at))
        for feed in feeds
        if feed.status == "active"
    )
    return max([timedelta(), *waits])


def _written(at: datetime) -> str | None:
    return None if at == NEVER else at.isoformat()
