"""The use case over a store that several workers share: the same Deduplicate, a batch at a time.

Per chunk of a batch: look up what its items may concern, decide them one after the other over a
view of that, commit. The next chunk is looked up meanwhile. If others changed what was read, the
rest of the batch is looked up and decided again: nothing of it was told to anybody.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.verify.lessons import Lesson
from newsdedup.core.model import Micros
from newsdedup.core.stories.acts import UnknownItem
from newsdedup.core.stories.judge import CASCADE_BOUND
from newsdedup.core.stories.window import Watermark
from newsdedup.engine.deduplicate import LATENESS, Analyzed, Deduplicate
from newsdedup.engine.shared.backoff import Backoff
from newsdedup.engine.shared.outcomes import Arrival, BatchResult, Outcome
from newsdedup.engine.shared.prefetch import Prefetch
from newsdedup.engine.shared.view import BatchView, LookupMissing
from newsdedup.ports.errors import StateMoved
from newsdedup.ports.shared_store import (
    BatchLedger,
    Commit,
    LessonLog,
    Lookup,
    LookupResult,
    RecordOverlay,
    SharedStore,
    StateChanged,
)

LOOKED_UP_AT_ONCE = 32
"""Items of one look-up; more would only block the server (0009)."""


class SharedEngine:
    """Judges batches; several of these, in any number of processes, share one store."""

    def __init__(
        self,
        *,
        rule: Rule,
        store: SharedStore,
        new_overlay: Callable[[Rule], RecordOverlay],
        new_ledger: Callable[[], BatchLedger],
        lateness: Micros = LATENESS,
        bound: int = CASCADE_BOUND,
        chunk: int = LOOKED_UP_AT_ONCE,
        lessons: LessonLog | None = None,
        publishes: bool = True,
    ) -> None:
        self.conflicts = 0
        """How often others were first and a chunk was decided again."""
        self.cut_short = 0
        """How many items got a place unjudged because a cascade reached its bound."""
        self.watermark = Watermark()
        """As it was last known here; the one that counts is the store's."""
        self.store = store
        self.rule = rule
        self.lessons = lessons
        self.publishes = publishes
        """Whether events go through the outbox; those of a rule on trial do not."""
        self._new_overlay = new_overlay
        self._new_ledger = new_ledger
        self._lateness = lateness
        self._bound = bound
        self._pace = Backoff(chunk, seed=store.worker)
        self._foresight = Prefetch(rule, store)

    async def begin(self) -> None:
        """Learn where the state stands, before positions are read out of it.

        What it loses after this is told by StateMoved; what it lost before, the positions tell.
        """
        try:
            await self.store.look(())
        except StateMoved:
            self._forget()

    async def process(
        self, arrivals: Sequence[Arrival], *, positions: Mapping[str, int] | None = None
    ) -> BatchResult:
        """Return what a batch makes known; raise Unavailable if it cannot be settled now.

        What was committed before that is told as repeated when the batch comes again, and waits
        in the outbox. The positions are stored in the same step as the last chunk. Raise
        StateMoved where the server may have lost what it was told.
        """
        try:
            if self.lessons is not None:
                await self.lessons.catch_up()
            return await self._judge(arrivals, positions)
        except StateMoved:
            self._forget()
            raise

    def _forget(self) -> None:
        if self.lessons is not None:
            self.lessons.forget()

    async def _judge(
        self, arrivals: Sequence[Arrival], positions: Mapping[str, int] | None
    ) -> BatchResult:
        judged, pace = BatchResult(), self._pace
        if not arrivals:
            # Positions are kept also of records that told nothing.
            await _Attempt(self, judged, positions or {}).over((), size=pace.chunk)
        while len(judged.outcomes) < len(arrivals):
            before = len(judged.outcomes)
            # Where others are at work each chunk is looked at afresh, and nothing ahead of time.
            end = len(arrivals) if pace.alone else min(before + pace.chunk, len(arrivals))
            told = positions or {} if end == len(arrivals) else {}
            if await _Attempt(self, judged, told).over(arrivals[before:end], size=pace.chunk):
                pace.succeeded()
                continue
            self.conflicts += 1
            await asyncio.sleep(pace.failed(after_commits=len(judged.outcomes) > before))
        return judged

    def prefetch(self, arrivals: Sequence[Arrival]) -> list[Lookup]:
        """Return what arrivals will nearly always ask; the rest is looked up when it is asked."""
        return self._foresight.lookups(arrivals, self.watermark)

    def new_view(self) -> BatchView:
        """Return an empty view for one batch."""
        return BatchView(self.rule, new_overlay=self._new_overlay, new_ledger=self._new_ledger)

    def deduplicate(self, view: BatchView, seen: LookupResult) -> Deduplicate:
        """Return the use case over a view, as far as the stream had come when it was looked at."""
        return Deduplicate(
            rule=self.rule,
            store=view,
            ledger=view.ledger,
            lateness=self._lateness,
            bound=self._bound,
            generation=seen.generation,
            watermark=seen.watermark,
            school=None if self.lessons is None else self.lessons.school,
        )


