"""Records and rows to bytes and back, as Redis keeps them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import zstandard

from newsdedup.adapters.redis.calls import CommandPart
from newsdedup.adapters.redis.keys import (
    ROLE_NUMBERS,
    Keys,
    Role,
    WeightedSets,
    item_address,
    item_field,
    order_digits,
    set_address,
    time_digits,
)
from newsdedup.core.matching.prefix import HITS, IndexKeys, are_candidates
from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.shared_store import LedgerRow, Lookup, RecordPlace, StoredRecord

_ORDER_DIGITS = 20
"""Digits of the effective time in front of a record: the server compares them, no more."""
_CACHED_RECORDS = 16_384
"""Decoded records kept by a worker: leaders of hot stories come with every look-up."""


class _EncodedRecord(NamedTuple):
    """A record and the bucket with which it expires."""

    bucket: int
    record: Record


class DecodedRow(NamedTuple):
    """A record as it was read, with the keys under which it is filed."""

    bucket: int
    record: Record
    filing: IndexKeys


_ENCODER = msgspec.msgpack.Encoder()
_RECORD_DECODER = msgspec.msgpack.Decoder(_EncodedRecord)
_ROWS = msgspec.msgpack.Decoder(tuple[LedgerRow, ...])
_WATERMARK = msgspec.msgpack.Decoder(Watermark)


def encode_record(record: Record, *, bucket: int) -> bytes:
    """Return a record as it is kept."""
    return order_digits(record.entry).encode() + _ENCODER.encode(_EncodedRecord(bucket, record))


def record_decoder(rule: Rule) -> Callable[[bytes], DecodedRow]:
    """Return what reads records; the same bytes are decoded once while they are remembered."""

    @lru_cache(maxsize=_CACHED_RECORDS)
    def read(data: bytes) -> DecodedRow:
        try:
            bucket, record = _RECORD_DECODER.decode(memoryview(data)[_ORDER_DIGITS:])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise StateUnusable(f"a record in Redis is damaged: {error}") from error
        return DecodedRow(bucket, record, rule.index_keys(record.entry))

    return read


class RowCodec:
    """Rows to bytes and back, packed: texts are most of what is kept, and halve at little cost.

    Not for several threads at once, as the packer is not.
    """

    def __init__(self) -> None:
        self._packer = zstandard.ZstdCompressor(level=1)
        self._unpacker = zstandard.ZstdDecompressor()

    def encode(self, rows: Sequence[LedgerRow]) -> bytes:
        """Return all rows of an item as they are kept."""
        return self._packer.compress(_ENCODER.encode(rows))

    def decode(self, data: bytes) -> tuple[LedgerRow, ...]:
        """Return the rows of an item; raise StateUnusable if the bytes hold none."""
        if not data:
            return ()
        try:
            return _ROWS.decode(self._unpacker.decompress(data))
        except (msgspec.DecodeError, UnicodeDecodeError, zstandard.ZstdError) as error:
            raise StateUnusable(f"a judgement in Redis is damaged: {error}") from error


def encode_watermark(watermark: Watermark) -> bytes:
    """Return a watermark as it is kept."""
    return _ENCODER.encode(watermark)


def decode_watermark(data: bytes) -> Watermark:
    """Return the watermark that was kept, a new one where there is none."""
    return _WATERMARK.decode(data) if data else Watermark()


class StoredRecordDecoder:
    """Reads what one worker is told."""

    def __init__(self, rule: Rule, codec: RowCodec) -> None:
        self._read = record_decoder(rule)
        self._codec = codec

    def decode(
        self, live: Sequence[int], span: int, ordinal: bytes, data: bytes, row: bytes | None = None
    ) -> StoredRecord:
        """Return a record with its place; spans are told by their numbers among the live ones."""
        bucket, record, filing = self._read(data)
        place = RecordPlace(live[span - 1], ordinal.decode())
        return StoredRecord(
            record, bucket, filing, place, None if row is None else self._codec.decode(row)
        )


_LOOKUP_ROLES: Final[dict[str, Role]] = {"leaders": "l", "members": "m", "followers": "f"}
_encode_lookups = msgspec.msgpack.Encoder().encode


def encode_lookups(
    keys: Keys, looks: Sequence[Lookup], live: Sequence[int]
) -> tuple[list[str], list[CommandPart]]:
    """Return the keys that look-ups read, and what is asked; one argument stands before it."""
    names = [*keys.fixed, *(name for span in live for name in keys.span_hashes(span))]
    items: list[bytes] = []
    said: list[dict[str, object]] = []
    for one in looks:
        if one.kind == "item" and one.key is not None:
            items.append(item_field(one.key))
            said.append({"item": 2 + len(items)})
            continue
        role = _LOOKUP_ROLES[one.kind]
        sets = _sets_of_lookup(keys, one)
        said.append(
            {
                "first": len(names) + 1,
                "weights": sets.weights,
                "since": "" if one.since is None else time_digits(one.since),
            }
        )
        for span in live:
            names.extend(keys.set_names(role, span, sets.slots))
    return names, [_encode_lookups({"spans": len(live), "looks": said}), *items]


def _sets_of_lookup(keys: Keys, look: Lookup) -> WeightedSets:
    """Return the sets that a search reads."""
    if look.kind == "followers" and look.key is not None:
        return WeightedSets([keys.followers(look.key)], [HITS])
    return keys.search_sets(look.filing, _LOOKUP_ROLES[look.kind])


def lookup_addresses(keys: Keys, look: Lookup) -> list[int]:
    """Return what a look-up read as the log of commits tells it: addresses, each with a weight."""
    if look.kind == "item" and look.key is not None:
        return [item_address(look.key), HITS]
    role = ROLE_NUMBERS[_LOOKUP_ROLES[look.kind]]
    sets = zip(*_sets_of_lookup(keys, look), strict=True)
    return [number for slot, weight in sets for number in (set_address(role, slot), weight)]


def is_match(look: Lookup, held: StoredRecord) -> bool:
    """Return whether a record is what a look-up meant: others stand in the same sets."""
    record = held.record
    match look.kind:
        case "item":
            return record.key == look.key
        case "followers":
            return record.leader == look.key and not record.leads
        case "leaders":
            return record.leads and are_candidates(look.filing, held.filing)
        case "members":
            member = record.leader is not None and not record.leads
            return member and are_candidates(look.filing, held.filing)
