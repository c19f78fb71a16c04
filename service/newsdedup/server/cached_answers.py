"""A cache of the bodies of answers, each for as long as it is new enough."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final, NamedTuple

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.reader_pool import ReaderPool

_LOOK_SECONDS: Final = 0.5
"""How often the archive is asked whether it has changed."""
_MOST_ANSWERS: Final = 1_000
_MOST_BYTES: Final = 2**20
"""A longer answer, such as the JSON of a text of a million characters, is not cached."""
_MOST_CACHED_BYTES: Final = 16 * 2**20

MakeBody = Callable[[ArchiveReader], bytes]


class Freshness(NamedTuple):
    """For how many seconds an answer is sent though the archive has changed since it was made."""

    fresh: float
    """Without asking whether the archive has changed."""
    stale: float = 0.0
    """While a newer answer is made: requests do not wait for it."""


LIST_FRESHNESS: Final = Freshness(0.5)
DAY_FRESHNESS: Final = Freshness(2.0, 10.0)
"""For the stories of a day by their weight, which every reader asks for."""
SUMS_FRESHNESS: Final = Freshness(10.0, 60.0)
"""For sums over days, which change slowly and take longest."""


class CachedAnswer(NamedTuple):
    """The body of an answer, and the stamp of the archive before it was made."""

    stamp: str
    body: bytes


@dataclass(slots=True)
class _Making:
    """An answer that is being made or is made: since when, and for which stamp of the archive."""

    stamp: str
    at: float
    body: asyncio.Task[bytes]
    size: int = 0
    """Bytes of the body, once it is made."""

    @property
    def is_made(self) -> bool:
        """Return whether there is a body: neither under way, nor failed."""
        return self.body.done() and not self.body.cancelled() and self.body.exception() is None


class CachedAnswers:
    """Caches the bodies of answers, of pages and of the API.

    Requests for the same answer at one time wait for one query. An answer whose making fails is not
    cached, and each request that waits for it gets the error.
    """

    def __init__(
        self,
        pool: ReaderPool,
        *,
        looking: ReaderPool | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Make an empty cache; `looking` asks whether the archive has changed, by default `pool`.

        In a pool of its own that question waits behind no query, and neither do cached answers.
        """
        self._pool = pool
        self._looking_pool = looking or pool
        self._clock = clock
        self._answers: dict[str, _Making] = {}
        """By their keys, the least recently used first."""
        self._bytes = 0
        self._renewals: dict[str, _Making] = {}
        """Answers under way that will replace stale ones."""
        self._stamp = ""
        self._looked_at = float("-inf")
        self._looking = asyncio.Lock()

    async def answer(self, key: str, make: MakeBody, freshness: Freshness) -> CachedAnswer:
        """Return the answer that is cached under a key, else a new one that `make` makes.

        It stays cached until the archive changes, and after that as long as `freshness` allows.
        Raise what `make` raises, and Unavailable if too many queries wait.
        """
        cached = self._answers.pop(key, None)
        if cached is not None:
            self._answers[key] = cached  # now the most recently used
        if cached is None or (cached.body.done() and self._age(cached) >= freshness.fresh):
            stamp = await self._last_stamp()
            cached = self._answers.get(key)
            if cached is None:
                cached = self._start(key, make, stamp)
            elif cached.body.done() and cached.stamp != stamp:
                cached = self._newer(key, make, stamp, cached, freshness)
        # The first request may be cancelled; the others still wait.
        return CachedAnswer(cached.stamp, await asyncio.shield(cached.body))

    def _newer(
        self, key: str, make: MakeBody, stamp: str, cached: _Making, freshness: Freshness
    ) -> _Making:
        """Return what to send for an answer that was made before the archive changed.

        That is `cached` while it is fresh or stale enough, else a new one. `stamp` is that of the
        archive now; a stale answer is renewed in the background.
        """
        if self._age(cached) < freshness.fresh:
            return cached
        if self._age(cached) >= freshness.stale:
            return self._renewals.get(key) or self._start(key, make, stamp)
        if key not in self._renewals:
            making = self._renewals[key] = self._make(make, stamp)
            making.body.add_done_callback(lambda _: self._renew(key, making))
        return cached

    def _start(self, key: str, make: MakeBody, stamp: str) -> _Making:
        """Start the one computation of an answer that several requests wait for."""
        making = self._make(make, stamp)
        self._store(key, making)
        making.body.add_done_callback(lambda _: self._count(key, making))
        return making

    def _make(self, make: MakeBody, stamp: str) -> _Making:
        """Start a query in the pool, uncached as yet; `stamp` is that of the archive before it."""
        return _Making(stamp, self._clock(), asyncio.create_task(self._pool.run(make)))

    def _renew(self, key: str, making: _Making) -> None:
        """Replace a stale answer; if the new one failed, the stale one is kept."""
        del self._renewals[key]
        if making.is_made:
            self._store(key, making)
            self._count(key, making)

    def _store(self, key: str, making: _Making) -> None:
        """Cache an answer as the most recently used, in place of another one under its key."""
        self._remove(key)
        self._answers[key] = making

    def _count(self, key: str, making: _Making) -> None:
        """Count the bytes of a cached answer that is done; remove one that failed or is too long.

        Then remove the least recently used ones while there are too many answers or bytes.
        """
        if self._answers.get(key) is not making:
            return
        if not making.is_made or len(making.body.result()) > _MOST_BYTES:
            self._remove(key)
            return
        making.size = len(making.body.result())
        self._bytes += making.size
        while len(self._answers) > _MOST_ANSWERS or self._bytes > _MOST_CACHED_BYTES:
            self._remove(next(iter(self._answers)))

    def _remove(self, key: str) -> None:
        """Forget the answer under a key, if there is one."""
        if (making := self._answers.pop(key, None)) is not None:
            self._bytes -= making.size

    def _age(self, making: _Making) -> float:
        return self._clock() - making.at

    async def _last_stamp(self) -> str:
        """Return the stamp of the archive, at most half a second old."""
        async with self._looking:
            if self._clock() - self._looked_at >= _LOOK_SECONDS:
                self._stamp = await self._looking_pool.run(lambda reader: reader.stamp())
                self._looked_at = self._clock()
        return self._stamp
