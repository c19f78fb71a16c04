"""The sketch by which an entry keeps its view and the stream statistics of its admission, as bytes.

After the statistics come how many lemmas, phrases and facts; three tiers; size; the limit of the
phrases; a bit for each fact of the opening, each lemma of the first sentence and each that is a
name. Then the lemmas and phrases, 4 bytes each, and the facts. The terms of the signature are left
out, because the entry has them anyway. A view takes 500 bytes at most, 240 for the median item of
real streams. Behind the facts is what the keys of the entry are worth (information.py), if it was
weighed at admission: `least`, `pairs` and a byte for each term.

In a row, all fields have the same offset, so that those of many entries are read as arrays.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from struct import Struct
from typing import NamedTuple

import numpy as np
import xxhash
from numpy.typing import NDArray

from newsdedup.core.facts.comparison import drop_impossible_days
from newsdedup.core.facts.fact import CODE_BYTES, MOST_CODES, pack_codes, unpack_codes
from newsdedup.core.matching.rows import HEADER, Rows, pack_header
from newsdedup.core.matching.verify.copy_rates import NO_SHIFTS, PAIR_KINDS, Shifts
from newsdedup.core.matching.verify.information import Information
from newsdedup.core.matching.verify.view import (
    LEMMAS,
    SAMPLE_SIZE,
    TIERS,
    WEIGHT_MASK,
    Phrases,
    TextView,
    lemma_codes,
    sum_weights,
)
from newsdedup.core.model import Entry, Fingerprint

_KEY_LEMMAS = 4
"""Heaviest lemmas of the first sentence whose pairs are keys: six of them."""

_STATISTICS = Struct(f"<I{PAIR_KINDS}h")
CENTS = 100
"""A shift has two decimals."""

_COUNTS = Struct(f"<{3 + TIERS}BHIIQQ")
LEMMAS_AT, PHRASES_AT, FACTS_AT = range(_STATISTICS.size, _STATISTICS.size + 3)
"""The bytes that say how many lemmas, phrases and facts there are."""
_TIERS = slice(LEMMAS_AT + 3, LEMMAS_AT + 3 + TIERS)
"""The bytes of the tiers, one each."""
WORDS_AT = _STATISTICS.size + _COUNTS.size
_NUMBER = 4
"""Bytes of a lemma, and of a phrase."""
_MOST_SIZE = (1 << 16) - 1


class VerifierSketch(NamedTuple):
    """A view as it was frozen at admission."""

    view: TextView
    shifts: Shifts = NO_SHIFTS
    bucket: int = 0
    """How many buckets of the stream statistics were closed."""


def counts_include(earlier: int, later: int) -> bool:
    """Return whether phrase counts frozen in the bucket `later` include an item of `earlier`.

    An item is counted when the bucket closes that was open when it came; those of the first bucket
    are counted sooner, and which of them were is not known.
    """
    return later > earlier or not later


def pack_sketch(sketch: VerifierSketch) -> Fingerprint:
    """Return a sketch as an entry keeps it, with the keys of its first sentence."""
    view, sample = sketch.view, sketch.view.phrases
    counts = _COUNTS.pack(
        *map(len, (view.lemmas, sample.hashes, view.facts)),
        *sample.tiers,
        min(view.size, _MOST_SIZE),
        sample.limit,
        _bits(view.facts, view.opening),
        _bits(view.lemmas, view.lead),
        _bits(view.lemmas, view.names),
    )
    numbers = (*view.lemmas, *sample.hashes)
    words = _numbers(len(numbers)).pack(*numbers)
    statistics = _pack_statistics(sketch.shifts, sketch.bucket)
    return Fingerprint(_lead_keys(view), statistics + counts + words + pack_codes(view.facts))


def _lead_keys(view: TextView) -> tuple[int, ...]:
    """Return a 63-bit key for each pair of the four heaviest lemmas of the first sentence.

    They find duplicates that share too few terms: of the labelled ones of docs/labels, 94 % share
    three terms, 96 % these or a pair.
    """
    heavy = sorted(set(view.lead), key=lambda code: (-(code & WEIGHT_MASK), code))[:_KEY_LEMMAS]
    return tuple(
        [
            xxhash.xxh3_64_intdigest(f"head {left} {right}".encode()) >> 1
            for left, right in combinations(sorted(heavy), 2)
        ]
    )


def read_sketch(entry: Entry) -> VerifierSketch:
    """Return the verifier's sketch of an entry, the last of its sketches, unpacked.

    A day that the calendar lacks, which an earlier version may have packed, is left out.
    """
    body = entry.sketches[-1].body
    bucket, *cents = _STATISTICS.unpack_from(body)
    count, hashes, stated, *tiers, size, limit, opening, first, named = _COUNTS.unpack_from(
        body, _STATISTICS.size
    )
    numbers = _numbers(count + hashes)
    read = numbers.unpack_from(body, WORDS_AT)
    begin = WORDS_AT + numbers.size
    facts = unpack_codes(body[begin : begin + CODE_BYTES * stated])
    lemmas = read[:count]
    lead = _chosen(lemmas, first)
    view = TextView(
        lemmas=lemmas,
        lead=lead,
        terms=lemma_codes(entry.terms),
        names=_chosen(lemmas, named),
        weight=sum_weights(lemmas),
        lead_weight=sum_weights(lead),
        phrases=Phrases(read[count:], tuple(tiers), limit),
        facts=drop_impossible_days(facts),
        opening=drop_impossible_days(_chosen(facts, opening)),
        size=size,
    )
    return VerifierSketch(view, _from_cents(cents), bucket)


def read_shifts(entry: Entry) -> Shifts:
    """Return the shifts of an entry's sketch, by kind of pair, without unpacking its view."""
    _, *cents = _STATISTICS.unpack_from(entry.sketches[-1].body)
    return _from_cents(cents)


