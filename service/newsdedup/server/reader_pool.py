"""Threads that read the archive, each with a connection of its own.

One slow query then holds up no other, and neither do queries hold up the event loop.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, Final, TypeVar

from newsdedup.archive.reader import ArchiveReader
from newsdedup.ports.errors import StateUnusable, Unavailable

_JOIN_SECONDS: Final = 2.0
"""How long the end of the server waits for queries; their threads do not keep the process."""
_MOST_WAITING: Final = 1_000
"""Queries that may wait for a thread."""
_GIVES_WAY_SECONDS: Final = 0.02
"""How long a query may wait at once for work that goes first."""
_GIVES_WAY_IN_ALL_SECONDS: Final = 0.06
"""How long it may wait before it begins and between its steps together."""

_Result = TypeVar("_Result")
_Query = tuple["Future[Any]", Callable[[ArchiveReader], Any]]


class Precedence:
    """Lets short work of another thread go before queries: the interpreter runs one at a time.

    A query waits before it begins and between its steps, 20 ms at once and 60 in all.
    """

    def __init__(self) -> None:
        self._going = 0
        self._free = Event()
        self._free.set()

    @contextmanager
    def first(self) -> Iterator[None]:
        """Let what is done in the block go first; only the event loop calls it."""
        self._going += 1
        self._free.clear()
        try:
            yield
        finally:
            self._going -= 1
            if not self._going:
                self._free.set()

    def give_way(self, seconds: float) -> float:
        """Wait while something goes first, at most for `seconds`; return for how many."""
        if self._free.is_set():
            return 0.0
        begin = monotonic()
        self._free.wait(seconds)
        return monotonic() - begin


class _Turn:
    """One thread's query, which gives way to what goes first."""

    def __init__(self, precedence: Precedence) -> None:
        self._precedence = precedence
        self._left = 0.0

    def begin(self) -> None:
        """Give way before a query, and let it do so between its steps."""
        self._left = _GIVES_WAY_IN_ALL_SECONDS
        self.give_way()

    def give_way(self) -> None:
        """Give way, unless the query has waited long enough."""
        if self._left > 0:
            self._left -= self._precedence.give_way(min(self._left, _GIVES_WAY_SECONDS))


class ReaderPool:
    """Runs queries of an archive in a few threads.

    A thread opens its reader with its first query, and anew after an error of the file or when
    another file has its path: an archive that is put in place later is read without a new start.
    """

    def __init__(
        self,
        open_reader: Callable[[], ArchiveReader],
        *,
        threads: int,
        precedence: Precedence | None = None,
    ) -> None:
        self._open_reader = open_reader
        self._precedence = precedence or Precedence()
        self._queries: SimpleQueue[_Query | None] = SimpleQueue()
        self._damage: tuple[ArchiveReader, StateUnusable] | None = None
        self._threads = [
            Thread(target=self._serve, name=f"archive-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """Return how many queries wait for a thread."""
        return self._queries.qsize()

    @property
    def damage(self) -> str:
        """Return the last error of a query that met damage in this file; "" if none has."""
        if self._damage is None or self._damage[0].is_replaced():
            return ""
        return str(self._damage[1])

    async def run(self, query: Callable[[ArchiveReader], _Result]) -> _Result:
        """Return what `query` returns for a reader, and raise what it raises.

        The reader is for that call alone: what it returns must be values. Raise Unavailable if too
        many queries wait.
        """
        if self._queries.qsize() >= _MOST_WAITING:
            raise Unavailable("too many queries wait for the archive")
        answer: Future[_Result] = Future()
        self._queries.put((answer, query))
        return await asyncio.wrap_future(answer)

    async def close(self) -> None:
        """End the threads when their queries are answered, or after 2 s without."""
        end = monotonic() + _JOIN_SECONDS
        for _ in self._threads:
            self._queries.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join, max(0.0, end - monotonic()))

    def _serve(self) -> None:
        """Answer queries in one thread, until the pool is closed."""
        reader: ArchiveReader | None = None
        turn = _Turn(self._precedence)
        while (waiting := self._queries.get()) is not None:
            answer, query = waiting
            turn.begin()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                if reader is not None and reader.is_replaced():
                    reader.close()
                    reader = None
                if reader is None:
                    reader = self._open_reader()
                    reader.give_way = turn.give_way
                answer.set_result(query(reader))
            except Exception as error:  # noqa: BLE001 - it is raised where the query was asked
                if isinstance(error, StateUnusable) and reader is not None:
                    self._damage = (reader, error)
                    reader.close()
                    reader = None
                answer.set_exception(error)
        if reader is not None:
            reader.close()
