"""A11 over a whole collection: which documents are worth comparing as texts (paper 000).

The documents that hold a shingle, ordered by length, are a chain. A chain is cut where the ratio of
neighbouring lengths is too large; chains inside others are dropped; pairs are taken within a chain,
among documents of about one length. Our reading: a document is paired with at most `reach` next
ones of a chain, so that a phrase of thousands of documents does not cost the square of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from newsdedup.core.fingerprints.shingles import RATIO

Chain = tuple[int, ...]
"""Documents in ascending order of length, equal ones by number."""

REACH = 200
"""Documents behind each in a chain that it is paired with, at most."""


def chains(
    shingled: Iterable[Iterable[int]], lengths: Sequence[int], *, ratio: float = RATIO
) -> list[Chain]:
    """Return the chains of a collection, longest first: documents that share a shingle, by length.

    `shingled` has the distinct shingles and `lengths` the length of each document. No chain holds
    another, none has fewer than two documents, and no document is more than `ratio` times as long
    as the one before it.
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
    """Yield each pair of documents of about one length that share a chain once, small number first.

    The longer one is at most `ratio` times as long, and among the next `reach` documents of the
    chain.
    """
    seen: set[tuple[int, int]] = set()
    for chain in chained:
        for index, document in enumerate(chain):
            longest = ratio * lengths[document]
            for other in chain[index + 1 : index + 1 + reach]:
                if lengths[other] > longest:
                    break
                pair = (document, other) if document < other else (other, document)
                if pair not in seen:
                    seen.add(pair)
                    yield pair


def _holders(shingled: Iterable[Iterable[int]]) -> Mapping[int, list[int]]:
    """Return the documents of each shingle that is in at least two of them.

    A shingle met once is stored as a number, not a list: most are met once.
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
    """Yield the parts of a chain, cut before documents longer than `ratio` times the one before.

    Parts of one document are dropped.
    """
    begin = 0
    for index, (shorter, longer) in enumerate(pairwise(ordered), 1):
        if lengths[longer] > ratio * lengths[shorter]:
            if index - begin > 1:
                yield tuple(ordered[begin:index])
            begin = index
    if len(ordered) - begin > 1:
        yield tuple(ordered[begin:])


def _widest(found: Iterable[Chain]) -> list[Chain]:
    """Return the chains that no other holds, the longest first, then by their documents.

    A chain is inside an earlier one if that one holds each of its documents. The documents in the
    fewest chains are looked at first, so a phrase of many documents costs little.
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
