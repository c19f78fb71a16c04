"""A subscription at a WebSub hub: when it is requested and renewed, and what its pushes change.

Pure functions over the stored lease; the W3C Recommendation WebSub (2018) calls a feed a topic.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from newsdedup.feeder.scheduling.stored_feed import NEVER, IntervalBounds, StoredFeed, one_line

LeaseState = Literal["requested", "active", "denied"]
LeaseCondition = Literal["active", "requested", "expired", "denied"]

REQUESTED_LEASE: Final = timedelta(days=10)
LONGEST_LEASE: Final = timedelta(days=30)
"""What is believed of a longer one: it is renewed sooner than the hub asks."""
_FIRST_RETRY: Final = timedelta(minutes=10)
"""After which a request is repeated that the hub did not verify; each time doubled."""
_LAST_RETRY: Final = timedelta(hours=24)
_AFTER_DENIAL: Final = timedelta(days=7)
_LEAST_RENEWAL: Final = timedelta(seconds=30)
_RENEWED_AT: Final = 2 / 3
"""The part of a lease after which it is renewed; the rest is for repeats."""
_REPLACED_AFTER: Final = timedelta(days=1)
"""The age of a lease before a feed that names another topic or hub gets a new one."""
_LEAST_GAP: Final = timedelta(minutes=1)
"""Between two visits of a feed, the second of which a push asks for."""
_FALLBACK: Final = 8
"""For how many times its interval a feed is left alone after a push."""
LONGEST_REASON: Final = 200
"""Characters that are stored of what a hub answers."""
_BELONGS: Final = timedelta(hours=1)
"""How long after a push news count as brought by it: caches may show them later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubLease:
    """A subscription of one feed at one hub."""

    feed: int
    base: str
    """The public address below which the callback is."""
    token: str = field(repr=False)
    """The last part of the callback's address, which only the hub knows."""
    secret: str = field(repr=False)
    """The key of the signatures of pushes."""
    topic: str
    hubs: tuple[str, ...]
    """Those that the feed names; the first one is asked."""
    begun_at: datetime
    state: LeaseState = "requested"
    next_at: datetime = NEVER
    """When the hub gets the next request."""
    expires_at: datetime = NEVER
    failures: int = 0
    """Requests since the last verification."""
    problem: str = ""
    pushed_at: datetime = NEVER
    """When the last push with a right signature came."""
    missed_at: datetime = NEVER
    """When a visit last showed news of which no push had come."""

    @property
    def hub(self) -> str:
        """Return the hub that is asked."""
        return self.hubs[0]

    @property
    def callback(self) -> str:
        """Return the address to which the hub sends; it is as secret as a password."""
        return f"{self.base}/{self.token}"


def lease_condition(lease: HubLease, *, at: datetime) -> LeaseCondition:
    """Return the state of a lease at a time, `expired` for an active one after its end."""
    if lease.state == "active" and at >= lease.expires_at:
        return "expired"
    return lease.state


def fits_offer(
    lease: HubLease, base: str, topic: str, hubs: tuple[str, ...], *, at: datetime
) -> bool:
    """Return whether a lease fits the topic and the hubs that a feed names now.

    `base` is the public address of the callbacks now; a lease of another one never fits.
    One that is younger than a day fits whatever the feed names: there are feeds whose address of
    themselves is another at each visit, and hubs that only one of several servers names.
    """
    if lease.base != base:
        return False
    same = lease.topic == topic and lease.hub in hubs
    return same or at - lease.begun_at < _REPLACED_AFTER


def after_request(lease: HubLease, *, at: datetime) -> HubLease:
    """Return the lease after a request to its hub, or to its next hub if the last one failed."""
    hubs = lease.hubs[1:] + lease.hubs[:1] if lease.failures else lease.hubs
    wait = min(_FIRST_RETRY * 2.0 ** min(lease.failures, 20), _LAST_RETRY)
    return replace(
        lease,
        state="active" if lease_condition(lease, at=at) == "active" else "requested",
        hubs=hubs,
        failures=lease.failures + 1,
        next_at=at + wait,
    )


def after_verification(lease: HubLease, seconds: int, *, at: datetime) -> HubLease:
    """Return the lease as verified at `at` for some seconds, of which at most 30 days count."""
    term = min(timedelta(seconds=min(seconds, 10**9)), LONGEST_LEASE)
    return replace(
        lease,
        state="active",
        expires_at=at + term,
        next_at=at + max(term * _RENEWED_AT, _LEAST_RENEWAL),
        failures=0,
        problem="",
    )


def after_denial(lease: HubLease, reason: str, *, at: datetime) -> HubLease:
    """Return the lease after its hub denied it, perhaps for a `reason`; it asks again in a week."""
    return replace(
        lease,
        state="denied",
        expires_at=NEVER,
        next_at=at + _AFTER_DENIAL,
        failures=0,
        problem=one_line(f"denied: {reason}" if reason else "denied", longest=LONGEST_REASON),
    )


def hastened_visit(feed: StoredFeed, *, at: datetime) -> datetime | None:
    """Return when a feed is to be visited of which a push came at a time.

    None if its visits fail: its publisher may have asked to be left alone.
    """
    if feed.failures or feed.status != "active":
        return None
    return max(at, feed.tried_at + _LEAST_GAP)


def next_visit(
    feed: StoredFeed,
    lease: HubLease,
    bounds: IntervalBounds,
    *,
    new_entries: int,
    by_push: bool,
    at: datetime,
) -> datetime:
    """Return when a feed with a lease is visited after a success.

    While pushes bring its news it is left alone for longer. After a visit `by_push` without news it
    is visited again soon: a cache between publisher and feeder may be older than the push.
    """
    if by_push and not new_entries:
        return min(feed.next_at, at + bounds.shortest)
    if lease_condition(lease, at=at) != "active" or lease.pushed_at <= lease.missed_at:
        return feed.next_at
    return max(feed.next_at, at + min(bounds.longest, feed.interval * _FALLBACK))


def is_missed(lease: HubLease, *, new_entries: int, by_push: bool, at: datetime) -> bool:
    """Return whether a visit, not `by_push`, showed news that an active lease had to push."""
    if not new_entries or by_push or lease_condition(lease, at=at) != "active":
        return False
    return at - lease.pushed_at > _BELONGS
