"""Answers as they were sent, for as long as they are new enough: none is made twice meanwhile."""

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
"""Answers that are held."""
_MOST_BYTES: Final = 2**20
"""A longer one, such as the JSON of a text of a million characters, is not held."""
_MOST_HELD_BYTES: Final = 32 * 2**20
"""Of all that are held."""

MakeBody = Callable[[ArchiveReader], bytes]


class Freshness(NamedTuple):
    """For how many seconds an answer is sent though the archive has changed since it was made."""

    fresh: float
    """Without looking whether it has."""
    stale: float = 0.0
    """While a newer one is made: nobody waits for that one then."""


LIST_FRESHNESS: Final = Freshness(0.5)
SUMS_FRESHNESS: Final = Freshness(10.0, 60.0)
"""Of sums over days: they change slowly, and take longest."""


class HeldAnswer(NamedTuple):
    """The body of an answer, and the stamp of the archive before it was made: a tag of it."""

    stamp: str
    body: bytes


@dataclass(slots=True)
class _Making:
    stamp: str
    at: float
    body: asyncio.Task[bytes]
    size: int = 0
    """Bytes of the body, once it is held."""

    @property
    def is_made(self) -> bool:
        """Return whether there is a body; one that failed is none."""
        return self.body.done() and not self.body.cancelled() and self.body.exception() is None


class HeldAnswers:
    """Holds the bodies of answers, of pages and of the API.

    Clients that ask for the same at one time wait for one query. An answer whose making fails is
    not held, and each of those who wait gets the error.
    """

    def __init__(self, pool: ReaderPool, *, clock: Callable[[], float] = monotonic) -> None:
        self._pool = pool
        self._clock = clock
        self._held: dict[str, _Making] = {}
        """By what was asked, the one that was asked for longest ago first."""
        self._bytes = 0
        self._renewals: dict[str, _Making] = {}
        """What takes the place of a stale answer when it is made."""
        self._stamp = ""
        self._looked_at = float("-inf")
        self._looking = asyncio.Lock()

    async def answer(self, key: str, make: MakeBody, freshness: Freshness) -> HeldAnswer:
        """Return the answer of this key: the one that is held, else a new one.

        One is held until the archive has changed, and as long as its freshness allows even then.
        """
        held = self._held.pop(key, None)
        if held is not None:
            self._held[key] = held  # the last to be let go
        if held is None or (held.body.done() and self._age(held) >= freshness.fresh):
            stamp = await self._last_stamp()
            held = self._held.get(key)
            if held is None:
                held = self._start(key, make, stamp)
            elif held.body.done() and held.stamp != stamp:
                held = self._newer(key, make, stamp, held, freshness)
        # Who asked first may go away; the others still wait.
        return HeldAnswer(held.stamp, await asyncio.shield(held.body))

    def _newer(
        self, key: str, make: MakeBody, stamp: str, held: _Making, freshness: Freshness
    ) -> _Making:
        """Return what to send in place of an answer that the archive has left behind."""
        if self._age(held) < freshness.fresh:
            return held
        if self._age(held) >= freshness.stale:
            return self._renewals.get(key) or self._start(key, make, stamp)
        if key not in self._renewals:
            making = self._renewals[key] = self._make(make, stamp)
            making.body.add_done_callback(lambda _: self._renew(key, making))
        return held

    def _start(self, key: str, make: MakeBody, stamp: str) -> _Making:
        """Start the one computation of an answer that several requests wait for."""
        making = self._make(make, stamp)
        self._hold(key, making)
        making.body.add_done_callback(lambda _: self._weigh(key, making))
        return making

    def _make(self, make: MakeBody, stamp: str) -> _Making:
        return _Making(stamp, self._clock(), asyncio.create_task(self._pool.run(make)))

    def _renew(self, key: str, making: _Making) -> None:
        """Hold an answer that was made anew; if that failed, the stale one stays to its end."""
        del self._renewals[key]
        if making.is_made:
            self._hold(key, making)
            self._weigh(key, making)

    def _hold(self, key: str, making: _Making) -> None:
        """Hold an answer in place of the one before it, which may be under way."""
        self._let_go(key)
        self._held[key] = making

    def _weigh(self, key: str, making: _Making) -> None:
        """Let an answer go that could not be made or is too long, and the oldest of too many."""
        if self._held.get(key) is not making:
            return
        if not making.is_made or len(making.body.result()) > _MOST_BYTES:
            self._let_go(key)
            return
        making.size = len(making.body.result())
        self._bytes += making.size
        while len(self._held) > _MOST_ANSWERS or self._bytes > _MOST_HELD_BYTES:
            self._let_go(next(iter(self._held)))

    def _let_go(self, key: str) -> None:
        """Forget an answer, if it is held."""
        if (making := self._held.pop(key, None)) is not None:
            self._bytes -= making.size

    def _age(self, making: _Making) -> float:
        return self._clock() - making.at

    async def _last_stamp(self) -> str:
        """Return the stamp of the archive, as it was half a second ago or later."""
        async with self._looking:
            if self._clock() - self._looked_at >= _LOOK_SECONDS:
                self._stamp = await self._pool.run(lambda reader: reader.stamp())
                self._looked_at = self._clock()
        return self._stamp
