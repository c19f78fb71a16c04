"""The use case over a store that several workers share: the same Deduplicate, a batch at a time.

Per chunk of a batch: look up what its items may concern, decide them one after the other over a
view of that, commit. The next chunk is looked up meanwhile. If others changed what was read, the
rest of the batch is looked up and decided again: nothing of it was told to anybody.
"""

import asyncio
from collections.abc import Mapping, Sequence

from newsdedup.adapters.redis.lessons import RedisLessons, encoded
from newsdedup.adapters.redis.outbox import outgoing
from newsdedup.adapters.redis.store import AT_ONCE
from newsdedup.adapters.redis.stores import SharedStore
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.core.stories.acts import UnknownItem
from newsdedup.core.stories.judge import CASCADE_BOUND
from newsdedup.core.stories.window import Watermark
from newsdedup.engine.deduplicate import LATENESS, Analyzed, Deduplicate
from newsdedup.engine.shared.backoff import Pace
from newsdedup.engine.shared.messages import Commit, Look, Seen
from newsdedup.engine.shared.outcomes import Arrival, Judged, Outcome
from newsdedup.engine.shared.prefetch import Foresight
from newsdedup.engine.shared.view import Disturbed, Missing, View
from newsdedup.ports.errors import StateMoved


class Served:
    """Judges batches; several of these, in any number of processes, share one store."""

    def __init__(
        self,
        *,
        rule: Rule,
        store: SharedStore,
        lateness: Micros = LATENESS,
        bound: int = CASCADE_BOUND,
        chunk: int = AT_ONCE,
        lessons: RedisLessons | None = None,
        publishes: bool = True,
    ) -> None:
        self.disturbed = 0
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
        self._lateness = lateness
        self._bound = bound
        self._pace = Pace(chunk, seed=store.worker)
        self._foresight = Foresight(rule, store)

    async def begin(self) -> None:
        """Learn where the state stands, before positions are read out of it.

        What it loses after this is told by StateMoved; what it lost before, the positions tell.
        """
        try:
            await self.store.look(())
        except StateMoved:
            self._forget()

    async def judge(
        self, arrivals: Sequence[Arrival], *, positions: Mapping[str, int] | None = None
    ) -> Judged:
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
    ) -> Judged:
        judged, pace = Judged(), self._pace
        if not arrivals:
            # Positions are kept also of records that told nothing.
            await _Attempt(self, judged, positions or {}).over((), size=pace.size)
        while len(judged.outcomes) < len(arrivals):
            before = len(judged.outcomes)
            # Where others are at work each chunk is looked at afresh, and nothing ahead of time.
            end = len(arrivals) if pace.alone else min(before + pace.size, len(arrivals))
            told = positions or {} if end == len(arrivals) else {}
            if await _Attempt(self, judged, told).over(arrivals[before:end], size=pace.size):
                pace.undisturbed()
                continue
            self.disturbed += 1
            await asyncio.sleep(pace.disturbed(after_commits=len(judged.outcomes) > before))
        return judged

    def looks(self, arrivals: Sequence[Arrival]) -> list[Look]:
        """Return what arrivals will nearly always ask; the rest is looked up when it is asked."""
        return self._foresight.looks(arrivals, self.watermark)

    def deduplicate(self, view: View, seen: Seen) -> Deduplicate:
        """Return the use case over a view, as far as the stream had come when it was looked at."""
        return Deduplicate(
            rule=self.rule,
            store=view,
            ledger=view.rows,
            lateness=self._lateness,
            bound=self._bound,
            generation=seen.generation,
            watermark=seen.watermark,
            school=None if self.lessons is None else self.lessons.school,
        )


class _Attempt:
    """One go at the rest of a batch, over one view."""

    def __init__(self, served: Served, judged: Judged, positions: Mapping[str, int]) -> None:
        self._served = served
        self._judged = judged
        self._positions = positions
        self._view = View(served.rule)
        self._own: list[str] = []
        """Tokens of the commits made by this attempt."""
        self._taught()  # what an attempt that failed has taught does not count

    async def over(self, arrivals: Sequence[Arrival], *, size: int) -> bool:
        """Judge and commit chunk by chunk; return False as soon as a commit is refused."""
        chunks = [arrivals[first : first + size] for first in range(0, len(arrivals) or 1, size)]
        looking = self._begin_to_look(chunks[0])
        settling: asyncio.Future[bool] | None = None
        first: Seen | None = None
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
        except Disturbed:
            return False
        finally:
            if deduplicate is not None:
                self._served.cut_short += deduplicate.cut_short
            left = [task for task in (looking, settling) if task is not None]
            for ended in await asyncio.gather(*left, return_exceptions=True):
                # It is told once; whoever went on would not go back to what was lost.
                if isinstance(ended, StateMoved):
                    raise ended

    def _begin_to_look(self, chunk: Sequence[Arrival]) -> asyncio.Future[tuple[list[Look], Seen]]:
        return asyncio.ensure_future(self._look(self._served.looks(chunk)))

    async def _look(self, looks: list[Look]) -> tuple[list[Look], Seen]:
        return looks, await self._served.store.look(looks)

    def _learn(self, looks: Sequence[Look], seen: Seen) -> None:
        self._judged.searches.extend(seen.searches(looks))
        self._view.learn(looks, seen)

    async def _decide(
        self, deduplicate: Deduplicate, arrival: Arrival, looks: list[Look]
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
            except Missing as missing:
                deduplicate.watermark = mark
                self._learn(missing.looks, await self._served.store.look(missing.looks))
                looks.extend(missing.looks)

    def _commit(
        self,
        first: Seen,
        deduplicate: Deduplicate,
        outcomes: Sequence[Outcome],
        looks: Sequence[Look],
        *,
        last: bool,
    ) -> Commit:
        """Return what was decided since the last commit, with all that it rests upon."""
        view = self._view
        told = [event for said in outcomes if isinstance(said, list) for event in said]
        return Commit(
            seen=first.snapshot,
            own=tuple(self._own),
            looks=[*looks, *view.presumed()],
            places=view.places(),
            watermark=deduplicate.watermark,
            floor=view.floor,
            puts=view.puts(),
            events=outgoing(told) if self._served.publishes else (),
            positions=self._positions if last else {},
            lessons=self._taught(),
        )

    def _taught(self) -> list[bytes]:
        lessons = self._served.lessons
        return [] if lessons is None else [encoded(one) for one in lessons.school.taken()]

    async def _settle(self, commit: Commit, outcomes: Sequence[Outcome]) -> bool:
        committed = await self._served.store.settle(commit)
        if committed is None:
            return False
        self._view.settled(commit.puts, committed)
        self._own.append(committed.token)
        self._served.watermark = commit.watermark
        self._judged.outcomes.extend(outcomes)
        self._judged.sent.extend(committed.sent)
        return True
