"""A namespace over several masters, seen by one worker: as redis_store.py, with more servers.

Home takes a commit or refuses it, atomically; what it takes is given to the shards that it concerns
by whoever comes first. Laws: a look-up tells all shards as of one commit; a commit is stored whole
or not at all, and once, however often it is sent; whoever looks after it finds it in every shard.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.codec import RowCodec
from newsdedup.adapters.redis.codec import watermark as watermark_of
from newsdedup.adapters.redis.committing import DONE, STALE, committed, is_alone
from newsdedup.adapters.redis.eras import Era, Eras
from newsdedup.adapters.redis.held import HeldReader
from newsdedup.adapters.redis.keys import Keys, time_digits, time_of
from newsdedup.adapters.redis.looks import is_meant
from newsdedup.adapters.redis.promise import Owed, Promise
from newsdedup.adapters.redis.settling import spans
from newsdedup.adapters.redis.shards import Shards, Told, Word
from newsdedup.adapters.redis.sweeping import Sweeping
from newsdedup.adapters.redis.waiting import both, together
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

ATTEMPTS: Final = 16
"""How often a look-up tries to see all shards as of one commit while others write."""
PATIENCE: Final = 1
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
        self._eras = Eras(keys.namespace, born)
        self._commits = 0
        self._codec = RowCodec()
        self._reader = HeldReader(rule, self._codec)
        self._applied: dict[int, int] = {}
        """What each shard is known to have, for home to let go of it."""
        self._sweeping = [Sweeping(keys.of(shard)) for shard in range(keys.shards)]
        self._order = asyncio.Lock()
        """A look-up amid a commit of the same worker would find some shards behind others."""

    async def look(self, looks: Sequence[Lookup]) -> LookupResult:
        """Return what is kept, for at most as many items as one call may ask for.

        Raise StateChanged if others write so fast that the shards are never seen as of one commit.
        """
        asking = {shard: self._asked_of(shard, looks) for shard in range(self.keys.shards)}
        asking = {shard: numbers for shard, numbers in asking.items() if numbers}
        async with self._order:
            word, found = await self._one_moment(
                {shard: [looks[n] for n in numbers] for shard, numbers in asking.items()}
            )
        self._applied |= {shard: told.applied for shard, told in found.items()}
        return self._seen(word, looks, [(found[shard], asking[shard]) for shard in asking])

    async def settle(self, commit: Commit) -> CommitResult | None:
        """Store a commit; return None if what it read has changed."""
        async with self._order:
            return await self._settled(commit)

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, as far as was seen, anything kept is as late as this or later."""
        return time_digits(at) <= self._latest

    def _asked_of(self, shard: int, looks: Sequence[Lookup]) -> list[int]:
        """Return the numbers of the look-ups that a shard must answer: of an item only its own."""
        return [
            number
            for number, look in enumerate(looks)
            if look.kind != "item" or look.key is None or self.keys.shard_of(look.key) == shard
        ]

    async def _one_moment(
        self, asking: Mapping[int, Sequence[Lookup]]
    ) -> tuple[Word, dict[int, Told]]:
        """Return where the namespace stands and what the shards answer as of exactly then."""
        found: dict[int, Told] = {}
        for attempt in range(ATTEMPTS):
            live, open_ = self._live, [shard for shard in asking if shard not in found]
            reads = [self.shards.read(shard, asking[shard], spans(live)) for shard in open_]
            word, told = await both(self.shards.word(after=self._eras.seen), together(reads))
            if not self._follows(word):
                await self.shards.begin(after=self._eras.seen)
                continue
            if word.live != live:
                self._live, found = word.live, {}
                continue
            found |= zip(open_, told, strict=True)
            behind = [shard for shard in found if not found[shard].is_as_of(word, shard)]
            if not behind and all(told.applied <= word.seq for told in found.values()):
                return word, found
            lost = [s for s in behind if attempt >= PATIENCE or not found[s].follows(word)]
            await together(self.shards.bring_up(shard, word) for shard in lost)
            found = {shard: told for shard, told in found.items() if shard not in behind}
        raise StateChanged

    def _seen(
        self, word: Word, looks: Sequence[Lookup], found: Sequence[tuple[Told, Sequence[int]]]
    ) -> LookupResult:
        live, self._latest = spans(word.live), word.latest
        answers: list[list[StoredRecord]] = [[] for _ in looks]
        read = [0] * len(looks)
        for told, numbers in found:
            held = [self._reader.held(live, *one) for one in told.records]
            for number, answer, postings in zip(numbers, told.answers, told.read, strict=True):
                read[number] += postings
                records = (held[n - 1] for n in answer)
                answers[number].extend(one for one in records if is_meant(looks[number], one))
        return LookupResult(
            version=StoreVersion(word.seq, word.tip, word.era),
            watermark=watermark_of(word.mark),
            latest=time_of(word.latest),
            generation=word.generation,
            answers=answers,
            read=read,
        )

    def _follows(self, word: Word) -> bool:
        try:
            return self._eras.follow(Era(word.era, word.generation), born=word.born)
        except StateMoved:
            self._applied.clear()
            raise

    async def _settled(self, commit: Commit) -> CommitResult | None:
        self._commits += 1
        token = f"{self.worker}:{self._commits}"
        for sweeping in self._sweeping:
            sweeping.began(spans(self._live))
        call = Promise(
            self.keys, self._rule, self._codec, commit, token=token, live=spans(self._live)
        )
        said = call.said(self._life, applied=self._applied)
        alone = is_alone(self.worker, commit)
        answer = await committed(self.calls, "promise", call, said, alone=alone)
        if answer[0] != DONE:
            if answer[0] == STALE:
                self._live = answer[1].decode()
            return None
        self._live = call.becomes
        _, _, ordinals, sent, stamps = answer
        gifts = zip(call.owed, stamps, strict=True)
        await together(self._give(one, commit.based_on.era, stamp) for one, stamp in gifts)
        await together(self._sweep(shard, call) for shard in range(self.keys.shards))
        numbers = zip(call.placed, ordinals, strict=True)
        places = [RecordPlace(span, ordinal.decode()) for span, ordinal in numbers]
        return CommitResult(token, places, [one.decode() for one in sent])

    async def _give(self, one: Owed, era: str, stamp: bytes) -> None:
        """Give a shard what home has taken for it, unless it has let go of it long ago."""
        # The commit is made. Whoever looks next waits for the shard, and brings it up to date.
        with suppress(Unavailable):
            if stamp and not await self.shards.give(one, era=era, stamp=stamp):
                await self.shards.bring_up(one.shard)

    async def _sweep(self, shard: int, call: Promise) -> None:
        """Free a few sets of expired spans; what is left when a worker dies has its own expiry."""
        live = spans(self._live)
        names = self._sweeping[shard].settled(call.filings(shard), live=live, dropped=call.dropped)
        with suppress(Unavailable):
            if names:
                await self.shards.free(shard, names)
