"""The similarities of paper 002, each with a bound by which most pairs need not be compared.

A bound is never below the similarity itself, so no pair that reaches the threshold is lost. The
pairs that may reach it are compared by the functions of lab/similarities.py.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from newsdedup_lab.collections.corpora import Documents
from newsdedup_lab.report.study_stages import Advance
from newsdedup_lab.similarities import cosine, edit_similarity, tf_idf_vector, weighted_jaccard

WeightArray = NDArray[np.float64]


NodeArray = NDArray[np.int32]


Element = TypeVar("Element", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class SparseVectors:
    """Sparse vectors by number, with postings; elements are numbered by rarity, rarest first."""

    begins: NDArray[np.int64]
    """Where the elements of each vector begin; one more is the end."""
    elements: NodeArray
    weights: WeightArray
    posting_begins: NDArray[np.int64]
    """Where the holders of each element begin."""
    holders: NodeArray
    """Ascending for each element."""
    holder_weights: WeightArray

    def __len__(self) -> int:
        """Return the number of vectors."""
        return len(self.begins) - 1

    def elements_of(self, index: int) -> tuple[NodeArray, WeightArray]:
        """Return the elements and weights of the vector at `index`, rarest element first."""
        begin, end = self.begins[index], self.begins[index + 1]
        return self.elements[begin:end], self.weights[begin:end]

    def earlier_holders(self, element: int, index: int) -> tuple[NodeArray, WeightArray]:
        """Return the earlier vectors that contain an element, ascending, and its weight in each."""
        begin, end = self.posting_begins[element], self.posting_begins[element + 1]
        earlier = self.holders[begin:end]
        end = begin + np.searchsorted(earlier, index)
        return self.holders[begin:end], self.holder_weights[begin:end]


def build_vectors(rows: Sequence[Mapping[Element, float]]) -> SparseVectors:
    """Return the vectors of these rows, each of which maps elements to weights.

    Elements are numbered by the number of rows that contain them, rarest first; equally rare ones
    keep their order of appearance.
    """
    df = Counter(element for row in rows for element in row)
    # A sort keeps equal ones in their order, which is that of the rows: no set is asked.
    number = {element: at for at, element in enumerate(sorted(df, key=df.__getitem__))}
    begins = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=begins[1:])
    elements = np.empty(begins[-1], dtype=np.int32)
    weights = np.empty(begins[-1], dtype=np.float64)
    for index, row in enumerate(rows):
        found = sorted((number[element], weight) for element, weight in row.items())
        here = slice(begins[index], begins[index + 1])
        elements[here] = [at for at, _ in found]
        weights[here] = [weight for _, weight in found]
    owners = np.repeat(np.arange(len(rows), dtype=np.int32), np.diff(begins))
    order = np.argsort(elements, kind="stable")
    posted = np.searchsorted(elements[order], np.arange(len(number) + 1))
    return SparseVectors(begins, elements, weights, posted, owners[order], weights[order])


class Measure(Protocol):
    """A similarity of documents, given by their numbers.

    Law, checked by tests/lab/test_joining_similar_documents.py: anyone who reaches a threshold is
    possible at it.
    """

    vectors: SparseVectors
    product: bool
    """Whether an element of both counts by the product of its weights, else by its weight."""

    def remaining_score(self, weights: WeightArray) -> WeightArray:
        """Return for each index at most how much the elements from there on add to a score.

        `weights` are those of one vector, rarest element first; the result ends with one more
        value, 0.
        """
        ...

    def least_score(self, index: int) -> float:
        """Return the scale of a document's scores: `joining` skips elements in proportion to it."""
        ...

    def margin(
        self, score: WeightArray, index: int, others: NodeArray, threshold: float
    ) -> WeightArray:
        """Return for each of `others` an upper bound of its score with `index` minus the threshold.

        `score` has a bound of each one's score; a negative margin means that the threshold is out
        of reach.
        """
        ...

    def similarity(self, left: int, right: int) -> float:
        """Return the similarity of two documents."""
        ...


class JaccardMeasure:
    """Weighted Jaccard of the sets of lemmas, w(t) = idf."""

    product = False

    def __init__(self, documents: Documents) -> None:
        self._weight = documents.idf()
        self._lemmas = documents.lemmas
        self.vectors = build_vectors([self._row(lemmas) for lemmas in documents.lemmas])
        self._sums = _sums(self.vectors)

    def remaining_score(self, weights: WeightArray) -> WeightArray:
        """Return the sum of the weights from each index on."""
        return _suffix_sums(weights)

    def least_score(self, index: int) -> float:
        """Return the sum of all weights."""
        return float(self._sums[index])

    def margin(
        self, score: WeightArray, index: int, others: NodeArray, threshold: float
    ) -> WeightArray:
        """Return score - threshold * union for each other; the score is the shared weight."""
        union = self._sums[index] + self._sums[others] - score
        over: WeightArray = score - threshold * union
        return over

    def similarity(self, left: int, right: int) -> float:
        """Return the weighted Jaccard coefficient."""
        return weighted_jaccard(self._lemmas[left], self._lemmas[right], self._weight)

    def _row(self, lemmas: tuple[str, ...]) -> Mapping[Hashable, float]:
        """Return the idf of each distinct lemma, without those of idf 0."""
        weighed = ((lemma, self._weight(lemma)) for lemma in dict.fromkeys(lemmas))
        return {lemma: weight for lemma, weight in weighed if weight}


