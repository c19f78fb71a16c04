"""Follows an archive for saved searches: finds hits, and sends them to webhooks."""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, Protocol, TypeVar

from newsdedup.archive.reader import ArchiveReader
from newsdedup.ports.errors import NewsdedupError, StateUnusable, Unavailable
from newsdedup.watches.hits import UnsentHit, WatchHit, encode_hit
from newsdedup.watches.watch import Watch, WatchInvalid
from newsdedup.watches.watch_states import problem_of
from newsdedup.watches.watch_store import AT_ONCE, Unsent, WatchPosition, WatchStore
from newsdedup.watches.webhooks import Sender, SendOutcome, wait_before

LOG: Final = logging.getLogger("newsdedup.watches")
_CHANGES: Final = 500
"""Changes of one look at the archive."""
_POLL_SECONDS: Final = 0.5
_PAUSE_SECONDS: Final = 10.0
"""After the archive could not be read."""

_Result = TypeVar("_Result")


class ReadArchive(Protocol):
    """Runs a query of the archive; ReaderPool.run is one."""

    async def __call__(self, query: Callable[[ArchiveReader], _Result], /) -> _Result:
        """Return what the query returns for a reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How often and when a body is sent that was not taken."""

    attempts: int
    first: timedelta
    """The wait after the first attempt; each later one is twice as long."""


class StoreThread:
    """Runs every call of a store in the one thread that opened it."""

    def __init__(self, open_store: Callable[[], WatchStore]) -> None:
        self._open_store = open_store
        self._thread = ThreadPoolExecutor(1, "watches")
        self._store: WatchStore | None = None

    async def run(self, call: Callable[[WatchStore], _Result]) -> _Result:
        """Return what `call` returns for the store; raise what opening it or the call raises."""

        def work() -> _Result:
            self._store = self._store or self._open_store()
            return call(self._store)

        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    @property
    def version(self) -> int:
        """Return a number that grows with each change of the store."""
        return 0 if self._store is None else self._store.version

    async def close(self) -> None:
        """Close the store when all calls have ended."""

        def close() -> None:
            if self._store is not None:
                self._store.close()

        await asyncio.get_running_loop().run_in_executor(self._thread, close)
        self._thread.shutdown()


