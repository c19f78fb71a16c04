"""Subscribes at the hubs that feeds name, and lets pushes bring visits forward."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Final

from newsdedup.feeder.fetching.address_guard import host_name
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.fetcher import Fetcher
from newsdedup.feeder.parsing.parsed_feed import HubOffer
from newsdedup.feeder.polling.feed_visitor import Visit
from newsdedup.feeder.polling.host_pace import Clock
from newsdedup.feeder.polling.poller import VisitFeed
from newsdedup.feeder.scheduling.hub_lease import (
    LONGEST_REASON,
    REQUESTED_LEASE,
    HubLease,
    after_request,
    fits_offer,
    hastened_visit,
    is_missed,
    next_visit,
)
from newsdedup.feeder.scheduling.stored_feed import NEVER, IntervalBounds, StoredFeed, one_line
from newsdedup.feeder.state.feed_state import FeedState

TICK_SECONDS: Final = 10.0
"""How often it is looked which hubs are to be asked."""
_MOST_HUBS_AT_ONCE: Final = 8


@dataclass(slots=True)
class HubSubscriber:
    """The subscriber of WebSub; `base` is the public address of its callbacks.

    `pace` returns when a host may get a request; `wake` is called when a push makes a feed due.
    """

    state: FeedState
    fetcher: Fetcher
    base: str
    bounds: IntervalBounds
    clock: Clock
    pace: Callable[[str], Awaitable[None]]
    wake: Callable[[], None] = lambda: None

    async def run(self) -> None:
        """Request and renew leases until cancelled."""
        while True:
            await self.request_due()
            await self.clock.sleep(TICK_SECONDS)

    async def request_due(self) -> None:
        """Ask the hubs of all leases that are due, side by side, one request at a time to each."""
        by_hub: dict[str, list[tuple[HubLease, str]]] = defaultdict(list)
        for lease, subscribed in self.state.leases.due(self.clock.now()):
            requested = after_request(lease, at=self.clock.now())
            # Before the request: the hub may verify it before it answers.
            self.state.leases.store(requested)
            by_hub[host_name(requested.hub)].append((requested, subscribed))
        limit = asyncio.Semaphore(_MOST_HUBS_AT_ONCE)
        await asyncio.gather(
            *(self._request_all(host, leases, limit) for host, leases in by_hub.items())
        )

    async def visit(self, feed: StoredFeed, visit: VisitFeed) -> Visit:
        """Return how a visit went, after which its lease may change when the feed is due."""
        before = self.state.leases.of_feed(feed.number)
        pushed_at = NEVER if before is None else before.pushed_at
        done = await visit(feed)
        if done.outcome == "content":
            self._take_offer(done.feed, done.offer)
        if done.outcome in ("content", "unchanged"):
            self._reschedule(done, by_push=pushed_at > feed.tried_at, pushed_at=pushed_at)
        return done

    def pushed(self, lease: HubLease) -> None:
        """Have the feed of a lease visited soon: its hub has pushed news."""
        now = self.clock.now()
        self.state.leases.store(replace(lease, pushed_at=now))
        feed = self.state.feed(lease.feed)
        hastened = None if feed is None else hastened_visit(feed, at=now)
        if feed is not None and hastened is not None and hastened < feed.next_at:
            self.state.leases.visit_at(feed.number, hastened)
            self.wake()

    async def _request_all(
        self, host: str, leases: list[tuple[HubLease, str]], limit: asyncio.Semaphore
    ) -> None:
        """Ask one hub for leases; after a request without an answer the others wait for later."""
        silence = ""
        for lease, subscribed in leases:
            problem = silence
            if not problem:
                async with limit:
                    await self.pace(host)
                    problem, silence = await self._request(lease, subscribed)
            current = self.state.leases.of_feed(lease.feed)
            # Verified or replaced meanwhile: then the answer says nothing of it.
            same = current is not None and current.failures and current.token == lease.token
            if problem and current is not None and same:
                line = one_line(problem, longest=LONGEST_REASON)
                self.state.leases.store(replace(current, problem=line))

    async def _request(self, lease: HubLease, subscribed: str) -> tuple[str, str]:
        """Ask a hub for a lease; return the problem or "", and the same again if no answer came."""
        fields = {
            "hub.mode": "subscribe",
            "hub.topic": lease.topic,
            "hub.callback": lease.callback,
            "hub.lease_seconds": str(int(REQUESTED_LEASE.total_seconds())),
            "hub.secret": lease.secret,
        }
        try:
            status = await self.fetcher.post_form(lease.hub, fields, subscribed=subscribed)
        except FetchError as error:
            problem = f"the hub: {error}"
            return problem, problem if error.kind in ("connection", "timeout", "name") else ""
        if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            return "", ""
        return f"the hub answers {status}", ""

    def _take_offer(self, feed: StoredFeed, offer: HubOffer | None) -> None:
        """Begin, change or forget the lease of a feed by what it offers now, None for no hubs."""
        now = self.clock.now()
        lease = self.state.leases.of_feed(feed.number)
        topic, hubs = ("", ()) if offer is None else (offer.topic, offer.hubs)
        if lease is not None and fits_offer(lease, self.base, topic, hubs, at=now):
            return
        if not hubs:
            self.state.leases.remove(feed.number)
            return
        self.state.leases.store(
            HubLease(
                feed=feed.number,
                base=self.base,
                token=secrets.token_urlsafe(32),
                secret=secrets.token_urlsafe(48),
                topic=topic,
                hubs=hubs,
                begun_at=now,
                next_at=now,
            )
        )

    def _reschedule(self, done: Visit, *, by_push: bool, pushed_at: datetime) -> None:
        """Set when a feed is visited next, by what its pushes are worth.

        `by_push` says that a push caused the visit; `pushed_at` is when the last one before it
        came.
        """
        lease, now = self.state.leases.of_feed(done.feed.number), self.clock.now()
        if lease is None:
            return
        if is_missed(lease, new_entries=done.new_entries, by_push=by_push, at=now):
            lease = replace(lease, missed_at=now)
            self.state.leases.store(lease)
        at = next_visit(
            done.feed, lease, self.bounds, new_entries=done.new_entries, by_push=by_push, at=now
        )
        if lease.pushed_at > pushed_at:
            # It came during the visit, which may have been too early for it.
            at = min(at, hastened_visit(done.feed, at=now) or at)
        self.state.leases.visit_at(done.feed.number, at)