class CosineMeasure:
    """Cosine of tf-idf vectors."""

    product = True

    def __init__(self, documents: Documents) -> None:
        weight = documents.idf()
        self._rows: list[dict[str, float]] = [
            tf_idf_vector(lemmas, weight) for lemmas in documents.lemmas
        ]
        self.vectors = build_vectors(self._rows)

    def remaining_score(self, weights: WeightArray) -> WeightArray:
        """Return the norm of the vector from each index on; the other vector has norm 1."""
        return np.sqrt(_suffix_sums(weights * weights))

    def least_score(self, index: int) -> float:
        """Return 1, the norm of every vector."""
        del index
        return 1.0

    def margin(
        self, score: WeightArray, index: int, others: NodeArray, threshold: float
    ) -> WeightArray:
        """Return score - threshold for each other document."""
        del index, others
        return score - threshold

    def similarity(self, left: int, right: int) -> float:
        """Return the cosine."""
        return cosine(self._rows[left], self._rows[right])


class EditMeasure:
    """Edit similarity of the sequences of lemmas, every operation at cost 1.

    Words that are not edited stand in both texts, and the similarity is at most their share of the
    longer one. So the number of words that both have, repeated ones repeatedly, bounds it.
    """

    product = False

    def __init__(self, documents: Documents) -> None:
        self._lemmas = documents.lemmas
        self._sizes = np.array([len(lemmas) for lemmas in documents.lemmas], dtype=np.float64)
        self.vectors = build_vectors([_numbered_lemmas(lemmas) for lemmas in documents.lemmas])

    def remaining_score(self, weights: WeightArray) -> WeightArray:
        """Return the number of words from each index on."""
        return _suffix_sums(weights)

    def least_score(self, index: int) -> float:
        """Return the number of words."""
        return float(self._sizes[index])

    def margin(
        self, score: WeightArray, index: int, others: NodeArray, threshold: float
    ) -> WeightArray:
        """Return score - threshold * longer for each other; the score counts shared words."""
        longer = np.maximum(self._sizes[index], self._sizes[others])
        over: WeightArray = score - threshold * longer
        return over

    def similarity(self, left: int, right: int) -> float:
        """Return the edit similarity."""
        return edit_similarity(self._lemmas[left], self._lemmas[right])


MEASURES: Mapping[str, Callable[[Documents], Measure]] = {
    "jaccard": JaccardMeasure,
    "cosine": CosineMeasure,
    "edit": EditMeasure,
}


def _numbered_lemmas(lemmas: tuple[str, ...]) -> Mapping[Hashable, float]:
    """Return weight 1 for each (lemma, n), its n-th occurrence, so that sets compare as bags."""
    seen: Counter[str] = Counter()
    row: dict[Hashable, float] = {}
    for lemma in lemmas:
        seen[lemma] += 1
        row[lemma, seen[lemma]] = 1.0
    return row


def _suffix_sums(weights: WeightArray) -> WeightArray:
    """Return the sum of the weights from each index to the end, and a final 0."""
    return np.append(np.cumsum(weights[::-1])[::-1], 0.0)


def _sums(rows: SparseVectors) -> WeightArray:
    """Return the sum of the weights of each vector."""
    whole = np.append(0.0, np.cumsum(rows.weights))
    sums: WeightArray = whole[rows.begins[1:]] - whole[rows.begins[:-1]]
    return sums


SimilarPair = tuple[int, int, float]

_SKIPPED_SHARE = 0.5
"""Share of the least score that the commonest elements of a document may make up, together, and
not be looked up at first: their holders are many, and what they add is little (Chaudhuri and
others 2006). More of them unread leaves more pairs to compare."""

_DIGITS = 6
"""Similarities are rounded before they are compared or kept."""

_SLACK = 1e-9
"""For what is lost by adding in another order: no pair is left out by a bit."""


def similar_pairs(measure: Measure, threshold: float, advance: Advance) -> list[SimilarPair]:
    """Return the pairs of at least `threshold` as (earlier index, later index, similarity).

    Each document is counted by `advance`. Time is that of reading the holders of the rarer elements
    of every document: it grows with the square of a collection, and was 20 seconds for 27,000 news
    items (2026-11-21).
    """
    return [
        (other, index, similarity)
        for index in range(len(measure.vectors))
        for other in _candidates(measure, index, threshold, advance)
        if (similarity := round(measure.similarity(other, index), _DIGITS)) >= threshold
    ]


def _candidates(measure: Measure, index: int, threshold: float, advance: Advance) -> Iterator[int]:
    """Yield the earlier documents that may reach the threshold with this one, ascending."""
    advance(1)
    elements, weights = measure.vectors.elements_of(index)
    rest = measure.remaining_score(weights)
    # The first index from which on the rest is small enough; the elements before it are read.
    read = int(np.argmax(rest <= _SKIPPED_SHARE * threshold * measure.least_score(index)))
    found = [measure.vectors.earlier_holders(int(element), index) for element in elements[:read]]
    if not found or not index:
        return
    holders = np.concatenate([ids for ids, _ in found])
    own = np.repeat(weights[:read], [len(ids) for ids, _ in found])
    added = own * np.concatenate([theirs for _, theirs in found]) if measure.product else own
    scores = np.bincount(holders, weights=added, minlength=index)
    others: NodeArray = np.flatnonzero(scores).astype(np.int32)
    most = scores[others] + rest[read]
    margin = measure.margin(most, index, others, threshold)
    yield from others[margin >= -_SLACK * measure.least_score(index)].tolist()
