"""A11 over a whole collection: which documents are worth comparing as texts (seed 000).

Documents that hold a shingle, by length, are a chain; it is cut where the ratio of neighbouring
lengths is too large; equal chains and those inside others are dropped; pairs are taken within a
chain, among documents of about one length. Our reading: a document is paired with at most `reach`
next ones of a chain, so that a phrase of thousands of documents costs no square of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from newsdedup.core.fingerprints.decomposition import RATIO

Chain = tuple[int, ...]
"""Documents in ascending order of length, equal ones by number."""

REACH = 200
"""Documents behind each in a chain that it is paired with, at most."""


def chains(
    shingled: Iterable[Iterable[int]], lengths: Sequence[int], *, ratio: float = RATIO
) -> list[Chain]:
    """Return the chains of a collection: for each document its distinct shingles and its length.

    No chain holds another, none has fewer than two documents; in a total order.
    """
    found: set[Chain] = set()
    for holders in _holders(shingled).values():
        ordered = sorted(holders, key=lambda document: (lengths[document], document))
        found.update(_cut(ordered, lengths, ratio))
    return _widest(found)


def pairs(
    chained: Iterable[Chain],
    lengths: Sequence[int],
    *,
    ratio: float = RATIO,
    reach: int = REACH,
) -> Iterator[tuple[int, int]]:
    """Yield each pair of documents of about one length that share a chain, once, small first."""
    seen: set[tuple[int, int]] = set()
    for chain in chained:
        for place, document in enumerate(chain):
            longest = ratio * lengths[document]
            for other in chain[place + 1 : place + 1 + reach]:
                if lengths[other] > longest:
                    break
                pair = (document, other) if document < other else (other, document)
                if pair not in seen:
                    seen.add(pair)
                    yield pair


def _holders(shingled: Iterable[Iterable[int]]) -> Mapping[int, list[int]]:
    """Return the documents of each shingle that two documents hold.

    A shingle met once is remembered as a number: most are met once.
    """
    first: dict[int, int] = {}
    holders: dict[int, list[int]] = {}
    for document, hashes in enumerate(shingled):
        for shingle in hashes:
            if shingle in holders:
                holders[shingle].append(document)
            elif first.setdefault(shingle, document) != document:
                holders[shingle] = [first[shingle], document]
    return holders


def _cut(ordered: Sequence[int], lengths: Sequence[int], ratio: float) -> Iterator[Chain]:
    """Yield the parts of a chain in which no neighbour is longer than the ratio allows."""
    begin = 0
    for place, (shorter, longer) in enumerate(pairwise(ordered), 1):
        if lengths[longer] > ratio * lengths[shorter]:
            if place - begin > 1:
                yield tuple(ordered[begin:place])
            begin = place
    if len(ordered) - begin > 1:
        yield tuple(ordered[begin:])


def _widest(found: Iterable[Chain]) -> list[Chain]:
    """Return the chains that no other holds, the longest first, then by their documents.

    A chain is inside a kept one if some kept chain is met at every one of its documents; the
    document of the fewest chains is asked first, so a phrase of many documents costs little.
    """
    maximal: list[Chain] = []
    of: dict[int, set[int]] = {}
    for chain in sorted(found, key=lambda chain: (-len(chain), chain)):
        met = sorted((of.get(document, set()) for document in chain), key=len)
        inside = met[0]
        for others in met[1:]:
            if not inside:
                break
            inside = inside & others
        if not inside:
            for document in chain:
                of.setdefault(document, set()).add(len(maximal))
            maximal.append(chain)
    return maximal
