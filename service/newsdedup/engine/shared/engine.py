"""The use case over a store that several workers share: a batch at a time, committed in chunks.

For each chunk of a batch: look up what its items may concern, decide them one after the other over
a view of the answers, commit. The next chunk is looked up meanwhile. If another worker changed what
was read, the store refuses the commit, and the rest of the batch is looked up and decided again;
nothing of it was published. If a bug is raised meanwhile, the changes that may have raised it are
decided one by one, each over a view of its own, and the one that raises alone is rejected
(ports/isolation.py).
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from typing import Final

from newsdedup.core.events import Event
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.stream_statistics import Observation
from newsdedup.core.model import Micros
from newsdedup.core.stories.commands import UnknownItem
from newsdedup.core.stories.judge import CASCADE_BOUND
from newsdedup.core.stories.window import Watermark
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.deduplicate import LATENESS, Change, Deduplicate
from newsdedup.engine.set_aside import SetAside
from newsdedup.engine.shared.progress import Backoff, BatchResult, Outcome
from newsdedup.engine.shared.view import BatchView, LookupMissing, Prefetch, RowCache
from newsdedup.ports.errors import Rejection, StateMoved, Unavailable, is_bug
from newsdedup.ports.isolation import InternalErrorLimit, decision_stage, internal_error
from newsdedup.ports.store import (
    BatchLedger,
    Commit,
    Lookup,
    LookupResult,
    ObservationLog,
    SharedStore,
    StateChanged,
)
from newsdedup.ports.telemetry import Failpoint, no_failpoint
from newsdedup.ports.tracing import NO_SPAN, Span

LOOKED_UP_AT_ONCE: Final = 32
"""Items of one look-up; more would only block the server (docs/decisions/0009)."""
_CACHED_ROWS: Final = 32_768
"""Rows that a worker caches, of 600 bytes each: as many as it caches decoded records."""
_MOST_PREVIEWS: Final = 5
"""How often an item is looked up anew because workers changed what was read meanwhile."""


@dataclass(kw_only=True, eq=False)
class SharedEngine:
    """Decides batches; several of these, in any number of processes, share one store."""

    rule: Rule
    store: SharedStore
    new_ledger: Callable[[], BatchLedger]
    lateness: Micros = LATENESS
    bound: int = CASCADE_BOUND
    chunk: InitVar[int] = LOOKED_UP_AT_ONCE
    observations: ObservationLog | None = None
    publishes: bool = True
    """Whether events go through the outbox; those of a rule on trial do not."""
    fail: Failpoint = no_failpoint
    set_aside: SetAside = field(default_factory=SetAside, init=False)
    """Entries that can no longer be compared."""
    conflicts: int = field(default=0, init=False)
    """How often another worker was first and a chunk was decided again."""
    watermark: Watermark = field(default_factory=Watermark, init=False)
    """The watermark as this worker last saw it; the store's own one counts."""
    _run_era: tuple[str, int] | None = field(default=None, init=False)
    """Name and generation of the era of the run; None before `begin`: then any will do."""

    def __post_init__(self, chunk: int) -> None:
        """Decide up to `chunk` changes between two commits."""
        by = self.rule.candidate_filter
        self._rows = None if by is None else RowCache(by, size=_CACHED_ROWS)
        self._backoff = Backoff(chunk, seed=self.store.worker)
        recorder = None if self.observations is None else self.observations.recorder
        self._prefetch = Prefetch(self.rule, self.store, recorder)

    async def begin(self) -> None:
        """Begin a run: all that is processed from now on must rest on the server's present era.

        Call it while nothing is being processed, and before the stored positions are read. What
        `process` is given was read behind these positions: in a later era, which may lack what lies
        before, it raises StateMoved until the next run begins.
        """
        while True:
            with suppress(StateMoved):
                seen = await self.store.look(())
                break
        era = seen.version.era, seen.generation
        # The store may have raised StateMoved before, to a check that was made between two runs.
        if era != self._run_era:
            self._forget_observations()
        self._run_era = era

    async def look(self, lookups: Sequence[Lookup]) -> LookupResult:
        """Return what is stored, as the store does; raise StateMoved if its era is not the run's.

        The store raises it only once, to one of those who ask at a time.
        """
        seen = await self.store.look(lookups)
        if self._run_era not in (None, (seen.version.era, seen.generation)):
            raise StateMoved("redis began a new era since the positions were read")
        return seen

    async def process(
        self,
        changes: Sequence[Change],
        *,
        positions: Mapping[str, int] | None = None,
        span: Span = NO_SPAN,
    ) -> BatchResult:
        """Decide a batch, commit it in chunks and return the outcomes in the order of the changes.

        `positions` are end offsets by partition name, stored with the last chunk; `span` gets the
        look-ups, decisions and commits. Raise Unavailable if the server does not answer, or refuses
        too many commits: what was committed until then waits in the outbox, and comes out as
        repeated when the batch is processed again. Raise StateMoved if the server may have lost
        writes, TooManyInternalErrors if too many changes in a row raise bugs.
        """
        try:
            if self.observations is not None:
                await self.observations.catch_up()
            return await self._process(changes, positions or {}, span)
        except StateMoved:
            self._forget_observations()
            raise

    async def preview(self, analyzed: Analyzed) -> list[Event]:
        """Return the events that an item would get now; commit and learn nothing.

        Raise Unavailable if the server does not answer, or workers write faster than this reads.
        """
        for _ in range(_MOST_PREVIEWS):
            try:
                if self.observations is not None:
                    await self.observations.catch_up()
                view, lookups = self.new_view(), self.prefetch([analyzed])
                seen = await self.store.look(lookups)
                view.load(lookups, seen)
                while True:
                    try:
                        return self.deduplicate(view, seen, learns=False).publish(analyzed)
                    except LookupMissing as missing:
                        view.load(missing.lookups, await self.store.look(missing.lookups))
            except StateChanged:
                continue
            except StateMoved:
                # Nothing was written here: begin again with the new state of the server.
                self._forget_observations()
        raise Unavailable("redis: the state changes faster than it can be read")

    def prefetch(self, changes: Sequence[Change]) -> list[Lookup]:
        """Return the look-ups that nearly all changes need; others are made when missed."""
        return self._prefetch.lookups(changes, self.watermark)

    def new_view(self) -> BatchView:
        """Return an empty view for one batch."""
        return BatchView(self.rule, new_ledger=self.new_ledger, rows=self._rows)

    def deduplicate(
        self, view: BatchView, seen: LookupResult, *, learns: bool = True
    ) -> Deduplicate:
        """Return a Deduplicate over a view, as of `seen`; with `learns` its statistics grow."""
        return Deduplicate(
            rule=self.rule,
            store=view,
            ledger=view.ledger,
            lateness=self.lateness,
            bound=self.bound,
            generation=seen.generation,
            watermark=seen.watermark,
            recorder=None if self.observations is None else self.observations.recorder,
            learns=learns,
            set_aside=self.set_aside,
        )

    def new_observations(self) -> list[Observation]:
        """Return and drop what the decisions since the last call add to the stream statistics."""
        return [] if self.observations is None else self.observations.recorder.take_observations()

    async def _process(
        self, changes: Sequence[Change], positions: Mapping[str, int], span: Span
    ) -> BatchResult:
        """Decide and commit all changes; after a refused commit go on behind the last accepted one.

        While other workers interfere, each attempt has one chunk, of a size that `Backoff` gives.
        After a bug each has one change, until those are decided that may have raised it.
        """
        result, backoff = BatchResult(), self._backoff
        limit = InternalErrorLimit()
        isolated_until = 0
        positions_stored = False
        while not positions_stored or len(result.outcomes) < len(changes):
            before = len(result.outcomes)
            # While other workers interfere, one chunk is tried at a time, looked up just before.
            end = len(changes)
            if before < isolated_until:
                end = before + 1
            elif backoff.chunk < backoff.most:  # a recent commit was refused
                end = min(before + backoff.chunk, end)
            last = positions if end == len(changes) else {}
            attempt = _Attempt(self, result, last, span)
            try:
                committed = await attempt.run(changes[before:end], size=backoff.chunk)
            except Unavailable:
                backoff.unanswered()
                raise
            except Exception as error:
                if not is_bug(error) or before == len(changes):
                    raise
                self.fail("isolating")
                if before < isolated_until:
                    outcome = attempt.outcome_of(error)
                    result.outcomes.extend([] if outcome is None else [outcome])
                    limit.check([one.rejection for one in result.outcomes])
                else:
                    # It was raised for the chunk in hand, or as the one before was committed.
                    isolated_until = min(len(result.outcomes) + 2 * backoff.chunk, end)
                continue
            if committed:
                backoff.succeeded()
                positions_stored = end == len(changes)
                continue
            self.conflicts += 1
            await asyncio.sleep(backoff.failed(after_commits=len(result.outcomes) > before))
        backoff.finished()
        return result

    def _forget_observations(self) -> None:
        """Drop the stream statistics; the next batch reads their log from its start."""
        if self.observations is not None:
            self.observations.forget()


