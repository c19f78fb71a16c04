"""Looks for changes of the archive, once for all streams that follow it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from newsdedup.ports.errors import NewsdedupError
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.reader_pool import ReaderPool

_POLL_SECONDS: Final = 0.5
_HEARTBEAT_SECONDS: Final = 15.0
"""How often a stream without changes sends a sign of life."""
_MOST_STREAMS: Final = 200
_MOST_OF_A_CLIENT: Final = 10
"""Streams of one client, so that it cannot take those of all others."""


class ChangeFeed:
    """Asks the archive for its last change, once for all streams."""

    def __init__(self, pool: ReaderPool) -> None:
        self.last = 0
        """The number of the last change that was seen."""
        self._streams_by_client: Counter[str] = Counter()
        self._pool = pool
        self._changed = asyncio.Condition()

    @property
    def streams(self) -> int:
        """Return how many streams are open."""
        return self._streams_by_client.total()

    async def run(self) -> None:
        """Look for changes while a stream is open, until cancelled."""
        while True:
            if self.streams:
                with suppress(NewsdedupError):
                    await self.update()
            await asyncio.sleep(_POLL_SECONDS)

    async def update(self) -> int:
        """Return the number of the last change, and wake the streams if it is new.

        Raise NewsdedupError if the archive cannot be read.
        """
        last = await self._pool.run(lambda reader: reader.last_change())
        if last != self.last:
            async with self._changed:
                self.last = last
                self._changed.notify_all()
        return last

    async def wait_after(self, change: int) -> bool:
        """Return True when there is a change after this one, False if none comes in 15 s."""
        try:
            async with asyncio.timeout(_HEARTBEAT_SECONDS), self._changed:
                await self._changed.wait_for(lambda: self.last > change)
        except TimeoutError:
            return False
        return True

    @asynccontextmanager
    async def following(self, client: str) -> AsyncIterator[None]:
        """Count a stream of a client during a block; raise RequestRefused if there are too many."""
        if self._streams_by_client[client] >= _MOST_OF_A_CLIENT:
            detail = f"this client follows by {_MOST_OF_A_CLIENT} streams already"
            raise RequestRefused("too-many-requests", detail, Retry_After="60")
        if self.streams >= _MOST_STREAMS:
            detail = f"{_MOST_STREAMS} streams follow already"
            raise RequestRefused("busy", detail, Retry_After="60")
        self._streams_by_client[client] += 1
        try:
            yield
        finally:
            self._streams_by_client[client] -= 1
            if not self._streams_by_client[client]:
                del self._streams_by_client[client]
