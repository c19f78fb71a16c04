"""The similarities of seed 002, each with a bound by which most pairs need not be compared.

A bound never is below the similarity itself, so no pair of at least the threshold is lost. What
remains is compared by the functions of core/similarity.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Protocol

import numpy as np

from newsdedup.lab.cluster.vectors import Floats, Places, Vectors, vectors
from newsdedup.lab.collections.collated import Documents
from newsdedup.lab.similarities.cosine import cosine, tf_idf_vector
from newsdedup.lab.similarities.edit import edit_similarity
from newsdedup.lab.similarities.jaccard import weighted_jaccard


class Measure(Protocol):
    """A similarity of documents, given by their numbers.

    Law, checked by tests/lab/test_joining_similar_documents.py: whoever reaches a threshold is
    possible at it.
    """

    vectors: Vectors
    product: bool
    """Whether an element of both counts by the product of its weights, else by its weight."""

    def rest(self, weights: Floats) -> Floats:
        """Return what a vector's elements from each place on can add to a score, at most."""
        ...

    def leave(self, place: int) -> float:
        """Return the score below which a pair is not similar at all, whoever the other is."""
        ...

    def possible(self, score: Floats, place: int, others: Places, threshold: float) -> Floats:
        """Return by how much a score, at most this, passes the threshold; below 0: not at all."""
        ...

    def similarity(self, left: int, right: int) -> float:
        """Return the similarity of two documents."""
        ...


class Jaccard:
    """Weighted Jaccard of the sets of lemmas, w(t) = idf."""

    product = False

    def __init__(self, documents: Documents) -> None:
        self._weight = documents.idf()
        self._lemmas = documents.lemmas
        self.vectors = vectors([self._row(lemmas) for lemmas in documents.lemmas])
        self._sums = _sums(self.vectors)

    def rest(self, weights: Floats) -> Floats:
        """Return the sum of the weights from each place on."""
        return _from_each(weights)

    def leave(self, place: int) -> float:
        """Return the whole weight: what is shared is less, and the union is more."""
        return float(self._sums[place])

    def possible(self, score: Floats, place: int, others: Places, threshold: float) -> Floats:
        """Return shared - threshold * union."""
        union = self._sums[place] + self._sums[others] - score
        over: Floats = score - threshold * union
        return over

    def similarity(self, left: int, right: int) -> float:
        """Return the weighted Jaccard coefficient."""
        return weighted_jaccard(self._lemmas[left], self._lemmas[right], self._weight)

    def _row(self, lemmas: tuple[str, ...]) -> Mapping[Hashable, float]:
        weighed = ((lemma, self._weight(lemma)) for lemma in dict.fromkeys(lemmas))
        return {lemma: weight for lemma, weight in weighed if weight}


class Cosine:
    """Cosine of tf-idf vectors."""

    product = True

    def __init__(self, documents: Documents) -> None:
        weight = documents.idf()
        self._rows: list[dict[str, float]] = [
            tf_idf_vector(lemmas, weight) for lemmas in documents.lemmas
        ]
        self.vectors = vectors(self._rows)

    def rest(self, weights: Floats) -> Floats:
        """Return the length of the vector from each place on: the other has length 1."""
        return np.sqrt(_from_each(weights * weights))

    def leave(self, place: int) -> float:
        """Return 1: all vectors have that length."""
        del place
        return 1.0

    def possible(self, score: Floats, place: int, others: Places, threshold: float) -> Floats:
        """Return score - threshold."""
        del place, others
        return score - threshold

    def similarity(self, left: int, right: int) -> float:
        """Return the cosine."""
        return cosine(self._rows[left], self._rows[right])


class Edit:
    """Edit similarity of the sequences of lemmas, every operation at cost 1.

    What is not edited stands in both: of the longer, at least the share that the similarity is.
    So the words of both, counted as often as both have them, bound it.
    """

    product = False

    def __init__(self, documents: Documents) -> None:
        self._lemmas = documents.lemmas
        self._sizes = np.array([len(lemmas) for lemmas in documents.lemmas], dtype=np.float64)
        self.vectors = vectors([_each_time(lemmas) for lemmas in documents.lemmas])

    def rest(self, weights: Floats) -> Floats:
        """Return the number of words from each place on."""
        return _from_each(weights)

    def leave(self, place: int) -> float:
        """Return the number of words."""
        return float(self._sizes[place])

    def possible(self, score: Floats, place: int, others: Places, threshold: float) -> Floats:
        """Return shared - threshold * longer."""
        longer = np.maximum(self._sizes[place], self._sizes[others])
        over: Floats = score - threshold * longer
        return over

    def similarity(self, left: int, right: int) -> float:
        """Return the edit similarity; a text without words is similar to nothing."""
        return edit_similarity(self._lemmas[left], self._lemmas[right])


MEASURES: Mapping[str, Callable[[Documents], Measure]] = {
    "jaccard": Jaccard,
    "cosine": Cosine,
    "edit": Edit,
}


def _each_time(lemmas: tuple[str, ...]) -> Mapping[Hashable, float]:
    """Return each lemma with the how-manieth it is: the elements of a bag as those of a set."""
    seen: Counter[str] = Counter()
    row: dict[Hashable, float] = {}
    for lemma in lemmas:
        seen[lemma] += 1
        row[lemma, seen[lemma]] = 1.0
    return row


def _from_each(weights: Floats) -> Floats:
    """Return the sums of the weights from each place to the end, and 0 behind it."""
    return np.append(np.cumsum(weights[::-1])[::-1], 0.0)


def _sums(rows: Vectors) -> Floats:
    whole = np.append(0.0, np.cumsum(rows.weights))
    sums: Floats = whole[rows.begins[1:]] - whole[rows.begins[:-1]]
    return sums
