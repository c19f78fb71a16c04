"""A view as bytes: 500 at most, 240 for the median item of real streams."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from struct import Struct

from newsdedup.core.facts import codes as facts_codes
from newsdedup.core.facts.codes import CODE_BYTES
from newsdedup.core.matching.verify.codes import codes, mass
from newsdedup.core.matching.verify.phrases import TIERS, Phrases
from newsdedup.core.matching.verify.view import Masses, View

_COUNTS = Struct(f"<{3 + TIERS}BHIIQQ")
_TIERS = slice(3, 3 + TIERS)
"""Where the tiers stand: one byte each."""
_NUMBER = 4
"""Bytes of a lemma, and of a phrase."""
_MOST_SIZE = (1 << 16) - 1


def packed(view: View) -> bytes:
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


def unpacked(data: bytes, terms: Iterable[int]) -> View:
    """Return the view of bytes and of the keys of the signature's terms."""
    kept, hashes, facts_kept, *tiers, size, limit, opening, head, names = _COUNTS.unpack_from(data)
    numbers = _numbers(kept + hashes)
    begin = _COUNTS.size + numbers.size
    read = numbers.unpack_from(data, _COUNTS.size)
    facts = facts_codes.unpack_codes(data[begin : begin + CODE_BYTES * facts_kept])
    lemmas = read[:kept]
    first = _chosen(lemmas, head)
    return View(
        lemmas=lemmas,
        head=first,
        terms=codes(terms),
        names=_chosen(lemmas, names),
        masses=Masses(mass(lemmas), mass(first)),
        phrases=Phrases(read[kept:], tuple(tiers), limit),
        facts=facts,
        opening=_chosen(facts, opening),
        size=size,
    )


def sample(data: bytes) -> Phrases:
    """Return the phrases of a packed view, and nothing else of it."""
    kept, hashes, _, *tiers, _, limit, _, _, _ = _COUNTS.unpack_from(data)
    read = _numbers(hashes).unpack_from(data, _COUNTS.size + _NUMBER * kept)
    return Phrases(read, tuple(tiers), limit)


def with_sample(data: bytes, sample: Phrases) -> bytes:
    """Return a packed view whose phrases are as fresh as these: the same ones in their order."""
    begin = _COUNTS.size + _NUMBER * data[0]
    hashes = _numbers(len(sample.hashes)).pack(*sample.hashes)
    before = data[: _TIERS.start] + bytes(sample.tiers) + data[_TIERS.stop : begin]
    return before + hashes + data[begin + len(hashes) :]


@lru_cache(maxsize=2 * 255 + 1)
def _numbers(count: int) -> Struct:
    return Struct(f"<{count}I")


def _bits(whole: Iterable[int], part: Iterable[int]) -> int:
    chosen = set(part)
    return sum([1 << place for place, each in enumerate(whole) if each in chosen]) if chosen else 0


def _chosen(whole: Sequence[int], bits: int) -> tuple[int, ...]:
    if not bits:
        return ()
    return tuple([each for place, each in enumerate(whole) if bits >> place & 1])
