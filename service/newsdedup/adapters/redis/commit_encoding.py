"""Encodes a commit as the arguments of the Lua functions `commit` and `commit_home`.

Keys and long values are passed by number: the header of a call, in MessagePack, has the numbers.
Pending commits of shards are stored in this encoding, so its field names must not change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from types import MappingProxyType
from typing import Final

import msgspec

from newsdedup.adapters.formats.event_json import encode_payload
from newsdedup.adapters.redis.calls import CommandPart
from newsdedup.adapters.redis.codec import ValueCodec, encode_msgpack, lookup_addresses
from newsdedup.adapters.redis.keys import Keys, RecordSets, item_address, time_digits
from newsdedup.adapters.redis.spans import is_past, join_spans, span_of, time_to_span
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.store import Commit, RecordSlot, RecordUpdate

_NO_WATERMARK: Final = -(1 << 60)
"""Before every time there is, and exact as the double that Lua makes of it."""

_decode_arguments = msgspec.msgpack.Decoder(list[bytes]).decode
_decode_names = msgspec.msgpack.Decoder(list[str]).decode


Filing = tuple[int, Sequence[RecordSets]]
"""The span of an updated record and the sets that now hold it; a withdrawn one is in none."""

_Posting = tuple[str, int | None]
"""The key of a set, and the tag of a posting in it: None in sets without tags."""


@dataclass(frozen=True, slots=True)
class PendingPart:
    """The part of a commit that one shard has to apply: a call of `apply` without its stamp."""

    shard: int
    names: Sequence[str]
    header: bytes
    arguments: Sequence[CommandPart]
    updates: Sequence[int] = ()
    """The numbers of its records in the commit, from 1."""


def decode_pending(shard: int, fields: Mapping[bytes, bytes]) -> PendingPart:
    """Return the part that home has stored for a shard, from the fields of its stream entry."""
    names, arguments = _decode_names(fields[b"n"]), _decode_arguments(fields[b"a"])
    return PendingPart(shard, names, fields[b"s"], [*arguments])


class CommitEncoder:
    """One call of `commit`; names, arguments, records and filings are complete after `encode`."""

    def __init__(
        self,
        keys: Keys,
        rule: Rule,
        codec: ValueCodec,
        commit: Commit,
        *,
        token: str,
        live: Sequence[int],
        whole: "CommitEncoder | None" = None,
    ) -> None:
        """`whole` is the commit of which this one is a shard's part: it drops the same spans."""
        self._codec = codec
        self._keys = keys
        self._rule = rule
        self._commit = commit
        self._token = token
        self._live = live
        self.placed = [self._span(update) for update in commit.updates]
        """The span of each updated record."""
        spans = set(self.placed)
        past = [span for span in live if is_past(span, floor=commit.floor)]
        # A past span may hold records dated far ahead of it; one that changes stays another commit.
        unused: list[int] = [span for span in past if span not in spans]
        self.dropped: list[int] = unused if whole is None else whole.dropped
        came_from = {one.before.slot.span for one in commit.updates if one.before is not None}
        # Records in dropped spans need not be removed one by one.
        self._spans = sorted(spans | (came_from & set(live) - set(self.dropped)))
        self.becomes = join_spans(sorted((set(live) | spans) - set(self.dropped)))
        """The live spans after this commit."""
        self.names: list[str] = list(keys.fixed)
        for span in self._spans:
            self.names.extend(keys.span_hashes(span))
        self._numbers: dict[str, int] = {}
        self.arguments: list[CommandPart] = [encode_msgpack(commit.watermark)]
        """Values by number; the header and the reads precede them."""
        self.records: list[bytes] = []
        """The encoded records, in the order of the updates."""
        self.filed: list[list[int]] = []
        """Addresses at which other workers' look-ups would now find a record."""
        self.pending: Sequence[PendingPart] = ()
        """The parts of the shards; none without shards."""
        self._filings: list[Filing] = []

    def encode(self, life: Micros) -> bytes:
        """Return the header of the call, in MessagePack, and fill `names` and `arguments`.

        `life` is how long a span lives by the server's clock once the stream has reached it.
        """
        updates = zip(self._commit.updates, self.placed, strict=True)
        return encode_msgpack(
            {
                **self._encode_header(life),
                "puts": [self._encode_update(update, span) for update, span in updates],
                "filed": self.filed,
                "dropped": [self._encode_drop(span) for span in self.dropped],
            }
        )

    def filings(self, shard: int) -> Sequence[Filing]:  # noqa: ARG002 - there is one
        """Return the span and the sets of each updated record, after `encode`."""
        return self._filings

    def _encode_header(self, life: Micros) -> dict[str, object]:
        """Return the fields of the header that do not depend on single records."""
        commit = self._commit
        watermark, window = commit.watermark.at, self._rule.window
        times = [update.record.entry.effective_at for update in commit.updates]
        ahead = [time_to_span(span, commit.watermark, window=window) for span in self._spans]
        return {
            "live": join_spans(self._live),
            "becomes": self.becomes,
            "era": commit.based_on.era,
            "seen": {"seq": commit.based_on.seq, "tip": commit.based_on.tip},
            "own": list(commit.own_tokens),
            "tip": commit.own_tokens[-1] if commit.own_tokens else commit.based_on.tip,
            "token": self._token,
            "marked": _NO_WATERMARK if watermark is None else watermark,
            "latest": time_digits(max(times)) if times else "",
            "life": life // 1000,
            # A span with less left has expired before its latest records leave the window.
            "least": (life - window) // 1000,
            "ahead": [time // 1000 for time in ahead],
            "spans": [str(span) for span in self._spans],
            "events": [
                (self._argument(encode_payload(event)), self._argument(event.received))
                for event in commit.events
            ],
            "positions": dict(commit.positions),
            "lessons": [
                # Without keys as earlier releases write and read them.
                self._argument(encode_msgpack(each if each.keys else each[:-1]))
                for each in commit.observations
            ],
        }

    def encode_reads(self) -> bytes:
        """Return the slots and set addresses that the decisions are based on, in MessagePack."""
        commit = self._commit
        return encode_msgpack(
            {
                "slots": [f"{slot.span}:{slot.ordinal}" for slot in commit.record_slots],
                "looks": [lookup_addresses(self._keys, lookup) for lookup in commit.lookups],
            }
        )

    def _argument(self, value: bytes) -> int:
        """Add an argument; return its number in the call: header and reads are 1 and 2."""
        self.arguments.append(value)
        return 2 + len(self.arguments)

    def _span(self, update: RecordUpdate) -> int:
        """Return the span for a record: that which it is in, if its bucket stays and that lives."""
        before = update.before
        if before is not None and before.bucket == update.bucket and before.slot.span in self._live:
            return before.slot.span
        return span_of(update.bucket, floor=self._commit.floor)

    def _old_slot(self, update: RecordUpdate) -> RecordSlot | None:
        """Return where a record was, None if it is new or its span is dropped."""
        before = update.before
        return None if before is None or before.slot.span not in self._spans else before.slot

    def _encode_move(self, update: RecordUpdate, span: int) -> dict[str, object]:
        """Return a record's new span and its old slot; spans are numbered from 1, 0 for none."""
        was = self._old_slot(update)
        stays = was is not None and was.span == span
        return {
            "span": self._spans.index(span) + 1,
            "ordinal": was.ordinal if stays and was is not None else "",
            "was": 0 if stays or was is None else self._spans.index(was.span) + 1,
            "had": "" if was is None else was.ordinal,
        }

    def _encode_update(self, update: RecordUpdate, span: int) -> dict[str, object]:
        """Return an update as fields of the header; add its values and sets to this call.

        `span` is that in which the record is from now on, not the one in which it was.
        """
        record, before, was = update.record, update.before, self._old_slot(update)
        stays = was is not None and was.span == span
        filed = self._keys.record_sets(record, self._rule)
        former: tuple[RecordSets, ...] = ()
        if before is not None and was is not None:
            former = self._keys.record_sets(before.record, self._rule)
        self._filings.append((span, filed))
        # 0 leaves the ledger rows as they are, -1 deletes them.
        rows, row = update.rows or None, 0 if update.rows is None else -1
        new = self._postings(filed, span)
        old = [] if was is None else self._postings(former, was.span)
        unfiled = [one for one in old if not stays or one not in new]
        newly = [one for one in new if not stays or one not in old]
        if not stays:
            self.filed.append([item_address(record.key)])
        if not stays or filed != former:
            self.filed.extend(one.addresses for one in filed)
        self.records.append(self._codec.encode_record(record, bucket=update.bucket))
        return {
            **self._encode_move(update, span),
            "item": self._argument(self._keys.item_field(record.key)),
            "record": self._argument(self.records[-1]),
            "row": row if rows is None else self._argument(self._codec.encode_rows(rows)),
            "unfile": [self._key(name) for name, tag in unfiled if tag is None],
            "file": [self._key(name) for name, tag in newly if tag is None],
            "untag": [(self._key(name), tag) for name, tag in unfiled if tag is not None],
            "tag": [(self._key(name), tag) for name, tag in newly if tag is not None],
        }

    def _postings(self, filed: Sequence[RecordSets], span: int) -> list[_Posting]:
        """Return the postings of a record in these sets of a span."""
        return [
            posting
            for one in filed
            for posting in zip(
                self._keys.set_names(one.role, span, one.slots),
                one.tags or repeat(None),
                strict=False,
            )
        ]

    def _encode_drop(self, span: int) -> dict[str, object]:
        """Return a dropped span as fields of the header, and declare the keys of its hashes."""
        first, *_ = [self._key(name) for name in self._keys.span_hashes(span)]
        return {"name": str(span), "first": first}

    def _key(self, name: str) -> int:
        """Return the number of a key in the call, adding it to `names` at its first use."""
        number = self._numbers.get(name)
        if number is None:
            self.names.append(name)
            number = self._numbers[name] = len(self.names)
        return number


class ShardedCommitEncoder(CommitEncoder):
    """One call of `commit_home`: what home stores, and the pending part of each shard."""

    applied: Mapping[int, int] = MappingProxyType({})
    """The latest commit that each shard is known to have."""

    def encode(self, life: Micros) -> bytes:
        """Return the header of the call, in MessagePack, and fill `pending` and `arguments`.

        `life` is how long a span lives by the server's clock once the stream has reached it.
        """
        self.names = [*self._keys.fixed, *self._keys.pending]
        self._shards = {
            shard: CommitEncoder(
                self._keys.of_shard(shard),
                self._rule,
                self._codec,
                part,
                token=self._token,
                live=self._live,
                whole=self,
            )
            for shard, part in self._split().items()
        }
        self.pending = [
            PendingPart(shard, part.names, part.encode(life), part.arguments, self._updates(shard))
            for shard, part in self._shards.items()
        ]
        by_number = {
            number: record
            for shard, part in self._shards.items()
            for number, record in zip(self._updates(shard), part.records, strict=True)
        }
        self.records = [by_number[number] for number in sorted(by_number)]
        updates = zip(self._commit.updates, self.placed, strict=True)
        return encode_msgpack(
            {
                **self._encode_header(life),
                "puts": [self._encode_move(update, span) for update, span in updates],
                "filed": [one for part in self._shards.values() for one in part.filed],
                "dropped": [str(span) for span in self.dropped],
                "parts": [
                    {
                        "shard": one.shard,
                        "puts": list(one.updates),
                        "applied": self.applied.get(one.shard, 0),
                        "names": self._argument(encode_msgpack(list(one.names))),
                        "header": self._argument(one.header),
                        "arguments": self._argument(encode_msgpack(list(one.arguments))),
                    }
                    for one in self.pending
                ],
            }
        )

    def filings(self, shard: int) -> Sequence[Filing]:
        """Return the span and the sets of each updated record of a shard, after `encode`."""
        part = self._shards.get(shard)
        return () if part is None else part.filings(shard)

    def _split(self) -> dict[int, Commit]:
        """Return the commit of each shard with updates; dropping a span concerns all shards."""
        updates = self._commit.updates
        touched = {self._keys.shard_of(update.record.key) for update in updates}
        rest = replace(
            self._commit, events=(), observations=(), positions={}, lookups=(), record_slots=()
        )
        return {
            shard: replace(rest, updates=[updates[n - 1] for n in self._updates(shard)])
            for shard in (range(self._keys.shards) if self.dropped else sorted(touched))
        }

    def _updates(self, shard: int) -> list[int]:
        """Return the numbers, from 1, of the updates whose items a shard stores."""
        return [
            number
            for number, update in enumerate(self._commit.updates, 1)
            if self._keys.shard_of(update.record.key) == shard
        ]
