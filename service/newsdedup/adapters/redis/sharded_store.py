"""A namespace over several masters, seen by one worker: as redis_store.py, with more servers.

Home takes a commit or refuses it, atomically; what it takes is given to the shards that it concerns
by whoever comes first. Laws: a look-up tells all shards as of one commit; a commit is stored whole
or not at all, and once, however often it is sent; whoever looks after it finds it in every shard.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.codec import RowCodec, StoredRecordDecoder, is_match
from newsdedup.adapters.redis.codec import decode_watermark as watermark_of
from newsdedup.adapters.redis.commit_encoding import (
    DONE,
    STALE,
    PendingPart,
    ShardedCommitEncoder,
    _is_last_writer,
    send_commit,
    split_spans,
)
from newsdedup.adapters.redis.expiry import SpanCleaner
from newsdedup.adapters.redis.keys import Keys, time_digits, time_of
from newsdedup.adapters.redis.namespace import Era, EraTracker
from newsdedup.adapters.redis.shards import HomeState, ShardAnswer, Shards
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.errors import StateMoved, Unavailable
from newsdedup.ports.shared_store import (
    Commit,
    CommitResult,
    Lookup,
    LookupResult,
    RecordPlace,
    StateChanged,
    StoredRecord,
    StoreVersion,
)

_T = TypeVar("_T")
_S = TypeVar("_S")
_READ_ATTEMPTS: Final = 16
"""How often a look-up tries to see all shards as of one commit while others write."""
_PATIENT_ATTEMPTS: Final = 1
"""Attempts in which a shard that is behind is only asked again: it is mostly being written to."""


class ShardedStore:
    """One namespace with several shards."""

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
        self._codec = RowCodec()
        self._reader = StoredRecordDecoder(rule, self._codec)
        self._applied: dict[int, int] = {}
        """What each shard is known to have, for home to let go of it."""
        self._sweeping = [SpanCleaner(keys.of_shard(shard)) for shard in range(keys.shards)]
        self._order = asyncio.Lock()
        """A look-up amid a commit of the same worker would find some shards behind others."""

    async def look(self, looks: Sequence[Lookup]) -> LookupResult:
        """Return what is kept, for at most as many items as one call may ask for.

        Raise StateChanged if others write so fast that the shards are never seen as of one commit.
        """
        asking = {shard: self._lookups_of(shard, looks) for shard in range(self.keys.shards)}
        asking = {shard: numbers for shard, numbers in asking.items() if numbers}
        async with self._order:
            word, found = await self._read_consistently(
                {shard: [looks[n] for n in numbers] for shard, numbers in asking.items()}
            )
        self._applied |= {shard: told.applied for shard, told in found.items()}
        return self._merge_answers(word, looks, [(found[shard], asking[shard]) for shard in asking])

    async def settle(self, commit: Commit) -> CommitResult | None:
        """Store a commit; return None if what it read has changed."""
        async with self._order:
            return await self._commit(commit)

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, as far as was seen, anything kept is as late as this or later."""
        return time_digits(at) <= self._latest

    def _lookups_of(self, shard: int, looks: Sequence[Lookup]) -> list[int]:
        """Return the numbers of the look-ups that a shard must answer: of an item only its own."""
        return [
            number
            for number, look in enumerate(looks)
            if look.kind != "item" or look.key is None or self.keys.shard_of(look.key) == shard
        ]

    async def _read_consistently(
        self, asking: Mapping[int, Sequence[Lookup]]
    ) -> tuple[HomeState, dict[int, ShardAnswer]]:
        """Return where the namespace stands and what the shards answer as of exactly then."""
        found: dict[int, ShardAnswer] = {}
        for attempt in range(_READ_ATTEMPTS):
            live, open_ = self._live, [shard for shard in asking if shard not in found]
            reads = [self.shards.read(shard, asking[shard], split_spans(live)) for shard in open_]
            word, told = await _gather_two(
                self.shards.home_state(after=self._eras.seen), _gather(reads)
            )
            if not self._follow_era(word):
                await self.shards.begin(after=self._eras.seen)
                continue
            if word.live != live:
                self._live, found = word.live, {}
                continue
            found |= zip(open_, told, strict=True)
            behind = [shard for shard in found if not found[shard].is_as_of(word, shard)]
            if not behind and all(told.applied <= word.seq for told in found.values()):
                return word, found
            lost = [
                s
                for s in behind
                if attempt >= _PATIENT_ATTEMPTS or not found[s].follows_era_of(word)
            ]
            await _gather(self.shards.catch_up(shard, word) for shard in lost)
            found = {shard: told for shard, told in found.items() if shard not in behind}
        raise StateChanged

    def _merge_answers(
        self,
        word: HomeState,
        looks: Sequence[Lookup],
        found: Sequence[tuple[ShardAnswer, Sequence[int]]],
    ) -> LookupResult:
        live, self._latest = split_spans(word.live), word.latest
        answers: list[list[StoredRecord]] = [[] for _ in looks]
        read = [0] * len(looks)
        for told, numbers in found:
            held = [self._reader.decode(live, *one) for one in told.records]
            for number, answer, postings in zip(numbers, told.answers, told.read, strict=True):
                read[number] += postings
                records = (held[n - 1] for n in answer)
                answers[number].extend(one for one in records if is_match(looks[number], one))
        return LookupResult(
            version=StoreVersion(word.seq, word.tip, word.era),
            watermark=watermark_of(word.mark),
            latest=time_of(word.latest),
            generation=word.generation,
            answers=answers,
            read=read,
        )

    def _follow_era(self, word: HomeState) -> bool:
        try:
            return self._eras.follow(Era(word.era, word.generation), born=word.born)
        except StateMoved:
            self._applied.clear()
            raise

    async def _commit(self, commit: Commit) -> CommitResult | None:
        self._commits += 1
        token = f"{self.worker}:{self._commits}"
        for sweeping in self._sweeping:
            sweeping.note_existing(split_spans(self._live))
        call = ShardedCommitEncoder(
            self.keys, self._rule, self._codec, commit, token=token, live=split_spans(self._live)
        )
        said = call.encode(self._life, applied=self._applied)
        alone = _is_last_writer(self.worker, commit)
        answer = await send_commit(self.calls, "promise", call, said, alone=alone)
        if answer[0] != DONE:
            if answer[0] == STALE:
                self._live = answer[1].decode()
            return None
        self._live = call.becomes
        _, _, ordinals, sent, stamps = answer
        gifts = zip(call.pending, stamps, strict=True)
        await _gather(self._apply(one, commit.based_on.era, stamp) for one, stamp in gifts)
        await _gather(self._free_expired(shard, call) for shard in range(self.keys.shards))
        numbers = zip(call.placed, ordinals, strict=True)
        places = [RecordPlace(span, ordinal.decode()) for span, ordinal in numbers]
        return CommitResult(token, places, [one.decode() for one in sent])

    async def _apply(self, one: PendingPart, era: str, stamp: bytes) -> None:
        """Give a shard what home has taken for it, unless it has let go of it long ago."""
        # The commit is made. Whoever looks next waits for the shard, and brings it up to date.
        with suppress(Unavailable):
            if stamp and not await self.shards.apply(one, era=era, stamp=stamp):
                await self.shards.catch_up(one.shard)

    async def _free_expired(self, shard: int, call: ShardedCommitEncoder) -> None:
        """Free a few sets of expired spans; what is left when a worker dies has its own expiry."""
        live = split_spans(self._live)
        names = self._sweeping[shard].after_commit(
            call.filings(shard), live=live, dropped=call.dropped
        )
        with suppress(Unavailable):
            if names:
                await self.shards.free(shard, names)


async def _gather(work: Iterable[Awaitable[_T]]) -> list[_T]:
    """Return what all of them return; raise the first error after the last has ended."""
    return [_result(one) for one in await asyncio.gather(*work, return_exceptions=True)]


async def _gather_two(first: Awaitable[_T], second: Awaitable[_S]) -> tuple[_T, _S]:
    """Return what two of different kinds return; raise an error after both have ended."""
    one, other = await asyncio.gather(first, second, return_exceptions=True)
    return _result(one), _result(other)


def _result(outcome: _T | BaseException) -> _T:
    """Return an outcome that is no error."""
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
