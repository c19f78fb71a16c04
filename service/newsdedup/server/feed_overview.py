"""The feeds of a feeder, read from its file while it may be writing it."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from newsdedup.feeder.scheduling.hub_lease import HubLease
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.state.feed_state import read_feeds
from newsdedup.feeder.state.feeds_file import read_leases

_HOLD_SECONDS: Final = 2.0


class FeedsOfFile(NamedTuple):
    """The feeds and hub leases in the file of a feeder, and when it was read."""

    at: datetime
    feeds: tuple[StoredFeed, ...]
    leases: tuple[HubLease, ...]


class FeedOverview:
    """Reads the file of a feeder, at most every two seconds."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = monotonic) -> None:
        self._path = path
        self._clock = clock
        self._read_at = float("-inf")
        self._feeds: FeedsOfFile | None = None
        self._turn = asyncio.Lock()

    async def read(self) -> FeedsOfFile:
        """Return the feeds as they were at most two seconds ago.

        Raise SourceUnusable if there is no such file, StateUnusable if it cannot be read.
        """
        async with self._turn:
            if self._feeds is None or self._clock() - self._read_at >= _HOLD_SECONDS:
                self._feeds = await asyncio.to_thread(self._read_file)
                self._read_at = self._clock()
            return self._feeds

    def _read_file(self) -> FeedsOfFile:
        """Read the feeds and hub leases, in a thread."""
        feeds, leases = read_feeds(self._path), read_leases(self._path)
        return FeedsOfFile(datetime.now(UTC), tuple(feeds), tuple(leases))