class _Attempt:
    """One attempt to decide and commit the rest of a batch, over one view."""

    def __init__(
        self, engine: SharedEngine, result: BatchResult, positions: Mapping[str, int], span: Span
    ) -> None:
        self._engine = engine
        self._span = span
        self._result = result
        self._positions = positions
        self._view = engine.new_view()
        self._own_tokens: list[str] = []
        self._deciding: tuple[Deduplicate, Change] | None = None
        """The change in hand and what decides it; None once all are decided."""
        engine.new_observations()  # drops what an attempt that failed has learned

    async def run(self, changes: Sequence[Change], *, size: int) -> bool:
        """Decide and commit changes in chunks of `size`, looking up the next chunk meanwhile.

        Return False as soon as another worker's commit spoils one; the outcomes of the chunks
        before it are in the result. Raise StateMoved or Unavailable as the store does.
        """
        chunks = [changes[first : first + size] for first in range(0, len(changes) or 1, size)]
        looking = asyncio.ensure_future(self._look_up(self._engine.prefetch(chunks[0])))
        committing: asyncio.Future[bool] | None = None
        first: LookupResult | None = None
        deduplicate: Deduplicate | None = None
        try:
            for number, chunk in enumerate(chunks, 1):
                lookups, seen = await looking
                self._load(lookups, seen)
                first = first or seen
                deduplicate = deduplicate or self._engine.deduplicate(self._view, seen)
                if number < len(chunks):
                    following = self._engine.prefetch(chunks[number])
                    looking = asyncio.ensure_future(self._look_up(following))
                    # Lets the request go out before the work on this chunk begins.
                    await asyncio.sleep(0)
                began = time.time_ns()
                outcomes = [await self._decide(deduplicate, one, lookups) for one in chunk]
                self._span.stage("decide", began, time.time_ns())
                if committing is not None and not await committing:
                    return False
                # Made before the next chunk is decided, whose changes belong to the next commit.
                commit = self._commit(
                    first, deduplicate, outcomes, lookups, last=number == len(chunks)
                )
                committing = asyncio.ensure_future(self._send(commit, outcomes))
            return committing is None or await committing
        except StateChanged:
            return False
        finally:
            left = [task for task in (looking, committing) if task is not None]
            for ended in await asyncio.gather(*left, return_exceptions=True):
                # Raised by one of the two requests alone; without it the caller would go on
                # behind the writes that the server lost.
                if isinstance(ended, StateMoved):
                    raise ended

    async def _look_up(self, lookups: list[Lookup]) -> tuple[list[Lookup], LookupResult]:
        """Return look-ups together with what the store answers to them."""
        began = time.time_ns()
        seen = await self._engine.look(lookups)
        self._span.stage("look up", began, time.time_ns())
        return lookups, seen

    def _load(self, lookups: Sequence[Lookup], seen: LookupResult) -> None:
        """Load the results of look-ups into the view, and add their costs to the batch result."""
        self._result.search_costs.extend(seen.search_costs(lookups))
        self._view.load(lookups, seen)

    async def _decide(
        self, deduplicate: Deduplicate, change: Change, lookups: list[Lookup]
    ) -> Outcome:
        """Return the outcome of a change, deciding it again after each look-up that it lacked.

        The look-ups made for that are appended to `lookups`.
        """
        self._deciding = deduplicate, change
        while True:
            try:
                outcome = Outcome(tuple(deduplicate.apply(change)))
            except UnknownItem as error:
                outcome = Outcome(rejection=Rejection("unknown_item", str(error)))
            except LookupMissing as missing:
                self._load(missing.lookups, await self._engine.look(missing.lookups))
                lookups.extend(missing.lookups)
                continue
            self._deciding = None
            return outcome

    def outcome_of(self, error: Exception) -> Outcome | None:
        """Return the outcome of the only change of this attempt, for which `run` raised a bug.

        None if stored entries were to blame: they are set aside, and it may be tried again.
        """
        rejection = internal_error(error, decision_stage(error))
        if self._deciding is not None:
            deduplicate, change = self._deciding
            if deduplicate.find_unusable(change):
                return None
        return Outcome(rejection=rejection)

    def _commit(
        self,
        first: LookupResult,
        deduplicate: Deduplicate,
        outcomes: Sequence[Outcome],
        lookups: Sequence[Lookup],
        *,
        last: bool,
    ) -> Commit:
        """Return what was decided since the last commit, with everything that it rests upon.

        `first` is the first look-up of this attempt; the `last` commit has the positions.
        """
        view = self._view
        new = [event for one in outcomes for event in one.events if not event.repeated]
        return Commit(
            based_on=first.version,
            own_tokens=tuple(self._own_tokens),
            lookups=[*lookups, *view.presumed_lookups()],
            record_slots=view.record_slots(),
            watermark=deduplicate.watermark,
            floor=view.floor,
            updates=view.updates(),
            events=new if self._engine.publishes else (),
            positions=self._positions if last else {},
            observations=self._engine.new_observations(),
        )

    async def _send(self, commit: Commit, outcomes: Sequence[Outcome]) -> bool:
        """Send a commit; return False if the store refuses it, else add it to the batch result."""
        began = time.time_ns()
        committed = await self._engine.store.commit(commit)
        self._span.stage("commit", began, time.time_ns())
        if committed is None:
            return False
        self._view.committed(commit.updates, committed)
        self._own_tokens.append(committed.token)
        self._engine.watermark = commit.watermark
        self._result.outcomes.extend(outcomes)
        self._result.outbox_numbers.extend(committed.outbox_numbers)
        return True
