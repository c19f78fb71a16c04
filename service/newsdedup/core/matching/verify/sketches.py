"""The sketch by which an entry keeps its view and the stream statistics of its admission, as bytes.

A view takes 500 bytes at most, 240 for the median item of real streams.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from struct import Struct
from typing import NamedTuple

import xxhash

from newsdedup.core.facts import codes as facts_codes
from newsdedup.core.facts.codes import CODE_BYTES
from newsdedup.core.facts.day_comparison import drop_impossible_days
from newsdedup.core.matching.verify.copy_rates import NO_SHIFTS, PAIR_KINDS, Shifts
from newsdedup.core.matching.verify.phrases import TIERS, Phrases
from newsdedup.core.matching.verify.view import (
    WEIGHT_MASK,
    Masses,
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
_TIERS = slice(3, 3 + TIERS)
"""Where the tiers stand: one byte each."""
_NUMBER = 4
"""Bytes of a lemma, and of a phrase."""
_MOST_SIZE = (1 << 16) - 1


class VerifierSketch(NamedTuple):
    """A view as it was frozen at admission."""

    view: TextView
    shifts: Shifts = NO_SHIFTS
    bucket: int = 0
    """How many buckets of the stream statistics were closed."""


def pack_sketch(sketch: VerifierSketch) -> Fingerprint:
    """Return a sketch as an entry keeps it: 16 bytes of stream statistics, then the view."""
    body = _pack_statistics(sketch.shifts, sketch.bucket) + pack_view(sketch.view)
    return Fingerprint(lead_keys(sketch.view), body)


def lead_keys(view: TextView) -> tuple[int, ...]:
    """Return a 63-bit key for each pair of the four heaviest lemmas of the first sentence.

    They find duplicates that share too few terms: of the labelled ones of docs/labels, 94 % share
    three terms, 96 % these or a pair.
    """
    if not view.head:
        return ()
    heavy = sorted(set(view.head), key=lambda code: (-(code & WEIGHT_MASK), code))[:_KEY_LEMMAS]
    return tuple(
        [
            xxhash.xxh3_64_intdigest(f"head {left} {right}".encode()) >> 1
            for left, right in combinations(sorted(heavy), 2)
        ]
    )


def read_sketch(entry: Entry) -> VerifierSketch:
    """Return the verifier's sketch of an entry, the last of its sketches, unpacked."""
    body = entry.sketches[-1].body
    bucket, *cents = _STATISTICS.unpack_from(body)
    view = unpack_view(body[_STATISTICS.size :], entry.terms)
    return VerifierSketch(view, _from_cents(cents), bucket)


def read_shifts(entry: Entry) -> Shifts:
    """Return the shifts of an entry's sketch, by kind of pair, without unpacking its view."""
    _, *cents = _STATISTICS.unpack_from(entry.sketches[-1].body)
    return _from_cents(cents)


def _from_cents(cents: Iterable[int]) -> Shifts:
    return tuple([value / CENTS for value in cents])


def read_phrases(sketch: Fingerprint) -> Phrases:
    """Return the phrases in a packed sketch of the verifier, without unpacking the rest of it."""
    return unpack_phrases(sketch.body[_STATISTICS.size :])


def update_sketch(
    sketch: Fingerprint, phrases: Phrases | None, *, shifts: Shifts, bucket: int
) -> Fingerprint:
    """Return a packed sketch with these shifts, bucket and phrases; None leaves its phrases."""
    view = sketch.body[_STATISTICS.size :]
    body = view if phrases is None else replace_phrases(view, phrases)
    return Fingerprint(sketch.keys, _pack_statistics(shifts, bucket) + body)


# They change only with a bucket.
@lru_cache(maxsize=2)
def _pack_statistics(shifts: Shifts, bucket: int) -> bytes:
    return _STATISTICS.pack(bucket, *[round(value * CENTS) for value in shifts])


def pack_view(view: TextView) -> bytes:
    """Return a view as bytes, without the terms of the signature, which the entry has anyway.

    How many lemmas, phrases and facts; three tiers; size; the limit of the phrases; a bit for
    each fact of the opening, each lemma of the head and each that is a name. Then the lemmas and
    phrases, 4 bytes each, and the facts.
    """
    sample = view.phrases
    head = _COUNTS.pack(
        *map(len, (view.lemmas, sample.hashes, view.facts)),
        *sample.tiers,
        min(view.size, _MOST_SIZE),
        sample.limit,
        _bits(view.facts, view.opening),
        _bits(view.lemmas, view.head),
        _bits(view.lemmas, view.names),
    )
    numbers = (*view.lemmas, *sample.hashes)
    body = _numbers(len(numbers)).pack(*numbers)
    return head + body + facts_codes.pack_codes(view.facts)


def unpack_view(data: bytes, terms: Iterable[int]) -> TextView:
    """Return the view that `pack_view` packed; `terms` are the keys of the entry's signature.

    A day that the calendar lacks, which an earlier version may have packed, is left out.
    """
    kept, hashes, facts_kept, *tiers, size, limit, opening, head, names = _COUNTS.unpack_from(data)
    numbers = _numbers(kept + hashes)
    begin = _COUNTS.size + numbers.size
    read = numbers.unpack_from(data, _COUNTS.size)
    facts = facts_codes.unpack_codes(data[begin : begin + CODE_BYTES * facts_kept])
    lemmas = read[:kept]
    first = _chosen(lemmas, head)
    return TextView(
        lemmas=lemmas,
        head=first,
        terms=lemma_codes(terms),
        names=_chosen(lemmas, names),
        masses=Masses(sum_weights(lemmas), sum_weights(first)),
        phrases=Phrases(read[kept:], tuple(tiers), limit),
        facts=drop_impossible_days(facts),
        opening=drop_impossible_days(_chosen(facts, opening)),
        size=size,
    )


def unpack_phrases(data: bytes) -> Phrases:
    """Return the phrases of a packed view, and nothing else of it."""
    kept, hashes, _, *tiers, _, limit, _, _, _ = _COUNTS.unpack_from(data)
    read = _numbers(hashes).unpack_from(data, _COUNTS.size + _NUMBER * kept)
    return Phrases(read, tuple(tiers), limit)


def replace_phrases(data: bytes, sample: Phrases) -> bytes:
    """Return the packed view with this sample in the place of its phrases.

    The sample has the same hashes, perhaps in another order and with other tiers.
    """
    begin = _COUNTS.size + _NUMBER * data[0]
    hashes = _numbers(len(sample.hashes)).pack(*sample.hashes)
    before = data[: _TIERS.start] + bytes(sample.tiers) + data[_TIERS.stop : begin]
    return before + hashes + data[begin + len(hashes) :]


@lru_cache(maxsize=2 * 255 + 1)
def _numbers(count: int) -> Struct:
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
