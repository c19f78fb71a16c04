"""Encoding of what Redis stores (records, ledger rows, the watermark), and of look-ups."""

import string
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import xxhash
import zstandard

from newsdedup.adapters.formats.compression import NewsCompressor, is_compressed
from newsdedup.adapters.redis.calls import CommandPart
from newsdedup.adapters.redis.keys import (
    Keys,
    Role,
    SearchedSets,
    item_address,
    time_digits,
)
from newsdedup.adapters.redis.record_cache import MatchedRecord
from newsdedup.adapters.redis.spans import latest_time
from newsdedup.core.matching.index_keys import (
    HITS,
    MORE_APART,
    MOST_LEAST,
    PAIR_WORTH,
    IndexKeys,
    candidate_test,
    least_apart,
    time_of_few,
)
from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.isolation import stored_index_keys
from newsdedup.ports.store import LedgerRow, Lookup, StoredRecord

_FRONT: Final = 20
"""Characters in front of an encoded record, all of it that the server reads: the digits of its
effective time down to seconds, then its stamp. Earlier releases wrote all digits and no stamp."""
_STAMP_LETTERS: Final = 6
_SECOND_DIGITS: Final = _FRONT - _STAMP_LETTERS
_SECOND: Final = 10**_STAMP_LETTERS
"""In microseconds: what the digits lack."""
_PAIRS: Final = [
    (one + other).encode() for one in string.ascii_letters for other in string.ascii_letters
]
"""Two letters of a stamp: they sort behind digits, so a stamped time is never too early."""
_CACHED_RECORDS: Final = 32_768
"""Decoded records that a worker caches, of about 5 kB each: leaders of hot stories come with every
look-up."""
_LOOKUP_ROLES: Final[dict[str, Role]] = {"leaders": "l", "members": "m", "followers": "f"}


class _EncodedRecord(NamedTuple):
    bucket: int
    record: Record


encode_msgpack = msgspec.msgpack.Encoder().encode
"""Returns a value as Redis stores it, in MessagePack: a watermark, an observation, a call."""
_decode_record = msgspec.msgpack.Decoder(_EncodedRecord).decode
_decode_rows = msgspec.msgpack.Decoder(tuple[LedgerRow, ...]).decode
_decode_watermark = msgspec.msgpack.Decoder(Watermark).decode


class ValueCodec:
    """Encodes records and ledger rows, compressed with a dictionary or as earlier releases did.

    It decodes both. Not thread-safe, as the compressors are not.
    """

    def __init__(self, *, compressed: bool = True) -> None:
        self._compresses = compressed
        self._compressor = NewsCompressor()
        # They write and read the rows of format 2.
        self._plain_compressor = zstandard.ZstdCompressor(level=1)
        self._plain_decompressor = zstandard.ZstdDecompressor()

    def encode_record(self, record: Record, *, bucket: int) -> bytes:
        """Return the stored bytes of a record: the digits of its time, then MessagePack."""
        encoded = encode_msgpack(_EncodedRecord(bucket, record))
        if self._compresses:
            encoded = self._compressor.compress(encoded)
        digits = time_digits(record.entry.effective_at).encode()[:_SECOND_DIGITS]
        return digits + _stamp(encoded) + encoded

    def decode_record(self, data: bytes) -> tuple[int, Record]:
        """Return bucket and record of stored bytes; raise StateUnusable for damaged ones."""
        encoded = data[_FRONT:]
        try:
            if is_compressed(encoded):
                encoded = self._compressor.decompress(encoded)
            return _decode_record(encoded)
        except ValueError as error:
            raise _unreadable("record", error) from error

    def encode_rows(self, rows: Sequence[LedgerRow]) -> bytes:
        """Return the stored bytes of all rows of an item."""
        compressor = self._compressor if self._compresses else self._plain_compressor
        return compressor.compress(encode_msgpack(rows))

    def decode_rows(self, data: bytes) -> tuple[LedgerRow, ...]:
        """Return the rows of an item, none for no bytes; raise StateUnusable for damaged ones."""
        if not data:
            return ()
        try:
            reader = self._compressor if is_compressed(data) else self._plain_decompressor
            return _decode_rows(reader.decompress(data))
        except (ValueError, zstandard.ZstdError) as error:
            raise _unreadable("judgement", error) from error