class _Attempt:
    """One go at the rest of a batch, over one view."""

    def __init__(
        self, served: SharedEngine, judged: BatchResult, positions: Mapping[str, int]
    ) -> None:
        self._served = served
        self._judged = judged
        self._positions = positions
        self._view = served.new_view()
        self._own: list[str] = []
        """Tokens of the commits made by this attempt."""
        self._taught()  # what an attempt that failed has taught does not count

    async def over(self, arrivals: Sequence[Arrival], *, size: int) -> bool:
        """Judge and commit chunk by chunk; return False as soon as a commit is refused."""
        chunks = [arrivals[first : first + size] for first in range(0, len(arrivals) or 1, size)]
        looking = self._begin_to_look(chunks[0])
        settling: asyncio.Future[bool] | None = None
        first: LookupResult | None = None
        deduplicate: Deduplicate | None = None
        try:
            for number, chunk in enumerate(chunks, 1):
                looks, seen = await looking
                self._learn(looks, seen)
                first = first or seen
                deduplicate = deduplicate or self._served.deduplicate(self._view, seen)
                if number < len(chunks):
                    looking = self._begin_to_look(chunks[number])
                    # Lets the request go out before the work on this chunk begins.
                    await asyncio.sleep(0)
                outcomes = [await self._decide(deduplicate, one, looks) for one in chunk]
                if settling is not None and not await settling:
                    return False
                # Made here and now: the decisions about the next chunk belong to the next commit.
                commit = self._commit(
                    first, deduplicate, outcomes, looks, last=number == len(chunks)
                )
                settling = asyncio.ensure_future(self._settle(commit, outcomes))
            return settling is None or await settling
        except StateChanged:
            return False
        finally:
            if deduplicate is not None:
                self._served.cut_short += deduplicate.cut_short
            left = [task for task in (looking, settling) if task is not None]
            for ended in await asyncio.gather(*left, return_exceptions=True):
                # It is told once; whoever went on would not go back to what was lost.
                if isinstance(ended, StateMoved):
                    raise ended

    def _begin_to_look(
        self, chunk: Sequence[Arrival]
    ) -> asyncio.Future[tuple[list[Lookup], LookupResult]]:
        return asyncio.ensure_future(self._look(self._served.prefetch(chunk)))

    async def _look(self, looks: list[Lookup]) -> tuple[list[Lookup], LookupResult]:
        return looks, await self._served.store.look(looks)

    def _learn(self, looks: Sequence[Lookup], seen: LookupResult) -> None:
        self._judged.search_costs.extend(seen.search_costs(looks))
        self._view.load(looks, seen)

    async def _decide(
        self, deduplicate: Deduplicate, arrival: Arrival, looks: list[Lookup]
    ) -> Outcome:
        """Return what an arrival makes known; `looks` gains what had to be looked up for it."""
        mark = deduplicate.watermark
        while True:
            try:
                if isinstance(arrival, Analyzed):
                    return deduplicate.publish(arrival)
                return deduplicate.act(arrival)
            except UnknownItem as unknown:
                return unknown
            except LookupMissing as missing:
                deduplicate.watermark = mark
                self._learn(missing.lookups, await self._served.store.look(missing.lookups))
                looks.extend(missing.lookups)

    def _commit(
        self,
        first: LookupResult,
        deduplicate: Deduplicate,
        outcomes: Sequence[Outcome],
        looks: Sequence[Lookup],
        *,
        last: bool,
    ) -> Commit:
        """Return what was decided since the last commit, with all that it rests upon."""
        view = self._view
        told = [event for said in outcomes if isinstance(said, list) for event in said]
        return Commit(
            based_on=first.version,
            own_tokens=tuple(self._own),
            lookups=[*looks, *view.presumed_lookups()],
            places=view.places(),
            watermark=deduplicate.watermark,
            floor=view.floor,
            updates=view.updates(),
            events=[one for one in told if not one.repeated] if self._served.publishes else (),
            positions=self._positions if last else {},
            lessons=self._taught(),
        )

    def _taught(self) -> list[Lesson]:
        lessons = self._served.lessons
        return [] if lessons is None else lessons.school.taken()

    async def _settle(self, commit: Commit, outcomes: Sequence[Outcome]) -> bool:
        committed = await self._served.store.settle(commit)
        if committed is None:
            return False
        self._view.committed(commit.updates, committed)
        self._own.append(committed.token)
        self._served.watermark = commit.watermark
        self._judged.outcomes.extend(outcomes)
        self._judged.outbox_numbers.extend(committed.outbox_numbers)
        return True
