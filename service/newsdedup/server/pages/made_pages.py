"""Pages as they were sent, for as long as they are new enough: none is made twice meanwhile."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final, NamedTuple

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.reader_pool import ReaderPool

_LOOK_SECONDS: Final = 0.5
"""How often the archive is asked whether it has changed."""
_MOST_PAGES: Final = 200
"""Pages that are held."""
_MOST_BYTES: Final = 150_000
"""A longer one, such as the JSON of a text of a million characters, is not held."""

MakePage = Callable[[ArchiveReader], bytes]


class MadePage(NamedTuple):
    """A page, and the archive's last change before it was made: a tag of it."""

    change: int
    body: bytes


@dataclass(frozen=True, slots=True)
class _Making:
    change: int
    at: float
    body: asyncio.Task[bytes]


class MadePages:
    """Holds the bodies of pages.

    Readers that ask for one page at one time wait for one query. A page whose making fails is
    not held, and each of those who wait gets the error.
    """

    def __init__(self, pool: ReaderPool, *, clock: Callable[[], float] = monotonic) -> None:
        self._pool = pool
        self._clock = clock
        self._pages: dict[str, _Making] = {}
        self._change = -1
        self._looked_at = float("-inf")
        self._looking = asyncio.Lock()

    async def page(self, key: str, make: MakePage, *, hold_seconds: float) -> MadePage:
        """Return the page of this key: the one that is held, else a new one.

        One is held until the archive has changed, and for `hold_seconds` even then.
        """
        making = self._pages.get(key)
        if making is None or self._clock() - making.at >= hold_seconds:
            change = await self._last_change()
            making = self._pages.get(key)
            old = making is not None and self._clock() - making.at >= hold_seconds
            if making is None or (old and making.change != change):
                making = self._start(key, make, change)
        # Who asked first may go away; the others still wait.
        return MadePage(making.change, await asyncio.shield(making.body))

    def _start(self, key: str, make: MakePage, change: int) -> _Making:
        """Begin to make a page, and let the one go that was made first if there are too many."""
        self._pages.pop(key, None)
        while len(self._pages) >= _MOST_PAGES:
            self._pages.pop(next(iter(self._pages)))
        body = asyncio.create_task(self._pool.run(make))
        making = _Making(change, self._clock(), body)
        self._pages[key] = making
        body.add_done_callback(lambda made: self._drop_unless_held(key, made))
        return making

    def _drop_unless_held(self, key: str, made: asyncio.Task[bytes]) -> None:
        """Drop a page that could not be made, or that is too long to be held."""
        failed = made.cancelled() or made.exception() is not None
        held = self._pages.get(key)
        if (failed or len(made.result()) > _MOST_BYTES) and held and held.body is made:
            del self._pages[key]

    async def _last_change(self) -> int:
        """Return the number of the archive's last change, as it was half a second ago or later."""
        async with self._looking:
            if self._clock() - self._looked_at >= _LOOK_SECONDS:
                self._change = await self._pool.run(lambda reader: reader.last_change())
                self._looked_at = self._clock()
        return self._change
