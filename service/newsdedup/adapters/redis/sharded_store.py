"""The shared store over several Redis masters, seen by one worker; laws: see SharedStore.

Home accepts or refuses a commit, atomically; the shards that it concerns then apply their parts, at
the request of whichever worker comes first. Further laws: a look-up sees all shards as of one
commit, and a commit is seen in every shard by all look-ups after it.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.commit_encoding import (
    CommitEncoder,
    PendingPart,
    ShardedCommitEncoder,
)
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.namespace import begin_era
from newsdedup.adapters.redis.shards import Shards
from newsdedup.adapters.redis.spans import SpanCleaner, split_spans
from newsdedup.adapters.redis.store import READ_ATTEMPTS, HomeState, RedisStore, ShardAnswer
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.errors import StateMoved, Unavailable
from newsdedup.ports.store import (
    Commit,
    CommitResult,
    Lookup,
    LookupResult,
    SharedStore,
    StateChanged,
)

_PATIENT_ATTEMPTS: Final = 1
"""Attempts in which a shard that is behind is only read again: mostly its worker is at it."""


class ShardedStore(RedisStore):
    """A namespace with several shards."""

    commit_function = "commit_home"

    def __init__(
        self, calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
    ) -> None:
        super().__init__(calls, keys, rule, worker=worker, life=life, born=born)
        self.shards = Shards(calls, keys)
        self._applied: dict[int, int] = {}
        """The latest commit that each shard is known to have: home may forget earlier ones."""
        self._cleaners = [SpanCleaner(keys.of_shard(shard)) for shard in range(keys.shards)]
        self._lock = asyncio.Lock()
        """Keeps look-ups out of this worker's own commits, which would show shards behind."""

    async def look(self, lookups: Sequence[Lookup]) -> LookupResult:
        """Return what is stored in all shards, as of one commit; raise as SharedStore does."""
        by_shard = {shard: self._lookups_of(shard, lookups) for shard in range(self.keys.shards)}
        by_shard = {shard: numbers for shard, numbers in by_shard.items() if numbers}
        requests = {shard: [lookups[n] for n in numbers] for shard, numbers in by_shard.items()}
        async with self._lock:
            for _ in range(READ_ATTEMPTS):
                home, answers = await self._read_consistently(requests)
                complete = await _gather(
                    self._complete(home, one, self.shards.calls[shard], self.keys.of_shard(shard))
                    for shard, one in answers.items()
                )
                if all(one is not None for one in complete):
                    break
            else:
                raise StateChanged
        self._applied |= {shard: one.applied for shard, one in answers.items()}
        return self._merge_answers(
            home,
            lookups,
            [(one, by_shard[shard]) for shard, one in zip(answers, complete, strict=True)],
        )

    async def commit(self, commit: Commit) -> CommitResult | None:
        """Store a commit; return None if what it read has changed. Raise Unavailable as `look`."""
        async with self._lock:
            return await super().commit(commit)

    def _lookups_of(self, shard: int, lookups: Sequence[Lookup]) -> list[int]:
        """Return the indexes of the look-ups that a shard must answer: of items only its own."""
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
        for attempt in range(READ_ATTEMPTS):
            live, missing = self._live, [shard for shard in by_shard if shard not in answers]
            reads = [self.shards.read(one, by_shard[one], split_spans(live)) for one in missing]
            home: HomeState
            home, *new = await _gather([self.shards.home_state(after=self._era), *reads])
            if not self._follow_era(home):
                await begin_era(self.calls, self.keys, after=self._era)
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

    def _follow_era(self, home: HomeState) -> bool:
        """Return whether this worker may use home's era; forget the shards when a new one began."""
        try:
            return super()._follow_era(home)
        except StateMoved:
            self._applied.clear()
            raise

    def _encoder(self, commit: Commit, token: str, live: Sequence[int]) -> CommitEncoder:
        """Return the encoder of a commit, which knows the latest commit of each shard."""
        codec = self._codec
        call = ShardedCommitEncoder(self.keys, self._rule, codec, commit, token=token, live=live)
        call.applied = self._applied
        return call

    async def _finish(self, call: CommitEncoder, answer: Sequence[Any], *, era: str) -> None:
        """Let the shards apply their parts of a stored commit, then free expired sets."""
        parts = zip(call.pending, answer[4], strict=True)
        await _gather(self._apply(one, era, stamp) for one, stamp in parts)
        calls = enumerate(self.shards.calls)
        await _gather(self._free_expired(shard, each, call) for shard, each in calls)

    async def _apply(self, one: PendingPart, era: str, stamp: bytes) -> None:
        """Let a shard apply its part of a commit; bring it up to date if it lacks earlier ones.

        An empty stamp means that home knows it as applied. If the shard does not answer, the next
        look-up makes up for this.
        """
        # The commit is made: if this fails, the next look-up brings the shard up to date.
        with suppress(Unavailable):
            if stamp and not await self.shards.apply(one, era=era, stamp=stamp):
                await self.shards.catch_up(one.shard)


async def _gather(work: Iterable[Awaitable[Any]]) -> list[Any]:
    """Await all at once; return their results in order, or raise the first error after all end."""
    results = await asyncio.gather(*work, return_exceptions=True)
    failed = [one for one in results if isinstance(one, BaseException)]
    if failed:
        raise failed[0]
    return results


def redis_store(
    calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
) -> SharedStore:
    """Return the SharedStore of one worker over an open namespace.

    `life` is how long its keys live by the server's clock, `born` the id of the namespace.
    """
    kind = RedisStore if keys.shards == 1 else ShardedStore
    return kind(calls, keys, rule, worker=worker, life=life, born=born)