def _from_cents(cents: Iterable[int]) -> Shifts:
    """Return shifts that were packed in hundredths."""
    return tuple([value / CENTS for value in cents])


def read_phrases(sketch: Fingerprint) -> Phrases:
    """Return the phrases in a packed sketch of the verifier, without unpacking the rest of it."""
    body = sketch.body
    lemmas, hashes, _, *tiers, _, limit, _, _, _ = _COUNTS.unpack_from(body, _STATISTICS.size)
    read = _numbers(hashes).unpack_from(body, WORDS_AT + _NUMBER * lemmas)
    return Phrases(read, tuple(tiers), limit)


def count_shared_phrases(left: Fingerprint, right: Fingerprint) -> int:
    """Return how many phrases two packed sketches share."""
    return len(set(read_phrases(left).hashes).intersection(read_phrases(right).hashes))


def read_information(sketch: Fingerprint) -> Information | None:
    """Return what the keys of an entry are worth; None if it was not weighed or is withdrawn."""
    body = sketch.body
    end = _end_of_facts(body) if body else 0
    return Information(body[end], body[end + 2 :], body[end + 1]) if len(body) > end else None


def update_sketch(
    sketch: Fingerprint,
    phrases: Phrases | None,
    *,
    shifts: Shifts,
    bucket: int,
    information: Information | None = None,
) -> Fingerprint:
    """Return a packed sketch with these shifts, bucket, phrases and worths of keys.

    The phrases have the same hashes, perhaps in another order and with other tiers; None leaves
    those of the sketch. Worths that it had are dropped.
    """
    statistics, end = _pack_statistics(shifts, bucket), _end_of_facts(sketch.body)
    body, worths = sketch.body[:end], b""
    if information is not None:
        worths = bytes((information.least, information.pairs)) + information.terms
    if phrases is None:
        return Fingerprint(sketch.keys, statistics + body[_STATISTICS.size :] + worths)
    begin = WORDS_AT + _NUMBER * body[LEMMAS_AT]
    hashes = _numbers(len(phrases.hashes)).pack(*phrases.hashes)
    before = (
        body[_STATISTICS.size : _TIERS.start] + bytes(phrases.tiers) + body[_TIERS.stop : begin]
    )
    parts = (statistics, before, hashes, body[begin + len(hashes) :], worths)
    return Fingerprint(sketch.keys, b"".join(parts))


def _end_of_facts(body: bytes) -> int:
    """Return where the facts of a packed sketch end, and its worths begin if it has any."""
    numbers = body[LEMMAS_AT] + body[PHRASES_AT]
    return WORDS_AT + _NUMBER * numbers + CODE_BYTES * body[FACTS_AT]


# They change only with a bucket.
@lru_cache(maxsize=2)
def _pack_statistics(shifts: Shifts, bucket: int) -> bytes:
    """Return the bytes of a bucket number and of shifts in hundredths."""
    return _STATISTICS.pack(bucket, *[round(value * CENTS) for value in shifts])


@lru_cache(maxsize=2 * 255 + 1)
def _numbers(count: int) -> Struct:
    """Return the packing of `count` unsigned 32-bit numbers, little-endian."""
    return Struct(f"<{count}I")


def _bits(whole: Iterable[int], part: Iterable[int]) -> int:
    """Return a number whose bit i is 1 if the i-th of `whole` is in `part`."""
    chosen = set(part)
    return sum([1 << index for index, each in enumerate(whole) if each in chosen]) if chosen else 0


