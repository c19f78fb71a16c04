"""How close a rule of shared terms is to an equivalence relation, for each number of terms.

Lande, Darmokhval and Morozov (2006) chose 6 of 12 terms by the two coefficients: a relation with
asymmetry 0 and complete transitivity is an equivalence, which partitions a stream into stories.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

_Row = BitMap
"""The documents to which one document is related, without itself."""


@dataclass(frozen=True, slots=True)
class Closeness:
    """The counts of a relation a over documents, in which no document is related to itself.

    `pairs` = sum of a_ij, `mutual` = sum of a_ij a_ji, `paths` = sum of a_ij a_jk with i, j and k
    distinct, `closed` = sum of a_ij a_jk a_ik.
    """

    shared: int
    """The least number t of shared terms of related documents."""
    pairs: int
    mutual: int
    paths: int
    closed: int

    @property
    def asymmetry(self) -> float:
        """Return sum |a_ij - a_ji| / sum a_ij, 0 for no pairs; at most 2."""
        return round(2 * (self.pairs - self.mutual) / self.pairs, 6) if self.pairs else 0.0

    @property
    def transitivity(self) -> float:
        """Return sum a_ij a_jk a_ik / sum a_ij: closed paths per pair, 0 for no pairs."""
        return round(self.closed / self.pairs, 6) if self.pairs else 0.0

    @property
    def balance(self) -> float:
        """Return closed_share - asymmetry / 2, from -1 to 1: both coefficients on one scale."""
        return round(self.closed_share - self.asymmetry / 2, 6)

    @property
    def closed_share(self) -> float:
        """Return the share of the paths from i over j to k that a_ik closes, 1 for no paths."""
        return round(self.closed / self.paths, 6) if self.paths else 1.0


def duplicates_curve(signatures: Sequence[Collection[int]]) -> list[Closeness]:
    """Return the counts of the duplicate relation, for a threshold t of 1, 2, ... shared terms.

    a_ij: the signatures of the documents i and j share at least t terms. This is symmetric by
    construction.
    """
    return similar_curve(signatures, signatures)


def similar_curve(
    signatures: Sequence[Collection[int]], documents: Sequence[Collection[int]]
) -> list[Closeness]:
    """Return the counts of the similarity relation, for a threshold t of 1, 2, ... shared terms.

    a_ij: at least t terms of the signature of i are among all terms of the document j. This is
    asymmetric: a digest contains the terms of its parts, but they do not contain its signature.
    `documents[i]` are all terms of the document whose signature is `signatures[i]`. t goes up to
    the length of the longest signature.
    """
    longest = max(map(len, signatures), default=0)
    levels: list[list[_Row]] = [[] for _ in range(longest)]
    for rows in _related_documents(signatures, documents, longest):
        for level, row in zip(levels, rows, strict=True):
            level.append(row)
    return [_count_relation(shared, rows) for shared, rows in enumerate(levels, 1)]


def recommend_terms(curve: Sequence[Closeness]) -> int:
    """Return the number of shared terms at the knee of the balance, 0 for an empty curve.

    The knee is the point farthest above the straight line from the first to the last (Satopaa and
    others 2011), the first of equally far ones. The balance alone is often best at the end of the
    curve, where only equal signatures are related.
    """
    if len(curve) < 2:
        return len(curve)
    first, last = curve[0].balance, curve[-1].balance
    slope = (last - first) / (len(curve) - 1)
    above = [one.balance - first - slope * step for step, one in enumerate(curve)]
    return curve[max(range(len(curve)), key=lambda step: (round(above[step], 6), -step))].shared


def _related_documents(
    signatures: Sequence[Collection[int]], documents: Sequence[Collection[int]], longest: int
) -> Iterator[list[_Row]]:
    """Yield for each document i the sets of documents j with a_ij, for t = 1 to `longest`."""
    holders = _holders(signatures, documents)
    nobody = BitMap()
    for own, signature in enumerate(signatures):
        rows: list[_Row] = []
        for term in sorted(set(signature)):
            rows = _add_holders(rows, holders[term])
        for row in rows:
            row.discard(own)
        yield [row for row in rows if row] + [nobody] * (longest - sum(map(bool, rows)))


def _holders(
    signatures: Iterable[Collection[int]], documents: Iterable[Collection[int]]
) -> dict[int, BitMap]:
    """Return for each term of any signature the set of documents that contain it."""
    lists: dict[int, list[int]] = {term: [] for signature in signatures for term in signature}
    for own, document in enumerate(documents):
        for term in set(document):
            if term in lists:
                lists[term].append(own)
    return {term: BitMap(own) for term, own in lists.items()}


def _add_holders(rows: list[_Row], holders: BitMap) -> list[_Row]:
    """Return `rows` after one more term: row t - 1 has the documents that share at least t terms.

    `holders` contain that term: new[t] = old[t] | (old[t-1] & holders); old[0] is all documents. A
    row is appended if any document has shared all terms so far.
    """
    reached = [holders, *(row & holders for row in rows)]
    extended = [row | more for row, more in zip(rows, reached, strict=False)]
    return [*extended, reached[-1].copy()] if reached[-1] else extended


def _count_relation(shared: int, rows: Sequence[_Row]) -> Closeness:
    """Return the counts of a relation; `rows` has for each document those it is related to.

    `shared` is its threshold t. This intersects O(pairs) sets.
    """
    pairs = mutual = paths = closed = 0
    sizes = [len(row) for row in rows]
    for own, row in enumerate(rows):
        if not row:
            continue
        others = [rows[other] for other in row]
        pairs += len(row)
        back = sum(own in other for other in others)
        mutual += back
        paths += sum(map(sizes.__getitem__, row)) - back
        closed += sum(map(row.intersection_cardinality, others))
    return Closeness(shared, pairs, mutual, paths, closed)
