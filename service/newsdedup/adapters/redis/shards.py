"""Calls of home and of the shards of a namespace, and bringing a shard up to date.

Home decides on commits and stores for each shard those that are pending there
(docs/decisions/0014). A shard that is behind applies them. After home has lost writes, a shard may
hold commits that home does not know: it joins home's new era, and rolls those commits back one by
one before it applies another. Several workers may make each step at once, and repeat it.
"""

from collections.abc import Sequence
from typing import Final

from newsdedup.adapters.redis.calls import Calls, FunctionStatus
from newsdedup.adapters.redis.codec import encode_lookups
from newsdedup.adapters.redis.commit_encoding import PendingPart, decode_pending
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.namespace import NO_ERA, Era, begin_era
from newsdedup.adapters.redis.store import HomeState, ShardAnswer, decode_home_state
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.store import Lookup

_PENDING_AT_ONCE: Final = 32


class ShardLost(StateUnusable):
    """A shard lacks commits that home no longer remembers, or holds some that it cannot undo."""


class Shards:
    """One worker's access to home and to all shards."""

    def __init__(self, calls: Calls, keys: Keys) -> None:
        self._home = calls
        self._keys = keys
        self._of = [keys.of_shard(shard) for shard in range(keys.shards)]
        self.calls = [calls.at(shard.fixed[0]) for shard in self._of]

    async def home_state(self, *, after: Era = NO_ERA) -> HomeState:
        """Return the state of home; begin an era later than `after` if home has been restarted."""
        while True:
            meta = self._keys.fixed[:1]
            answer = await self._home.function("home_state", meta, [self._keys.shards])
            if answer[0] == FunctionStatus.DONE:
                return decode_home_state(answer[1:])
            await begin_era(self._home, self._keys, after=after)

    async def read(self, shard: int, lookups: Sequence[Lookup], live: Sequence[int]) -> ShardAnswer:
        """Return a shard's answer to look-ups in the spans `live`, even if it is behind home.

        Raise Unavailable if the shard does not answer.
        """
        names, args = encode_lookups(self._of[shard], lookups, live)
        answer = await self.calls[shard].function("look_shard", names, [b"", *args])
        era, unsure, applied, records, answers, read = answer[1:]
        return ShardAnswer(era.decode(), bool(unsure), int(applied), records, answers, read)

    async def apply(self, one: PendingPart, *, era: str, stamp: bytes) -> bool:
        """Let a shard apply a commit; return False if it must catch up first.

        `stamp` is what home gave the commit.
        """
        calls = self.calls[one.shard]
        answer = await calls.function("apply", one.names, [one.header, stamp, *one.arguments, era])
        return bool(answer[0] == FunctionStatus.DONE)

    async def catch_up(self, shard: int, home: HomeState | None = None) -> None:
        """Bring a shard to a state of home (None: the present one), or raise ShardLost."""
        while not await self._catch_up_once(shard, home or await self.home_state()):
            home = None

    async def _catch_up_once(self, shard: int, home: HomeState) -> bool:
        """Join home's era, roll back or apply; return whether the shard is now as far as home.

        Raise ShardLost if home no longer has what the shard lacks.
        """
        calls, fixed = self.calls[shard], self._of[shard].fixed
        joined = await calls.function("join_era", fixed, [home.era, home.generation])
        if joined[0] == FunctionStatus.FOREIGN:
            # The shard has followed a later era, which this home has lost.
            await begin_era(self._home, self._keys, after=Era("", int(joined[1])))
            return False
        applied, tip, unsure, names = joined[1:]
        # The next commits that home keeps for the shard, the oldest first.
        names_at_home = [self._keys.fixed[0], self._keys.pending[shard]]
        asked = [shard, applied, tip, home.era, _PENDING_AT_ONCE]
        status, *entries = await self._home.function("pending", names_at_home, asked)
        if status == FunctionStatus.ASLEEP:
            return False
        if status == FunctionStatus.UNKNOWN and unsure and names:
            await calls.function("roll_back", [*fixed, *names], [home.era, tip])
            return False
        if status != FunctionStatus.DONE:
            raise ShardLost(
                f"redis has lost more of shard {shard} of namespace {self._keys.namespace!r} than "
                "can be brought back: its verdicts must be rebuilt"
            )
        if unsure:
            await calls.function("confirm", fixed, [home.era, tip])
        for _, entry in entries[0]:
            # RESP2 sends the fields of a stream entry as a flat list.
            fields = dict(zip(entry[::2], entry[1::2], strict=True))
            pending = decode_pending(shard, fields)
            if not await self.apply(pending, era=home.era, stamp=fields[b"x"]):
                return False
        return len(entries[0]) < _PENDING_AT_ONCE - 1