def _chosen(whole: Sequence[int], bits: int) -> tuple[int, ...]:
    """Return the elements of `whole` whose bits are 1, in order: the reverse of `_bits`."""
    if not bits:
        return ()
    return tuple([each for index, each in enumerate(whole) if bits >> index & 1])


MOST_WORDS = LEMMAS + SAMPLE_SIZE
"""Most lemmas and phrases of a text."""

_SKETCH = np.dtype(
    [
        ("bucket", "<u4"),
        ("shifts", "<i2", (PAIR_KINDS,)),
        ("lemmas", "u1"),
        ("phrases", "u1"),
        ("facts", "u1"),
        ("tiers", "u1", (TIERS,)),
        ("size", "<u2"),
        ("limit", "<u4"),
        ("opening", "<u4"),
        ("first", "<u8"),
        ("names", "<u8"),
        ("words", "<u4", (MOST_WORDS,)),
    ]
)
"""A packed sketch (sketches.py) up to its facts: lemmas, and behind the last of them the phrases.

`first` has a bit for each lemma of the first sentence, `names` for each lemma that is a name.
"""
ROW = np.dtype(
    [
        *HEADER.descr,
        *_SKETCH.descr,
        ("codes", "<i8", (MOST_CODES,)),
        ("weight", "<u2"),
        ("first_weight", "<u2"),
        ("names_weight", "<u2"),
        ("lead_weight", "<u2"),
    ]
)
"""The weights are sums over all lemmas, those of the first sentence, the names, and those of the
first sentence that are no names."""
_PACKED = np.dtype([*HEADER.descr, *_SKETCH.descr, ("halves", ">u2", (MOST_CODES, 3))])
"""A packed row that is filled up; the rest of a row is computed from it. A code is three halves."""

_COLUMNS = np.arange(LEMMAS, dtype=np.uint64)
_COUNTED = slice(HEADER.itemsize + LEMMAS_AT, HEADER.itemsize + FACTS_AT + 1)
"""The bytes of a packed row that say how many lemmas, phrases and facts there are."""
_WORDS = HEADER.itemsize + WORDS_AT
_HEAD = HEADER.itemsize + _SKETCH.itemsize
_MOST_CODE_BYTES = MOST_CODES * CODE_BYTES


def make_text_rows(entries: Sequence[Entry]) -> Rows:
    """Return the rows of entries, whose last sketches are the verifier's."""
    return read_text_rows([b"".join(pack_text_row(entry)) for entry in entries])


def pack_text_row(entry: Entry) -> tuple[bytes, bytes]:
    """Return what the row of an entry is made of: its header, and the body of its last sketch."""
    return pack_header(entry), entry.sketches[-1].body


def read_text_rows(packed: Sequence[bytes]) -> Rows:
    """Return the rows of entries whose header and body of the last sketch are these bytes."""
    filled = b"".join([_fill_up(one) for one in packed])
    packed_rows = np.frombuffer(filled, _PACKED)
    rows = np.empty(len(packed), ROW)
    # Both begin with the same fields: as bytes they are copied at once.
    to_bytes = rows.view(np.uint8).reshape(len(packed), ROW.itemsize)
    to_bytes[:, :_HEAD] = np.frombuffer(filled, np.uint8).reshape(-1, _PACKED.itemsize)[:, :_HEAD]
    halves = packed_rows["halves"].astype(np.int64)
    rows["codes"] = halves[..., 0] << 32 | halves[..., 1] << 16 | halves[..., 2]
    lemmas = packed_rows["words"][:, :LEMMAS]
    weights = (lemmas & WEIGHT_MASK) * (packed_rows["lemmas"][:, None] > _COLUMNS)
    first, names = _lowest_bits(packed_rows["first"]), _lowest_bits(packed_rows["names"])
    rows["weight"] = weights.sum(1)
    rows["first_weight"] = (weights * first).sum(1)
    rows["names_weight"] = (weights * names).sum(1)
    rows["lead_weight"] = (weights * (first & ~names)).sum(1)
    return rows


def _fill_up(row: bytes) -> bytes:
    """Return header, sketch and codes of facts of a packed row, each filled up with zeros."""
    lemmas, phrases, facts = row[_COUNTED]
    codes = _WORDS + _NUMBER * (lemmas + phrases)
    return row[:codes].ljust(_HEAD, b"\0") + row[codes : codes + CODE_BYTES * facts].ljust(
        _MOST_CODE_BYTES, b"\0"
    )


def _lowest_bits(flags: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return a row of flags for each number: its lowest bits, one for each lemma of a text."""
    return (flags[:, None] >> _COLUMNS & np.uint64(1)).astype(bool)
