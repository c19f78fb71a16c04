"""The shared store over several Redis masters, seen by one worker; laws: see SharedStore.

Home accepts or refuses a commit, atomically; the shards that it concerns then apply their parts, at
the request of whichever worker comes first. Further laws: a look-up sees all shards as of one
commit, and a commit is seen in every shard by all look-ups after it.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from newsdedup.adapters.redis.calls import Calls, FunctionStatus
from newsdedup.adapters.redis.codec import (
    StoredRecordDecoder,
    ValueCodec,
    decode_watermark,
    select_matches,
)
from newsdedup.adapters.redis.commit_encoding import (
    PendingPart,
    ShardedCommitEncoder,
    is_last_writer,
    send_commit,
)
from newsdedup.adapters.redis.expiry import SpanCleaner
from newsdedup.adapters.redis.keys import Keys, time_digits, time_of
from newsdedup.adapters.redis.namespace import Era, EraTracker
from newsdedup.adapters.redis.shards import HomeState, ShardAnswer, Shards
from newsdedup.adapters.redis.spans import split_spans
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.errors import StateMoved, Unavailable
from newsdedup.ports.shared_store import (
    Commit,
    CommitResult,
    Lookup,
    LookupResult,
    RecordSlot,
    StateChanged,
    StoredRecord,
    StoreVersion,
)

_T = TypeVar("_T")
_S = TypeVar("_S")
_READ_ATTEMPTS: Final = 16
"""How often a look-up tries to see all shards as of one commit while others write."""
_PATIENT_ATTEMPTS: Final = 1
"""Attempts in which a shard that is behind is only read again: mostly its worker is at it."""


class ShardedStore:
    """A namespace with several shards."""

    def __init__(
        self, calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
    ) -> None:
        self.calls = calls
        self.keys = keys
        self.worker = worker
        self.shards = Shards(calls, keys)
        self._rule = rule
        self._life = life
        self._live = ""
        self._latest = ""
        self._eras = EraTracker(keys.namespace, born)
        self._commits = 0
        self._codec = ValueCodec(compressed=keys.format.compressed)
        self._decoder = StoredRecordDecoder(rule, self._codec)
        self._applied: dict[int, int] = {}
        """The latest commit that each shard is known to have: home may forget earlier ones."""
        self._cleaners = [SpanCleaner(keys.of_shard(shard)) for shard in range(keys.shards)]
        self._lock = asyncio.Lock()
        """Keeps look-ups out of this worker's own commits, which would show shards behind."""

    async def look(self, lookups: Sequence[Lookup]) -> LookupResult:
        """Return what is stored in all shards, as of one commit; see SharedStore."""
        by_shard = {shard: self._lookups_of(shard, lookups) for shard in range(self.keys.shards)}
        by_shard = {shard: numbers for shard, numbers in by_shard.items() if numbers}
        async with self._lock:
            home, shard_answers = await self._read_consistently(
                {shard: [lookups[n] for n in numbers] for shard, numbers in by_shard.items()}
            )
        self._applied |= {shard: one.applied for shard, one in shard_answers.items()}
        return self._merge_answers(
            home, lookups, [(shard_answers[shard], by_shard[shard]) for shard in by_shard]
        )

    async def commit(self, commit: Commit) -> CommitResult | None:
        """Store a commit; return None if something that it read has changed since."""
        async with self._lock:
            return await self._commit(commit)

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, as far as was seen, any stored item is as late as this or later."""
        return time_digits(at) <= self._latest

    def _lookups_of(self, shard: int, lookups: Sequence[Lookup]) -> list[int]:
        """Return the indexes of the look-ups that a shard must answer.

        Only the item's shard answers a look-up of an item; all shards answer the others.
        """
        return [
            index
            for index, one in enumerate(lookups)
            if one.kind != "item" or one.key is None or self.keys.shard_of(one.key) == shard
        ]

    async def _read_consistently(
        self, by_shard: Mapping[int, Sequence[Lookup]]
    ) -> tuple[HomeState, dict[int, ShardAnswer]]:
        """Return a state of home and each shard's answer as of exactly that state.

        A shard that is behind is read again, then brought up to date. Raise StateChanged if other
        workers write too fast, StateMoved once after writes may have been lost.
        """
        answers: dict[int, ShardAnswer] = {}
        for attempt in range(_READ_ATTEMPTS):
            live, missing = self._live, [shard for shard in by_shard if shard not in answers]
            reads = [self.shards.read(one, by_shard[one], split_spans(live)) for one in missing]
            home, new = await _gather_two(
                self.shards.home_state(after=self._eras.seen), _gather(reads)
            )
            if not self._follow_era(home):
                await self.shards.begin(after=self._eras.seen)
                continue
            if home.live != live:
                self._live, answers = home.live, {}
                continue
            answers |= zip(missing, new, strict=True)
            behind = [one for one in answers if not answers[one].is_as_of(home, one)]
            if not behind and all(one.applied <= home.seq for one in answers.values()):
                return home, answers
            lagging = [
                one
                for one in behind
                if attempt >= _PATIENT_ATTEMPTS or not answers[one].follows_era_of(home)
            ]
            await _gather(self.shards.catch_up(one, home) for one in lagging)
            answers = {shard: one for shard, one in answers.items() if shard not in behind}
        raise StateChanged

    def _merge_answers(
        self,
        home: HomeState,
        lookups: Sequence[Lookup],
        answers: Sequence[tuple[ShardAnswer, Sequence[int]]],
    ) -> LookupResult:
        """Return the answers of the shards as one result.

        Each answer comes with the indexes of the look-ups that its shard was asked.
        """
        live, self._latest = split_spans(home.live), home.latest
        merged: list[list[StoredRecord]] = [[] for _ in lookups]
        read = [0] * len(lookups)
        for answer, indexes in answers:
            stored = [self._decoder.decode(live, *one) for one in answer.records]
            for index, numbers, postings in zip(indexes, answer.answers, answer.read, strict=True):
                read[index] += postings
                records = (stored[n - 1] for n in numbers)
                merged[index].extend(select_matches(lookups[index], records))
        return LookupResult(
            version=StoreVersion(home.seq, home.tip, home.era),
            watermark=decode_watermark(home.mark),
            latest=time_of(home.latest),
            generation=home.generation,
            answers=merged,
            read=read,
        )

    def _follow_era(self, home: HomeState) -> bool:
        """Return whether this worker may use home's era; if False, it must begin a later one.

        Raise StateMoved if that is a new one; what was known of the shards is dropped then.
        """
        try:
            return self._eras.follow(Era(home.era, home.generation), born=home.born)
        except StateMoved:
            self._applied.clear()
            raise

    async def _commit(self, commit: Commit) -> CommitResult | None:
        """Send a commit to home, then let its shards apply their parts; None if home refuses it."""
        self._commits += 1
        token = f"{self.worker}:{self._commits}"
        live = split_spans(self._live)
        for cleaner in self._cleaners:
            cleaner.note_existing(live)
        call = ShardedCommitEncoder(
            self.keys, self._rule, self._codec, commit, token=token, live=live
        )
        header = call.encode(self._life, applied=self._applied)
        with_reads = not is_last_writer(self.worker, commit)
        answer = await send_commit(self.calls, "settle_home", call, header, with_reads=with_reads)
        if answer[0] != FunctionStatus.DONE:
            if answer[0] == FunctionStatus.STALE:
                self._live = answer[1].decode()
            return None
        self._live = call.becomes
        _, _, ordinals, outbox_numbers, stamps = answer
        parts = zip(call.pending, stamps, strict=True)
        await _gather(self._apply(one, commit.based_on.era, stamp) for one, stamp in parts)
        await _gather(self._free_expired(shard, call) for shard in range(self.keys.shards))
        record_slots = [
            RecordSlot(span, ordinal.decode())
            for span, ordinal in zip(call.placed, ordinals, strict=True)
        ]
        return CommitResult(token, record_slots, [number.decode() for number in outbox_numbers])

    async def _apply(self, one: PendingPart, era: str, stamp: bytes) -> None:
        """Let a shard apply its part of a commit; bring it up to date if it lacks earlier ones.

        An empty stamp means that home knows it as applied. If the shard does not answer, the next
        look-up makes up for this.
        """
        # The commit stands. If this fails, the next look-up brings the shard up to date.
        with suppress(Unavailable):
            if stamp and not await self.shards.apply(one, era=era, stamp=stamp):
                await self.shards.catch_up(one.shard)

    async def _free_expired(self, shard: int, call: ShardedCommitEncoder) -> None:
        """Delete some sets of expired spans; those of a dead worker expire by themselves."""
        names = self._cleaners[shard].after_commit(
            call.filings(shard), live=split_spans(self._live), dropped=call.dropped
        )
        with suppress(Unavailable):
            if names:
                await self.shards.free(shard, names)


async def _gather(work: Iterable[Awaitable[_T]]) -> list[_T]:
    """Await all, then return the results in order or raise the first error."""
    return [_result(one) for one in await asyncio.gather(*work, return_exceptions=True)]


async def _gather_two(first: Awaitable[_T], second: Awaitable[_S]) -> tuple[_T, _S]:
    """Await two of different types, then return both results or raise an error."""
    one, other = await asyncio.gather(first, second, return_exceptions=True)
    return _result(one), _result(other)


def _result(outcome: _T | BaseException) -> _T:
    """Return a result, or raise it if it is an exception."""
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
