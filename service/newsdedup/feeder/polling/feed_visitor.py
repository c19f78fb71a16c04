"""One visit of a feed: fetched, parsed, delivered, stored."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Generic, Literal

from newsdedup.feeder.fetching.address_guard import host_name
from newsdedup.feeder.fetching.credentials import read_credentials
from newsdedup.feeder.fetching.fetch_error import FetchError
from newsdedup.feeder.fetching.fetcher import Fetched, Fetcher, FetchRequest
from newsdedup.feeder.polling.clock import Clock
from newsdedup.feeder.polling.feed_contents import (
    DeliverEntries,
    EntryT_co,
    FeedContents,
    ParseFeed,
    latest_entries,
)
from newsdedup.feeder.polling.host_pace import HostPace
from newsdedup.feeder.scheduling.intervals import IntervalBounds
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.scheduling.visits import (
    Success,
    after_failure,
    after_gone,
    after_pause,
    after_success,
)
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.ports.errors import NewsdedupError

VisitOutcome = Literal["content", "unchanged", "failed", "gone", "merged", "paused"]

BUSY_PAUSE: Final = timedelta(minutes=5)
"""How long a host is left alone that answers 429 without Retry-After."""
_SPREAD: Final = timedelta(minutes=10)
"""Over which the feeds of a paused host come back."""


@dataclass(frozen=True, slots=True)
class Visit:
    """How a visit went."""

    feed: StoredFeed
    """As it is stored now."""
    outcome: VisitOutcome
    new_entries: int = 0


class FeedVisitor(Generic[EntryT_co]):
    """Visits feeds; `draw` returns random numbers from 0 up to 1."""

    def __init__(
        self,
        state: FeedState,
        fetcher: Fetcher,
        pace: HostPace,
        *,
        parse: ParseFeed[EntryT_co],
        deliver: DeliverEntries[EntryT_co],
        bounds: IntervalBounds,
        clock: Clock,
        draw: Callable[[], float],
    ) -> None:
        self._state = state
        self._fetcher = fetcher
        self._pace = pace
        self._parse = parse
        self._deliver = deliver
        self._bounds = bounds
        self._clock = clock
        self._draw = draw

    async def visit(self, feed: StoredFeed) -> Visit:
        """Return how the visit of a feed went, which is stored then.

        Raise the errors of the output and of the state; those of the feed are stored with it.
        """
        until = self._pace.paused_until(host_name(feed.address))
        if until is not None:
            paused = after_pause(feed, until, draw=self._draw(), spread=_SPREAD)
            return self._stored(Visit(paused, "paused"))
        try:
            fetched = await self._fetcher.fetch(_request(feed))
        except FetchError as error:
            return self._failed(feed, str(error))
        match fetched.answer.meaning:
            case "content":
                return await self._take(feed, fetched)
            case "unchanged":
                return self._unchanged(feed, fetched)
            case "gone":
                gone = after_gone(feed, fetched.answer.problem, at=self._clock.now())
                return self._stored(Visit(gone, "gone"))
            case _:
                return self._refused(feed, fetched)

    async def _take(self, feed: StoredFeed, fetched: Fetched) -> Visit:
        """Deliver what is new in a body, and store the visit when that is acknowledged."""
        try:
            # In a thread: a large feed takes a second, in which no other answer would be read.
            parsed = await asyncio.to_thread(
                self._parse,
                feed,
                fetched.body,
                content_type=fetched.content_type,
                address=fetched.address,
                received_at=self._clock.now(),
            )
        except NewsdedupError as error:
            # Without its validators: a later version of the parser shall get the body again.
            return self._failed(replace(feed, etag="", last_modified=""), str(error))
        entries = latest_entries(parsed.entries)
        contents = {name: entry.content for name, entry in entries.items()}
        unseen = self._state.unseen(feed.number, contents)
        new = [entry for name, entry in entries.items() if name in unseen]
        moved = self._merged(feed, fetched)
        if moved is not None:
            return self._stored(Visit(moved, "merged"))
        if new:
            await self._deliver(feed, new)
        at = self._clock.now()
        success = _success(fetched, parsed, new_entries=len(new))
        record = after_success(feed, success, self._bounds, at=at, draw=self._draw())
        self._state.commit(
            record,
            delivered={name: contents[name] for name in unseen},
            listed=contents.keys(),
            at=at,
        )
        return Visit(record, "content", len(new))

    def _unchanged(self, feed: StoredFeed, fetched: Fetched) -> Visit:
        """Store a visit that was answered 304."""
        moved = self._merged(feed, fetched)
        if moved is not None:
            return self._stored(Visit(moved, "merged"))
        success = Success(
            moved_to=fetched.moved_to,
            etag=feed.etag,
            last_modified=feed.last_modified,
            new_entries=0,
            max_age=fetched.answer.wait,
        )
        at = self._clock.now()
        record = after_success(feed, success, self._bounds, at=at, draw=self._draw())
        self._state.unchanged(record, at=at)
        return Visit(record, "unchanged")

    def _refused(self, feed: StoredFeed, fetched: Fetched) -> Visit:
        """Store a visit that was answered with an error; pause the host if it is busy."""
        answer = fetched.answer
        if answer.busy:
            self._pace.pause(host_name(fetched.address), answer.wait or BUSY_PAUSE)
        return self._failed(feed, answer.problem, retry_after=answer.wait)

    def _failed(
        self, feed: StoredFeed, problem: str, *, retry_after: timedelta | None = None
    ) -> Visit:
        """Store a visit that failed."""
        failed = after_failure(
            feed,
            problem,
            self._bounds,
            at=self._clock.now(),
            draw=self._draw(),
            retry_after=retry_after,
        )
        return self._stored(Visit(failed, "failed"))

    def _merged(self, feed: StoredFeed, fetched: Fetched) -> StoredFeed | None:
        """Return the record of a feed that moved to the address of another; None if it did not."""
        if fetched.moved_to == feed.address:
            return None
        other = self._state.at_address(fetched.moved_to)
        if other is None or other.number == feed.number:
            return None
        problem = f"moved to the address of another feed of the list: {other.subscribed}"
        return replace(feed, status="merged", problem=problem, tried_at=self._clock.now())

    def _stored(self, visit: Visit) -> Visit:
        """Store the record of a visit that showed no entries, and return the visit."""
        self._state.commit(visit.feed, delivered={}, listed=(), at=self._clock.now())
        return visit


def _request(feed: StoredFeed) -> FetchRequest:
    """Return the request of a feed; raise FetchError if its credentials are missing."""
    return FetchRequest(
        address=feed.address,
        subscribed=feed.subscribed,
        etag=feed.etag,
        last_modified=feed.last_modified,
        credentials=read_credentials(feed.secret) if feed.secret else None,
    )


def _success(fetched: Fetched, parsed: FeedContents[EntryT_co], *, new_entries: int) -> Success:
    """Return the success of a visit that brought a feed."""
    return Success(
        moved_to=fetched.moved_to,
        etag=fetched.etag,
        last_modified=fetched.last_modified,
        new_entries=new_entries,
        max_age=fetched.answer.wait,
        ttl=parsed.polite_interval,
        skip_hours=parsed.skip_hours,
        skip_days=parsed.skip_days,
        title=parsed.title,
        publisher=parsed.publisher,
    )
