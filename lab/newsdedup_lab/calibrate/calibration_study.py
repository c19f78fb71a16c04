"""The study of `lab calibrate`: figures 2 and 3 of Lande and others (2006)."""

from collections.abc import Iterable, Sequence
from heapq import heappush, heappushpop
from itertools import chain
from typing import Any

import xxhash

from newsdedup.engine.analyzer import Analyzed
from newsdedup_lab.calibrate.calibration import (
    Closeness,
    duplicates_curve,
    recommend_terms,
    similar_curve,
)
from newsdedup_lab.calibrate.calibration_report import calibration_report
from newsdedup_lab.collections.corpora import Corpus
from newsdedup_lab.report.report_content import StudyReport
from newsdedup_lab.report.study_stages import Stages, StepProgress

_MAX_DOCUMENTS = 30_000
"""Documents compared, as a rule: time and memory grow with their square."""

TermSets = tuple[tuple[int, ...], tuple[int, ...]]
"""The terms of a signature, and all distinct terms of its document."""


class CalibrationStudy:
    """Computes duplicate and similarity relation; reads the corpus if a stage is missing."""

    def __init__(self, corpus: Corpus, stages: Stages, *, most: int = _MAX_DOCUMENTS) -> None:
        self._corpus = corpus
        self._stages = stages
        self._most = most
        self._read: tuple[int, list[TermSets]] | None = None

    def report(self) -> StudyReport:
        """Run the stages and return the page of `lab calibrate`, not yet rendered.

        They count the documents, then compute the duplicate relation (terms shared by two
        signatures) and the similarity relation (terms of a signature in another document) for each
        number of terms. At most `most` items are compared. A stage that is stored is read instead;
        if one is missing, the corpus is read: raise SourceUnusable if it has no items.
        """
        parameters = {"most": self._most}
        counted = self._stages.run("documents", parameters, self._documents)
        duplicate = self._stages.run("duplicates", parameters, self._duplicates)
        similar = self._stages.run("similar", parameters, self._similar)
        return calibration_report(counted, duplicate, similar)

    def _documents(self) -> object:
        """Count items and documents, for the page.

        The counts are of items, compared documents, terms of the longest signature, documents with
        a shorter one, and mean terms of a document.
        """
        count, signed = self._signed()
        sizes = [len(signature) for signature, _ in signed]
        return {
            "items": count,
            "compared": len(signed),
            "terms": max(sizes, default=0),
            "short": sum(size < max(sizes) for size in sizes),
            "mean_terms_of_document": round(
                sum(len(terms) for _, terms in signed) / len(signed), 1
            ),
        }

    def _duplicates(self) -> object:
        """Compute the coefficients of the duplicate relation for each t, and the best t."""
        _, signed = self._signed()
        with self._stages.watch.step("comparing signatures"):
            return curve_points(duplicates_curve([signature for signature, _ in signed]))

    def _similar(self) -> object:
        """Compute the coefficients of the similarity relation for each t, and the best t."""
        _, signed = self._signed()
        with self._stages.watch.step("comparing signatures with documents"):
            return curve_points(similar_curve(*_split_terms(signed)))

    def _signed(self) -> tuple[int, list[TermSets]]:
        """Return the number of items, and the term sets of those compared.

        The corpus is read at the first call only.
        """
        if self._read is None:
            self._read = sample_terms(self._corpus, self._most, self._stages.watch)
        return self._read


def curve_points(curve: Sequence[Closeness]) -> dict[str, Any]:
    """Return the coefficients for each number of shared terms, and the recommended one, as JSON."""
    points = [
        {
            "shared": one.shared,
            "pairs": one.pairs,
            "asymmetry": one.asymmetry,
            "transitivity": one.transitivity,
            "closed_share": one.closed_share,
            "balance": one.balance,
        }
        for one in curve
    ]
    return {"recommended": recommend_terms(curve), "points": points}


def sample_terms(corpus: Corpus, most: int, watch: StepProgress) -> tuple[int, list[TermSets]]:
    """Return the number of items of the corpus, and the term sets of at most `most` of them.

    They are the items with the smallest hashes of their names, so the order of the files does not
    matter and the number of items need not be known before.
    """
    heap: list[tuple[int, str, str, TermSets]] = []
    count = 0
    for one in corpus.analyzed(watch):
        count += 1
        key = one.item.key
        chance = xxhash.xxh3_64_intdigest(f"{key.source}\n{key.id}".encode())
        entry = (-chance, key.source, key.id, _term_sets(one))
        if len(heap) < most:
            heappush(heap, entry)
        elif entry > heap[0]:
            heappushpop(heap, entry)
    return count, [signed for _, _, _, signed in sorted(heap)]


def _term_sets(one: Analyzed) -> TermSets:
    """Return the term keys of the signature of an item, and the distinct ones of its document."""
    return one.keys, tuple({term.key: None for term in one.document.terms})


def _split_terms(signed: Iterable[TermSets]) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return signatures and documents as two lists; documents keep only terms of some signature."""
    signatures, documents = map(list, zip(*signed, strict=True))
    known = set(chain.from_iterable(signatures))
    return signatures, [tuple(filter(known.__contains__, terms)) for terms in documents]
