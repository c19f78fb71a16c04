"""A commit as the function `settle` takes it: names of keys, numbers of arguments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from newsdedup.adapters.redis.calls import Calls, CommandPart
from newsdedup.adapters.redis.codec import (
    RowCodec,
    encode_record,
    encode_watermark,
    lookup_addresses,
)
from newsdedup.adapters.redis.keys import Keys, RecordSets, item_address, item_field, time_digits
from newsdedup.adapters.redis.streams import encode_lesson, encode_payload
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.shared_store import Commit, RecordPlace, RecordUpdate

_BUCKETS_PER_SPAN: Final = 2
"""Buckets of the engine in one span, whose keys expire as a whole: two thirds of a window."""
_SPANS_AHEAD: Final = 8
"""Spans that may be kept at once; what is dated beyond them shares one, however wild the dates."""
_FAR_SPAN: Final = 1 << 60
_NO_WATERMARK: Final = -(1 << 60)
"""Before every time there is, and exact as the double that Lua makes of it."""
_ENCODE = msgspec.msgpack.Encoder().encode


class CommitEncoder:
    """One call of `settle`."""

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
        self._codec = codec
        self._keys = keys
        self._rule = rule
        self._commit = commit
        self._token = token
        self._live = live
        self.dropped = [span for span in live if self._is_past(span)]
        self.placed = [self._span(put) for put in commit.updates]
        """The span of each record that is put, in their order."""
        spans = set(self.placed)
        came_from = {put.before.place.span for put in commit.updates if put.before is not None}
        # What stood in a span that is gone needs no care.
        self._spans = sorted(spans | (came_from & set(live) - set(self.dropped)))
        kept = (set(live) | spans) - set(self.dropped)
        self.becomes = join_spans(sorted(kept))
        self.names: list[str] = list(keys.fixed)
        for span in self._spans:
            self.names.extend(keys.span_hashes(span))
        self._numbers: dict[str, int] = {}
        self.arguments: list[CommandPart] = [encode_watermark(commit.watermark)]
        """Values, by the numbers that what is said gives them; two stand before these."""
        self.filed: list[list[int]] = []
        """What those who looked before would have found, once it was said."""
        self.filings: list[tuple[int, Sequence[RecordSets]]] = []
        """In which sets of which span each record stands."""

    def encode(self, life: Micros) -> bytes:
        """Return all but values and reads; `names` and `arguments` are complete after this."""
        puts = zip(self._commit.updates, self.placed, strict=True)
        return _ENCODE(
            {
                **self.encode_header(life),
                "puts": [self._put(put, span) for put, span in puts],
                "filed": self.filed,
                "dropped": [self._drop(span) for span in self.dropped],
            }
        )

    def encode_header(self, life: Micros) -> dict[str, object]:
        """Return what is said of a commit besides its records."""
        commit = self._commit
        mark = commit.watermark.at
        return {
            "live": join_spans(self._live),
            "becomes": self.becomes,
            "era": commit.based_on.era,
            "seen": {"seq": commit.based_on.seq, "tip": commit.based_on.tip},
            "own": list(commit.own_tokens),
            "tip": commit.own_tokens[-1] if commit.own_tokens else commit.based_on.tip,
            "token": self._token,
            "marked": _NO_WATERMARK if mark is None else mark,
            "latest": self._latest(),
            "life": life // 1000,
            "spans": [str(span) for span in self._spans],
            "events": [
                (self.argument(encode_payload(event)), self.argument(event.received))
                for event in commit.events
            ],
            "positions": dict(commit.positions),
            "lessons": [self.argument(encode_lesson(lesson)) for lesson in commit.lessons],
        }

    def encode_moves(self) -> list[dict[str, object]]:
        """Return of each record that is put where it goes and where it was."""
        return [
            self._move(put, span)
            for put, span in zip(self._commit.updates, self.placed, strict=True)
        ]

    def encode_reads(self) -> bytes:
        """Return all that the decisions rest upon."""
        commit = self._commit
        return _ENCODE(
            {
                "places": [_place_name(place) for place in commit.places],
                "looks": [lookup_addresses(self._keys, look) for look in commit.lookups],
            }
        )

    def _is_past(self, span: int) -> bool:
        floor = self._commit.floor
        return floor is not None and (span + 1) * _BUCKETS_PER_SPAN <= floor

    def _latest(self) -> str:
        times = [put.record.entry.effective_at for put in self._commit.updates]
        return time_digits(max(times)) if times else ""

    def _span(self, put: RecordUpdate) -> int:
        """Return where a record belongs; one that keeps its bucket stays where it is."""
        before, floor = put.before, self._commit.floor
        if before is not None and before.bucket == put.bucket and before.place.span in self._live:
            return before.place.span
        span = put.bucket // _BUCKETS_PER_SPAN
        return (
            span if floor is None or span < floor // _BUCKETS_PER_SPAN + _SPANS_AHEAD else _FAR_SPAN
        )

    def _was(self, put: RecordUpdate) -> RecordPlace | None:
        """Return where a record was that is still there."""
        before = put.before
        return None if before is None or before.place.span not in self._spans else before.place

    def _move(self, put: RecordUpdate, span: int) -> dict[str, object]:
        was = self._was(put)
        stays = was is not None and was.span == span
        return {
            "span": self._spans.index(span) + 1,
            "ordinal": was.ordinal if stays and was is not None else "",
            "was": 0 if stays or was is None else self._spans.index(was.span) + 1,
            "had": "" if was is None else was.ordinal,
        }

    def _put(self, put: RecordUpdate, span: int) -> dict[str, object]:
        before, was = put.before, self._was(put)
        stays = was is not None and was.span == span
        filed = self._keys.record_sets(put.record, self._rule)
        former = (
            ()
            if before is None or was is None
            else self._keys.record_sets(before.record, self._rule)
        )
        self.filings.append((span, filed))
        new = self._sets(filed, span)
        old = [] if was is None else self._sets(former, was.span)
        self._note_filed(put, filed, new=not stays, refiled=filed != former)
        return {
            **self._move(put, span),
            "item": self.argument(item_field(put.record.key)),
            "record": self.argument(encode_record(put.record, bucket=put.bucket)),
            "row": self._row(put),
            "unfile": [self._key(name) for name in old if not stays or name not in new],
            "file": [self._key(name) for name in new if not stays or name not in old],
        }

    def _note_filed(
        self, put: RecordUpdate, filed: Sequence[RecordSets], *, new: bool, refiled: bool
    ) -> None:
        """Let those who looked before notice what they would have found."""
        if new:
            self.filed.append([item_address(put.record.key)])
        if new or refiled:
            self.filed.extend(one.addresses for one in filed)

    def _row(self, put: RecordUpdate) -> int:
        if put.rows is None:
            return 0
        return self.argument(self._codec.encode(put.rows)) if put.rows else -1

    def _sets(self, filed: Sequence[RecordSets], span: int) -> list[str]:
        names: list[str] = []
        for one in filed:
            names += self._keys.set_names(one.role, span, one.slots)
        return names

    def _drop(self, span: int) -> dict[str, object]:
        records, items, rows = self._keys.span_hashes(span)
        first = self._key(records)
        self._key(items)
        self._key(rows)
        return {"name": str(span), "first": first}

    def _key(self, name: str) -> int:
        """Return the number of a key, declared once."""
        number = self._numbers.get(name)
        if number is None:
            self.names.append(name)
            number = self._numbers[name] = len(self.names)
        return number

    def argument(self, value: bytes) -> int:
        """Return the number of a value that is sent along."""
        self.arguments.append(value)
        return 2 + len(self.arguments)


def _place_name(place: RecordPlace) -> str:
    """Return a place as the log tells it."""
    return f"{place.span}:{place.ordinal}"


def join_spans(live: Sequence[int]) -> str:
    """Return spans as meta data hold them."""
    return ",".join(map(str, live))


def split_spans(live: str) -> list[int]:
    """Return the spans that may hold records."""
    return [int(span) for span in live.split(",") if span]


_encode_parts = msgspec.msgpack.Encoder().encode
_PARTS: Final = msgspec.msgpack.Decoder(list[bytes])
_NAMES: Final = msgspec.msgpack.Decoder(list[str])


@dataclass(frozen=True, slots=True)
class PendingPart:
    """What a commit means for one shard: a call of `apply`, but for the stamp of home."""

    shard: int
    names: Sequence[str]
    head: bytes
    arguments: Sequence[CommandPart]
    updates: Sequence[int] = ()
    """The numbers of its records among those of the commit, from 1."""

    def stamped(self, era: str, stamp: bytes) -> list[CommandPart]:
        """Return the arguments of `apply` in an era."""
        return [self.head, stamp, *self.arguments, era]


def decode_pending(shard: int, fields: Mapping[bytes, bytes]) -> PendingPart:
    """Return what home kept for a shard."""
    return PendingPart(
        shard, _NAMES.decode(fields[b"n"]), fields[b"s"], [*_PARTS.decode(fields[b"a"])]
    )


class ShardedCommitEncoder:
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
        self._whole = CommitEncoder(keys, rule, codec, commit, token=token, live=live)
        self._shards = {
            shard: CommitEncoder(keys.of_shard(shard), rule, codec, part, token=token, live=live)
            for shard, part in self._parts().items()
        }
        self.names = [*keys.fixed, *keys.pending]
        self.becomes = self._whole.becomes
        self.placed = self._whole.placed
        self.dropped = self._whole.dropped
        self.pending: list[PendingPart] = []
        """What each shard gets, once it was said."""

    @property
    def arguments(self) -> Sequence[CommandPart]:
        """Return the values; complete once it was said."""
        return self._whole.arguments

    def encode(self, life: Micros, *, applied: Mapping[int, int]) -> bytes:
        """Return all but values and reads; `applied` is what each shard is known to have."""
        for shard, part in self._shards.items():
            said = part.encode(life)
            self.pending.append(
                PendingPart(shard, part.names, said, part.arguments, self._numbers(shard))
            )
        return _encode_parts(
            {
                **self._whole.encode_header(life),
                "puts": self._whole.encode_moves(),
                "filed": [one for part in self._shards.values() for one in part.filed],
                "dropped": [str(span) for span in self.dropped],
                "parts": [self._part(one, applied.get(one.shard, 0)) for one in self.pending],
            }
        )

    def filings(self, shard: int) -> Sequence[tuple[int, Sequence[RecordSets]]]:
        """Return in which sets of a shard its records stand, once it was said."""
        part = self._shards.get(shard)
        return () if part is None else part.filings

    def encode_reads(self) -> bytes:
        """Return all that the decisions rest upon."""
        return self._whole.encode_reads()

    def _part(self, one: PendingPart, applied: int) -> dict[str, object]:
        argument = self._whole.argument
        return {
            "shard": one.shard,
            "puts": list(one.updates),
            "applied": applied,
            "names": argument(_encode_parts(list(one.names))),
            "said": argument(one.head),
            "arguments": argument(_encode_parts(list(one.arguments))),
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


STALE, DONE, _READS_NEEDED, ASLEEP = 0, 1, 3, 4
"""What the functions of the library say first."""


async def send_commit(
    calls: Calls,
    function: str,
    call: CommitEncoder | ShardedCommitEncoder,
    said: bytes,
    *,
    alone: bool,
) -> Any:
    """Return what a function says to a commit; a worker that is not alone tells what was read.

    To tell it takes as long as the rest, and a worker that was not alone after all is asked for it.
    """
    names, arguments = call.names, call.arguments
    answer = [_READS_NEEDED]
    if alone:
        answer = await calls.function(function, names, [said, b"", *arguments])
    if answer[0] == _READS_NEEDED:
        answer = await calls.function(function, names, [said, call.encode_reads(), *arguments])
    return answer


def _is_last_writer(worker: str, commit: Commit) -> bool:
    """Return whether, as far as a worker saw, the last to write was itself."""
    return commit.based_on.tip.startswith(f"{worker}:")
