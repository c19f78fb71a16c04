"""How often unrelated items meet in an index: the same code measured the real streams."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SHARED = 6
"""Terms two signatures of twelve share if they are duplicates."""
HITS = 2
"""Rare terms that make a candidate."""
SIMILAR = 3


@dataclass(frozen=True, slots=True)
class Collisions:
    """Means an item over a stream."""

    postings: float
    candidates: float
    duplicates: float
    similar: float


def collisions(signatures: Iterable[Sequence[int]]) -> Collisions:
    """Return what each signature meets: only those that repeat no earlier one are filed.

    Terms stand rare first; all but the last four of a signature are filed and looked up.
    """
    filed: dict[int, list[int]] = {}
    seen: list[frozenset[int]] = []
    postings = candidates = duplicates = similar = 0
    for number, terms in enumerate(signatures):
        seen.append(frozenset(terms))
        rare = terms[: len(terms) - SHARED + HITS] if len(terms) >= SHARED else ()
        met: Counter[int] = Counter()
        for term in rare:
            met.update(filed.get(term, ()))
        postings += met.total()
        found = [other for other, hits in met.items() if hits >= HITS]
        candidates += len(found)
        shared = max((len(seen[number] & seen[other]) for other in found), default=0)
        duplicates += shared >= SHARED
        similar += SIMILAR <= shared < SHARED
        if shared < SHARED:
            for term in rare:
                filed.setdefault(term, []).append(number)
    total = max(1, len(seen))
    return Collisions(postings / total, candidates / total, duplicates / total, similar / total)
