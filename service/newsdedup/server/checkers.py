"""What items are checked against: the state of a run, a run of this process, Redis, nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import cached_property
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.files.paths import FileIdentity, file_identity
from newsdedup.adapters.sqlite.state_replica import StateReplica
from newsdedup.core.events import Event, ItemRef, Judgement, Retraction
from newsdedup.core.model import NewsItem
from newsdedup.engine.analyzer import Analyzed, ItemAnalyzer
from newsdedup.engine.arrivals import Arrival, BatchAnalysis, decode_records
from newsdedup.engine.collector import freeze_now, freeze_survivors
from newsdedup.engine.comparison import ItemComparison
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.engine.local_decisions import HalfApplied, decide_arrival, preview_arrival
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import Rejection, StateUnusable
from newsdedup.ports.isolation import decision_stage, internal_error
from newsdedup.ports.streams import Decoder
from newsdedup.runners.intake.engine_output import EngineOutput
from newsdedup.runners.intake.record_output import record_lines
from newsdedup.server.reader_pool import Precedence

_Result = TypeVar("_Result")


class ItemRefusal(Struct, frozen=True):
    """Why a record can be no item; docs/items.md lists the codes."""

    code: str
    reason: str


class CheckResult(Struct, frozen=True, kw_only=True):
    """What newsdedup makes of one record that was sent."""

    item: ItemRef | None = None
    """The source and id that the item has or was given; None for a record that is no item."""
    refusal: ItemRefusal | None = None
    """Set where there is no verdict."""
    known: bool = False
    """Whether this version was judged before; then this is the verdict that it got."""
    judgement: Judgement | None = None
    corrections: tuple[Judgement, ...] = ()
    """New verdicts on other items: a late original takes over its copies."""
    retracted: bool = False
    """Whether the record withdrew the item."""


class CheckResults(Struct, frozen=True):
    """A result for each record, in their order."""

    results: tuple[CheckResult, ...]


CompareItems = Callable[[NewsItem, NewsItem], Awaitable[ItemComparison]]
"""Returns two items as the rule of the server compares them; nothing is stored."""


class Checker(Protocol):
    """Judges items without storing anything."""

    async def check(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record, each judged as if it came alone and now.

        Raise Unavailable, StateUnusable or SourceUnusable if the state cannot be read.
        """


def _result_of(events: Sequence[Event], rejection: Rejection | None) -> CheckResult:
    """Return the result of one record, from its events or, if it was rejected, its rejection."""
    if rejection is not None:
        return CheckResult(refusal=ItemRefusal(rejection.code, rejection.reason))
    judgements = [one.payload for one in events if isinstance(one.payload, Judgement)]
    retractions = [one.payload for one in events if isinstance(one.payload, Retraction)]
    if retractions:
        return CheckResult(item=retractions[0].item, retracted=True, corrections=tuple(judgements))
    known = bool(events) and events[0].repeated
    new = (one for one in judgements if one.event == "item.judged")
    own = next(new, judgements[0] if known else None)
    return CheckResult(
        item=None if own is None else own.item,
        known=known,
        judgement=own,
        corrections=tuple([one for one in judgements if one is not own]),
    )


def _results_of(arrivals: Sequence[Arrival[Line]]) -> list[CheckResult]:
    return [_result_of(one.events, one.rejection) for one in arrivals]


class JudgingThread:
    """The one thread in which items are analyzed and compared, alongside the event loop.

    The analyzer is made when it is first used: its dictionaries take a second to load.
    """

    def __init__(
        self,
        decoder: Decoder[Line],
        make_analyzer: Callable[[], ItemAnalyzer],
        precedence: Precedence | None = None,
    ) -> None:
        self._precedence = precedence or Precedence()
        self._decoder = decoder
        self._make_analyzer = make_analyzer
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="judging")

    @cached_property
    def analyzer(self) -> ItemAnalyzer:
        """Return the analyzer of items; call it in the thread only."""
        return self._make_analyzer()

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Return what `work` returns in the thread, after earlier work; raise what it raises."""
        with self._precedence.first():
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def analyze(self, records: Sequence[bytes]) -> list[Arrival[Line]]:
        """Return the records decoded and analyzed, or rejected; call it in the thread only."""
        arrivals = decode_records(record_lines(records), self._decoder)
        BatchAnalysis(self.analyzer).analyze(arrivals)
        return arrivals

    async def close(self) -> None:
        """End the thread when its work is done."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)