def _stamp(data: bytes) -> bytes:
    """Return six letters that distinguish encoded states of one record of one length."""
    number = xxhash.xxh3_64_intdigest(data)
    stamp = b""
    for _ in range(_STAMP_LETTERS // 2):
        number, pair = divmod(number, len(_PAIRS))
        stamp += _PAIRS[pair]
    return stamp


def _unreadable(what: str, error: Exception) -> StateUnusable:
    """Return the error for stored bytes that cannot be decoded; `what` names the value."""
    return StateUnusable(
        f"a {what} in Redis is damaged, or of a later release that has upgraded the namespace "
        f"meanwhile: use that release, or restore what was published with `newsdedup rebuild "
        f"--namespace NEW` ({error})"
    )


def decode_watermark(data: bytes) -> Watermark:
    """Return the stored watermark, a new one for b""; raise StateUnusable for damaged bytes."""
    try:
        return _decode_watermark(data) if data else Watermark()
    except ValueError as error:
        raise _unreadable("watermark", error) from error


class StoredRecordDecoder:
    """Decodes the records in replies of Redis, for one worker."""

    def __init__(self, rule: Rule, codec: ValueCodec) -> None:
        self._rule = rule
        self._codec = codec
        self._decode = lru_cache(maxsize=_CACHED_RECORDS)(self._decode_record)

    def decode(self, found: MatchedRecord) -> StoredRecord:
        """Return a record with its slot; raise StateUnusable for damaged bytes."""
        bucket, record, filing = self._decode(found.data)
        rows = None if found.row is None else self._codec.decode_rows(found.row)
        return StoredRecord(record, bucket, filing, found.slot, rows)

    def _decode_record(self, data: bytes) -> tuple[int, Record, IndexKeys]:
        """Return bucket, record and index keys of bytes; raise StateUnusable for damaged ones."""
        bucket, record = self._codec.decode_record(data)
        return bucket, record, stored_index_keys(self._rule, record)


def encode_lookups(
    keys: Keys, lookups: Sequence[Lookup], live: Sequence[int]
) -> tuple[list[str], list[CommandPart]]:
    """Return the keys and the arguments of a look-up function, without its first argument.

    The look-ups read the spans in `live`. The arguments are their description, in MessagePack, and
    the directory fields of the items.
    """
    names = [*keys.fixed, *(name for span in live for name in keys.span_hashes(span))]
    items: list[bytes] = []
    encoded: list[dict[str, object]] = []
    for one in lookups:
        if one.kind == "item" and one.key is not None:
            items.append(keys.item_field(one.key))
            encoded.append({"item": 2 + len(items)})
            continue
        sets = _sets_of_lookup(keys, one)
        sure = sets.sure
        encoded.append(
            {
                "first": len(names) + 1,
                "weights": sets.weights,
                "least": sets.least,
                "tags": () if sure is None else sure.tags,
                "since": "" if one.since is None else time_digits(one.since),
                **_what_distance_asks(one, sets, live),
            }
        )
        for span in live:
            names.extend(keys.set_names(sets.role, span, sets.slots))
            if sure is not None:
                names.extend(keys.set_names(sure.role, span, sure.slots))
    return names, [encode_msgpack({"spans": len(live), "looks": encoded}), *items]


def _what_distance_asks(
    lookup: Lookup, sets: SearchedSets, live: Sequence[int]
) -> dict[str, object]:
    """Return what the server needs to ask more of records between which and this many items came.

    Nothing in a window of few items. For each live span that is also what is asked of the latest
    time in it. The server knows neither the least sums of its records, which may ask for more, nor
    what the shared keys are worth to them, which may be less.
    """
    filing = lookup.filing
    if lookup.kind == "followers" or filing.least <= MOST_LEAST:
        return {}
    few = time_of_few(filing.least, filing.window)
    ends = [latest_time(span, window=filing.window) for span in live]
    apart = [0 if end is None else max(0, filing.at - end) for end in ends]
    return {
        "far": {
            "second": int(time_digits(filing.at)[:_SECOND_DIGITS]),
            "few": -(-few // _SECOND),
            "more": MORE_APART,
            "pair": PAIR_WORTH,
            "sure": sets.surely,
            "floors": [least_apart(filing.least, filing.window, one) for one in apart],
        }
    }


def _sets_of_lookup(keys: Keys, lookup: Lookup) -> SearchedSets:
    """Return the sets that a look-up reads, and the weight of a hit in each."""
    role = _LOOKUP_ROLES[lookup.kind]
    if lookup.kind == "followers" and lookup.key is not None:
        return SearchedSets(role, [keys.followers(lookup.key)], [HITS])
    return keys.search_sets(lookup.filing, role)


def lookup_addresses(keys: Keys, lookup: Lookup) -> list[int]:
    """Return the addresses that a look-up reads, each followed by its weight, in one list.

    Before them is the sum of weights from which a record is found. The server compares them with
    what other workers have committed.
    """
    if lookup.kind == "item" and lookup.key is not None:
        return [HITS, item_address(lookup.key), HITS]
    sets = _sets_of_lookup(keys, lookup)
    return [sets.least, *(number for pair in sets.weighed_addresses() for number in pair)]


def select_matches(lookup: Lookup, records: Iterable[StoredRecord]) -> list[StoredRecord]:
    """Return the records that answer a look-up: the sets that it reads also have others."""
    if lookup.kind == "item":
        return [one for one in records if one.record.key == lookup.key]
    if lookup.kind == "leaders":
        finds = candidate_test(lookup.filing)
        return [one for one in records if one.record.is_compared and finds(one.filing)]
    behind = [one for one in records if one.record.leader is not None and not one.record.leads]
    if lookup.kind == "followers":
        return [one for one in behind if one.record.leader == lookup.key]
    finds, since = candidate_test(lookup.filing), lookup.since
    # The server compares seconds.
    late = (
        behind
        if since is None
        else [one for one in behind if one.record.entry.effective_at >= since]
    )
    return [one for one in late if finds(one.filing)]
