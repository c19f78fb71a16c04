"""A commit as the function `promise` takes it: what home keeps, and what it owes to each shard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from newsdedup.adapters.redis.calls import Part
from newsdedup.adapters.redis.codec import RowCodec
from newsdedup.adapters.redis.keys import Filed, Keys
from newsdedup.adapters.redis.settling import Settling
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.shared_store import Commit

_ENCODE = msgspec.msgpack.Encoder().encode
_PARTS: Final = msgspec.msgpack.Decoder(list[bytes])
_NAMES: Final = msgspec.msgpack.Decoder(list[str])


@dataclass(frozen=True, slots=True)
class Owed:
    """What a commit means for one shard: a call of `apply`, but for the stamp of home."""

    shard: int
    names: Sequence[str]
    said: bytes
    arguments: Sequence[Part]
    puts: Sequence[int] = ()
    """The numbers of its records among those of the commit, from 1."""

    def stamped(self, era: str, stamp: bytes) -> list[Part]:
        """Return the arguments of `apply` in an era."""
        return [self.said, stamp, *self.arguments, era]


def owed(shard: int, fields: Mapping[bytes, bytes]) -> Owed:
    """Return what home kept for a shard."""
    return Owed(shard, _NAMES.decode(fields[b"n"]), fields[b"s"], [*_PARTS.decode(fields[b"a"])])


class Promise:
    """One call of `promise`."""

    def __init__(
        self,
        keys: Keys,
        rule: Rule,
        codec: RowCodec,
        commit: Commit,
        *,
        token: str,
        live: Sequence[int],
    ) -> None:
        self._keys = keys
        self._commit = commit
        self._whole = Settling(keys, rule, codec, commit, token=token, live=live)
        self._shards = {
            shard: Settling(keys.of(shard), rule, codec, part, token=token, live=live)
            for shard, part in self._parts().items()
        }
        self.names = [*keys.fixed, *keys.owed]
        self.becomes = self._whole.becomes
        self.placed = self._whole.placed
        self.dropped = self._whole.dropped
        self.owed: list[Owed] = []
        """What each shard gets, once it was said."""

    @property
    def arguments(self) -> Sequence[Part]:
        """Return the values; complete once it was said."""
        return self._whole.arguments

    def said(self, life: Micros, *, applied: Mapping[int, int]) -> bytes:
        """Return all but values and reads; `applied` is what each shard is known to have."""
        for shard, part in self._shards.items():
            said = part.said(life)
            self.owed.append(Owed(shard, part.names, said, part.arguments, self._numbers(shard)))
        return _ENCODE(
            {
                **self._whole.frame(life),
                "puts": self._whole.moves(),
                "filed": [one for part in self._shards.values() for one in part.filed],
                "dropped": [str(span) for span in self.dropped],
                "parts": [self._part(one, applied.get(one.shard, 0)) for one in self.owed],
            }
        )

    def filings(self, shard: int) -> Sequence[tuple[int, Sequence[Filed]]]:
        """Return in which sets of a shard its records stand, once it was said."""
        part = self._shards.get(shard)
        return () if part is None else part.filings

    def reads(self) -> bytes:
        """Return all that the decisions rest upon."""
        return self._whole.reads()

    def _part(self, one: Owed, applied: int) -> dict[str, object]:
        argument = self._whole.argument
        return {
            "shard": one.shard,
            "puts": list(one.puts),
            "applied": applied,
            "names": argument(_ENCODE(list(one.names))),
            "said": argument(one.said),
            "arguments": argument(_ENCODE(list(one.arguments))),
        }

    def _parts(self) -> dict[int, Commit]:
        """Return of each shard that is touched its part; a span is dropped in all of them."""
        touched = {self._shard(nth) for nth in range(len(self._commit.updates))}
        shards = range(self._keys.shards) if self._whole.dropped else sorted(touched)
        whole = replace(self._commit, events=(), lessons=(), positions={}, lookups=(), places=())
        return {
            shard: replace(
                whole, updates=[self._commit.updates[nth - 1] for nth in self._numbers(shard)]
            )
            for shard in shards
        }

    def _numbers(self, shard: int) -> list[int]:
        count = len(self._commit.updates)
        return [nth + 1 for nth in range(count) if self._shard(nth) == shard]

    def _shard(self, nth: int) -> int:
        return self._keys.shard_of(self._commit.updates[nth].record.key)
