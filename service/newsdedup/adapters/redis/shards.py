"""The shards of a namespace, each brought to where home says it is (docs/decisions/0014).

A shard that is behind is given what it is owed. One that may hold what home has lost follows home's
new era: what home does not know is taken back, one commit after the other, before it takes another.
Every step may be made by several workers at once, and by each of them twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.codec import encode_lookups
from newsdedup.adapters.redis.commit_encoding import PendingPart, decode_pending
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.namespace import NO_ERA, Era, begin_era
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.shared_store import Lookup

DONE, ASLEEP, FOREIGN, UNKNOWN = 1, 4, 5, 7
_PENDING_AT_ONCE: Final = 32
"""Commits that a shard is given without asking home again."""


class ShardLost(StateUnusable):
    """A shard misses commits that home no longer remembers, or holds some that it cannot undo."""

    def __init__(self, keys: Keys, shard: int) -> None:
        super().__init__(
            f"redis has lost more of shard {shard} of namespace {keys.namespace!r} than can be "
            "brought back: its verdicts must be rebuilt"
        )


class HomeState(NamedTuple):
    """Where home says that the namespace stands."""

    live: str
    seq: int
    tip: str
    latest: str
    mark: bytes
    generation: int
    born: str
    era: str
    touched: tuple[int, ...]
    """For each shard the number of the latest commit that concerned it."""


class ShardAnswer(NamedTuple):
    """What a shard answered, and as of which commit."""

    era: str
    unsure: bool
    applied: int
    records: Sequence[Sequence[Any]]
    answers: Sequence[Sequence[int]]
    read: Sequence[int]

    def follows_era_of(self, word: HomeState) -> bool:
        """Return whether it holds nothing that home may have lost."""
        return self.era == word.era and not self.unsure

    def is_as_of(self, word: HomeState, shard: int) -> bool:
        """Return whether it holds all that home had taken by then."""
        return self.follows_era_of(word) and self.applied >= word.touched[shard]


class Shards:
    """One worker's way to home and to all shards."""

    def __init__(self, calls: Calls, keys: Keys) -> None:
        self._home = calls
        self._keys = keys
        self._of = [keys.of_shard(shard) for shard in range(keys.shards)]
        self._calls = [calls.at(of.fixed[0]) for of in self._of]

    async def home_state(self, *, after: Era = NO_ERA) -> HomeState:
        """Return where the namespace stands; a home that has just started begins an era."""
        while True:
            answer = await self._home.function("word", self._meta, [self._keys.shards])
            if answer[0] == DONE:
                return _decode_home_state(answer[1:])
            await self.begin(after=after)

    async def begin(self, *, after: Era) -> None:
        """Let an era of a later generation begin, unless one has."""
        await begin_era(self._home, self._keys, after=after)

    async def read(self, shard: int, looks: Sequence[Lookup], live: Sequence[int]) -> ShardAnswer:
        """Return what a shard finds in some spans."""
        names, args = encode_lookups(self._of[shard], looks, live)
        answer = await self._calls[shard].function("read", names, [b"", *args])
        era, unsure, applied, records, answers, read = answer[1:]
        return ShardAnswer(era.decode(), bool(unsure), int(applied), records, answers, read)

    async def apply(self, one: PendingPart, *, era: str, stamp: bytes) -> bool:
        """Return whether a shard has a commit now; if not, it must be brought up first."""
        calls = self._calls[one.shard]
        answer = await calls.function("apply", one.names, one.stamped(era, stamp))
        return bool(answer[0] == DONE)

    async def free(self, shard: int, names: Iterable[str]) -> None:
        """Free some sets of spans that have expired."""
        await self._calls[shard].command("UNLINK", *names)

    async def catch_up(self, shard: int, word: HomeState | None = None) -> None:
        """Bring a shard to where home says it is; raise ShardLost if nobody remembers the way."""
        while not await self._catch_up_once(shard, word or await self.home_state()):
            word = None

    async def _catch_up_once(self, shard: int, word: HomeState) -> bool:
        calls, fixed = self._calls[shard], self._of[shard].fixed
        said = await calls.function("enlist", fixed, [word.era, word.generation])
        if said[0] == FOREIGN:
            # The shard has followed a later home, which has lost that it began an era.
            await self.begin(after=Era("", int(said[1])))
            return False
        applied, tip, unsure, names = said[1:]
        status, *entries = await self._read_pending(shard, applied, tip, word.era)
        if status == ASLEEP:
            return False
        if status == UNKNOWN and unsure and names:
            await calls.function("retract", [*fixed, *names], [word.era, tip])
            return False
        if status != DONE:
            raise ShardLost(self._keys, shard)
        if unsure:
            await calls.function("confirm", fixed, [word.era, tip])
        return await self._apply_pending(shard, word.era, entries[0])

    async def _apply_pending(self, shard: int, era: str, entries: Sequence[Any]) -> bool:
        """Give a shard what it is owed; return whether that was all, as of when home was asked."""
        for _, told in entries:
            fields = _fields(told)
            if not await self.apply(decode_pending(shard, fields), era=era, stamp=fields[b"x"]):
                return False
        return len(entries) < _PENDING_AT_ONCE - 1

    async def _read_pending(self, shard: int, applied: bytes, tip: bytes, era: str) -> Any:
        keys = [*self._meta, self._keys.pending[shard]]
        return await self._home.function("owed", keys, [shard, applied, tip, era, _PENDING_AT_ONCE])

    @property
    def _meta(self) -> tuple[str]:
        return self._keys.fixed[:1]


def _decode_home_state(told: Sequence[bytes | None]) -> HomeState:
    live, seq, tip, latest, mark, generation, born, era, *touched = (one or b"" for one in told)
    return HomeState(
        live.decode(),
        int(seq or 0),
        tip.decode(),
        latest.decode(),
        mark,
        int(generation or 0),
        born.decode(),
        era.decode(),
        tuple(int(one.partition(b" ")[0] or 0) for one in touched),
    )


def _fields(told: Sequence[bytes] | Mapping[bytes, bytes]) -> Mapping[bytes, bytes]:
    if isinstance(told, Mapping):
        return told
    return dict(zip(told[::2], told[1::2], strict=True))