class MutualChecker:
    """Judges the items of one request against each other, in their order, and forgets them."""

    def __init__(self, thread: JudgingThread, new_engine: Callable[[], Deduplicate]) -> None:
        self._thread = thread
        self._new_engine = new_engine

    async def check(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record; a command changes the items before it."""
        return await self._thread.run(lambda: self._judge(records))

    def _judge(self, records: Sequence[bytes]) -> list[CheckResult]:
        """Judge records by a new engine; if a record fails half applied, judge again without it."""
        arrivals = self._thread.analyze(records)
        while True:
            engine = self._new_engine()
            try:
                for arrival in arrivals:
                    decide_arrival(arrival, engine)
            except HalfApplied as failed:
                failed.arrival.set_aside(failed.rejection)
            else:
                return _results_of(arrivals)


class ReplicaChecker:
    """Checks against the state of a run that another process may be writing.

    The state is opened with the first check, and anew where its file was replaced.
    """

    def __init__(
        self,
        path: Path,
        thread: JudgingThread,
        open_replica: Callable[[], StateReplica],
        make_engine: Callable[[StateReplica], Deduplicate],
    ) -> None:
        self._path = path
        self._thread = thread
        self._open_replica = open_replica
        self._make_engine = make_engine
        self._replica: StateReplica | None = None
        self._engine: Deduplicate | None = None
        self._file: FileIdentity | None = None

    async def check(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record, by what was last committed; raise as `Checker` does."""
        return await self._thread.run(lambda: self._preview(records))

    async def close(self) -> None:
        """Close the state."""
        await self._thread.run(self._close)

    def _preview(self, records: Sequence[bytes]) -> list[CheckResult]:
        """Return the results of records, of which nothing is stored; call it in the thread only."""
        arrivals = self._thread.analyze(records)
        # The state after the analysis, which has loaded its tables with the first check: what both
        # have left is given back at once.
        engine = self._refreshed()
        for arrival in arrivals:
            preview_arrival(arrival, engine)
        return _results_of(arrivals)

    def _refreshed(self) -> Deduplicate:
        """Return an engine over the last committed state; raise what opening or reading raises."""
        file = file_identity(self._path)
        if self._replica is not None and file != self._file:
            self._close()
        if self._replica is None:
            self._replica, self._file = self._open_replica(), file
        if self._replica.refresh() or self._engine is None:
            is_new, self._engine = self._engine is None, self._make_engine(self._replica)
            # Collections over the records of a window would hold up everything for half a second.
            freeze_now() if is_new else freeze_survivors()
        return self._engine

    def _close(self) -> None:
        if self._replica is not None:
            self._replica.close()
        self._replica = self._engine = None


class EngineKeeper:
    """Checks and keeps items in the run of this process; who opened the run closes it."""

    def __init__(self, output: EngineOutput) -> None:
        self._output = output

    async def check(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record, by what the run has judged until now."""
        return _results_of(await self._output.preview(records))

    async def keep(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record when all are committed and their events written.

        Raise StateUnusable or SinkUnusable if they cannot be.
        """
        return _results_of(await self._output.judge(records))


class SharedChecker:
    """Checks against the window that the workers of a stream share in Redis.

    Its connection is opened with the first check, and anew after an attempt that failed.
    """

    def __init__(
        self,
        thread: JudgingThread,
        open_engine: Callable[[], AbstractAsyncContextManager[SharedEngine]],
    ) -> None:
        self._thread = thread
        self._open_engine = open_engine
        self._stack = AsyncExitStack()
        self._engine: SharedEngine | None = None
        self._turn = asyncio.Lock()

    async def check(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record, by what the workers have committed until now.

        Raise Unavailable if Redis does not answer, StateUnusable if the namespace is missing or
        was made by other settings.
        """
        arrivals = await self._thread.run(lambda: self._thread.analyze(records))
        for arrival in arrivals:
            if arrival.analyzed is not None:
                try:
                    arrival.events = tuple(await self._events(arrival.analyzed))
                except Exception as error:  # noqa: BLE001 - a bug costs the item, not the list
                    arrival.set_aside(internal_error(error, decision_stage(error)))
        return _results_of(arrivals)

    async def _events(self, analyzed: Analyzed) -> list[Event]:
        """Return the events that an item would cause; calls take turns; raise as `check` does."""
        # The log of observations is read by one call at a time.
        async with self._turn:
            if self._engine is None:
                self._engine = await self._stack.enter_async_context(self._open_engine())
            try:
                return await self._engine.preview(analyzed)
            except StateUnusable:
                # As after `newsdedup rebuild`: the next check opens the new namespace.
                await self.close()
                raise

    async def close(self) -> None:
        """Close the connection; the next check opens another one."""
        self._engine = None
        await self._stack.aclose()