class Watcher:
    """Finds the hits of all saved searches as the archive changes, and sends them.

    Each hit is stored before anything is said of it, and sent until its webhook has taken it or
    attempts end: a process that is killed sends again what it had not known to be taken, with the
    same id and the same body.
    """

    def __init__(
        self,
        store: StoreThread,
        read: ReadArchive,
        send: Sender,
        *,
        retries: Retries,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        from_beginning: bool = False,
        show: Callable[[WatchHit], None] = lambda _: None,
    ) -> None:
        """Store what the watcher works with.

        A new file begins with the newest change of the archive, or `from_beginning`. `show` gets
        each new hit, before it is stored: after a kill it may get one again.
        """
        self.store = store
        self._read, self._send, self._clock = read, send, clock
        self._retries, self._from_beginning, self._show = retries, from_beginning, show
        self.counts: Counter[str] = Counter()
        """How many attempts were `sent` and `failed`, and how many hits became `dead`."""
        self.behind = 0
        """Changes of the archive that have not been looked at."""
        self.tests: dict[str, tuple[datetime, SendOutcome]] = {}
        """When the webhook of a search was last tested, and how it went."""
        self._tested = 0
        self.unsent = Unsent(0, 0, None)
        """What waits and what is dead, as of the last look."""
        self.ended: NewsdedupError | None = None
        """Why nothing is found and sent any more; None while `run` works."""
        self._due = asyncio.Event()

    async def run(self) -> None:
        """Follow the archive and send until cancelled, or the file fails: `ended` says why."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._follow())
                tasks.create_task(self._deliver())
        except* NewsdedupError as errors:
            self.ended = next(one for one in errors.exceptions if isinstance(one, NewsdedupError))
            LOG.warning("watches_ended reason=%s", self.ended)

    async def problems(self) -> list[str]:
        """Return a line for each search whose webhook fails or has dead letters.

        Raise NewsdedupError if the file cannot be read.
        """
        states = await self.store.run(partial(WatchStore.states, now=self._clock()))
        return [line for line in map(problem_of, states) if line]

    async def check_words(self, watch: Watch) -> None:
        """Raise WatchInvalid if none of the words of a search can be searched for."""
        if await self._read(lambda reader: reader.asks_for_nothing(watch.filter())):
            raise WatchInvalid("no item is searched for by these words: they are too common")

    async def find(self) -> bool:
        """Look at the next changes of the archive; return whether there may be more.

        Raise StateUnusable if the file fails, another NewsdedupError if the archive does.
        """
        position = await self.position()
        watches = await self.store.run(WatchStore.watches)
        filters = [watch.filter() for watch in watches]
        found = await self._archived(
            lambda reader: reader.watched(filters, after=position.change, limit=_CHANGES)
        )
        if found.last < position.change:
            # Another archive in the same file: all of it is looked at, and old items are no news.
            begin = position._replace(change=0, again_until=position.change)
            await self.store.run(partial(WatchStore.begin, position=begin))
            return True
        if found.last == position.change:
            self.behind = 0
            return False
        now, reached = self._clock(), position._replace(change=found.last)

        def store(store: WatchStore) -> list[WatchHit]:
            return store.store(watches, found, reached, now, show=self._show)

        new = await self.store.run(store)
        if new:
            self._due.set()
        last = await self._archived(lambda reader: reader.last_change())
        self.behind = max(0, last - found.last)
        return True

    async def position(self) -> WatchPosition:
        """Return how far this archive was read; a new file begins with its newest change.

        If another file has the path of the archive, all of it is looked at again; old items are no
        news then, unless the watcher reads from the beginning and has read nothing yet.
        """
        archive, last = await self._archived(
            lambda reader: (reader.file_number(), reader.last_change())
        )
        position = await self.store.run(WatchStore.position)
        if position is not None and position.archive == archive:
            return position
        if self._from_beginning and (position is None or position.change == 0):
            begin = WatchPosition(archive, 0, 0)
        elif position is None:
            begin = WatchPosition(archive, last, 0)
        else:
            begin = WatchPosition(archive, 0, last)
        await self.store.run(partial(WatchStore.begin, position=begin))
        return begin

    async def deliver(self) -> bool:
        """Send what is due, and store what became of it; return whether anything was due.

        What becomes due meanwhile is sent, too. Webhooks that fail and those that work have half of
        the attempts each: neither hold up the others.
        """
        under_way: dict[UnsentHit, asyncio.Task[None]] = {}
        was_due = False
        try:
            while True:
                self._due.clear()
                for delivery in [one for one, task in under_way.items() if task.done()]:
                    under_way.pop(delivery).result()
                due = await self.store.run(partial(WatchStore.due, now=self._clock()))
                ids = {one.id for one in under_way}
                for delivery in due:
                    alike = sum(one.failing == delivery.failing for one in under_way)
                    if delivery.id not in ids and alike < AT_ONCE // 2:
                        task = asyncio.create_task(self._attempt(delivery))
                        task.add_done_callback(lambda _: self._due.set())
                        under_way[delivery] = task
                self.unsent = await self.store.run(WatchStore.unsent)
                if not under_way:
                    return was_due
                was_due = True
                await self._due.wait()
        finally:
            for task in under_way.values():
                task.cancel()
            await asyncio.gather(*under_way.values(), return_exceptions=True)

    async def test(self, watch: Watch) -> SendOutcome:
        """Send a test to the webhook of a search, once."""
        now = self._clock()
        hit = WatchHit(
            type="test",
            id=f"test-{secrets.token_hex(8)}",
            watch=watch.name,
            hit_at=now,
            item=None,
            story=None,
        )
        delivery = UnsentHit(
            id=hit.id, watch=watch.name, address=watch.webhook, body=encode_hit(hit), attempts=0
        )
        outcome = await self._send(delivery)
        self.tests[watch.name] = now, outcome
        self._tested += 1
        return outcome

    @property
    def version(self) -> str:
        """Return a text that changes with everything that pages show."""
        return f"{self.store.version}-{self._tested}"

    def lag_seconds(self) -> float:
        """Return how long the oldest hit that waits for its webhook has been found."""
        oldest = self.unsent.oldest
        return 0.0 if oldest is None else max(0.0, (self._clock() - oldest).total_seconds())

    def wake(self) -> None:
        """Let what became due now be sent at once."""
        self._due.set()

    async def _archived(self, query: Callable[[ArchiveReader], _Result]) -> _Result:
        """Return the result of a query; raise Unavailable, not StateUnusable, if the archive fails.

        It is tried again: a sound one may take its place.
        """
        try:
            return await self._read(query)
        except StateUnusable as error:
            raise Unavailable(str(error)) from error

    async def _attempt(self, delivery: UnsentHit) -> None:
        """Send one body and store whether it was taken."""
        outcome = await self._send(delivery)
        if outcome.taken:
            self.counts["sent"] += 1
            await self.store.run(partial(WatchStore.sent, delivery=delivery))
            return
        self.counts["failed"] += 1
        now, again = self._clock(), None
        if delivery.attempts + 1 < self._retries.attempts:
            again = now + wait_before(delivery, self._retries.first)
        else:
            self.counts["dead"] += 1
            LOG.warning(
                "webhook_dead watch=%s id=%s reason=%s",
                delivery.watch,
                delivery.id,
                outcome.problem,
            )
        await self.store.run(lambda store: store.failed(delivery, outcome.problem, now, again))

    async def _follow(self) -> None:
        """Look for changes until cancelled; an archive that cannot be read is tried again."""
        while True:
            try:
                more = await self.find()
            except StateUnusable:
                raise
            except NewsdedupError as error:
                LOG.warning("watches_wait reason=%s", error)
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            if not more:
                await asyncio.sleep(_POLL_SECONDS)

    async def _deliver(self) -> None:
        while True:
            await self.deliver()
            due = await self.store.run(WatchStore.next_due)
            seconds = None if due is None else max(0.05, (due - self._clock()).total_seconds())
            try:
                async with asyncio.timeout(seconds):
                    await self._due.wait()
            except TimeoutError:
                continue
