"""Scores of the found pairs against texts, annotators and a planted truth (tables 2 to 4)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.collections.document_store import DocumentStore
from newsdedup_lab.collections.pairs import LabelledPair, index_names, read_labelled_pairs
from newsdedup_lab.collections.truths import planted_stories
from newsdedup_lab.compare.buckets import PackedPairs, pack_pairs, unpack_pairs
from newsdedup_lab.compare.error_examples import method_errors
from newsdedup_lab.compare.predicted_curves import share_point
from newsdedup_lab.compare.truth import PairPool, build_pool, dice_matrix, text_similarities
from newsdedup_lab.report.study_stages import StepProgress
from newsdedup_lab.scores import PairOutcome, bootstrap_intervals, full_score
from newsdedup_lab.similarities import SAME_TEXT

SIMILARITY_BANDS = (SAME_TEXT, 0.85, 0.9, 0.95, 1.0)
"""Bounds of the bands of similarity in which recall is measured; 1 is a band of its own."""

_Row = dict[str, Any]


def text_scores(drawn: PairPool, similar: NDArray[np.float32]) -> list[_Row]:
    """Score each method against text similarity; return a row for each, best F first.

    `similar` has the similarity of each pair of the pool, 0 below 80 %: pairs above 0 are true. A
    row has precision, recall, F, 95 % intervals (which only matter where the pairs are a sample of
    the whole pool), and recall by band of similarity.
    """
    true = similar > 0
    rows = []
    for name in drawn.names:
        found = drawn.hits(name)
        right = int((found & true).sum())
        precision = _share(right, int(found.sum()))
        recall = _share(right, int(true.sum()))
        rows.append(
            {
                "method": name,
                "precision": precision,
                "recall": recall,
                "f1": _share(2 * right, int(found.sum() + true.sum())),
                "precision_interval": _interval(right, int(found.sum())),
                "recall_interval": _interval(right, int(true.sum())),
                "recall_by_similarity": _recall_by_band(found, similar),
            }
        )
    return sorted(rows, key=lambda row: -float(row["f1"]))


def _share(part: int, whole: int) -> float:
    """Return part / whole with 4 decimals, 0 if the whole is 0."""
    return round(part / whole, 4) if whole else 0.0


def _interval(part: int, whole: int) -> tuple[float, float] | None:
    """Return the 95 % Wilson interval of a share, rounded to 4 decimals; None if the whole is 0."""
    if not whole:
        return None
    point = share_point(0.0, [0.0] * whole, part)
    return round(point.low, 4), round(point.high, 4)


def _recall_by_band(found: NDArray[np.bool_], similar: NDArray[np.float32]) -> list[float | None]:
    """Return the recall of the found pairs in each of SIMILARITY_BANDS, None for an empty band."""
    measurements: list[float | None] = []
    for low, high in zip(SIMILARITY_BANDS, (*SIMILARITY_BANDS[1:], 2.0), strict=True):
        here = (similar >= np.float32(low)) & (similar < np.float32(high))
        measurements.append(
            _share(int((found & here).sum()), int(here.sum())) if here.any() else None
        )
    return measurements


@dataclass(frozen=True, slots=True)
class LabelledDocuments:
    """Labelled pairs and the document numbers of their items."""

    path: Path
    pairs: tuple[LabelledPair, ...]
    numbers: PackedPairs


def find_labelled(path: Path, store: DocumentStore) -> LabelledDocuments:
    """Read labelled pairs and find their documents; leave out pairs with a missing item.

    Raise SourceUnusable if no pair remains, or if a name in the file is ambiguous.
    """
    index = {store.key(at): at for at in range(len(store))}
    names = index_names(index)
    known, left, right = [], [], []
    for pair in read_labelled_pairs(path):
        found = names.resolve_pair(pair)
        if found is not None:
            known.append(pair)
            left.append(index[found[0]])
            right.append(index[found[1]])
    if not known:
        raise SourceUnusable(f"{path}: no pair of it is among the items")
    numbers = pack_pairs(np.array(left, dtype=np.int64), np.array(right, dtype=np.int64))
    return LabelledDocuments(path, tuple(known), numbers)


def labelled_scores(
    people: LabelledDocuments, names: Iterable[str], found: Callable[[str], PackedPairs]
) -> list[_Row]:
    """Score each named method against labelled pairs; return a row for each, best F first.

    `found` returns the pairs that a method found; other pairs than the labelled do not count.
    """
    rows = []
    for name in names:
        hits = np.isin(people.numbers, found(name)).tolist()
        outcomes = [
            PairOutcome(pair.duplicate, hit, pair.weight)
            for pair, hit in zip(people.pairs, hits, strict=True)
        ]
        rows.append(
            {
                "method": name,
                "found": sum(hits),
                **asdict(full_score(outcomes)),
                "weighted": asdict(full_score(outcomes, weighted=True)),
                "intervals": bootstrap_intervals(outcomes, weighted=False),
            }
        )
    return sorted(rows, key=lambda row: -float(row["f1"]))


def planted_scores(path: Path, store: DocumentStore, found: Mapping[str, PackedPairs]) -> _Row:
    """Score each method against all pairs of documents with one planted story.

    Return the number of those pairs as "pairs", and as "rows" precision, recall and F by method,
    best F first. Raise SourceUnusable if no two documents share a story of the file.
    """
    measurements = planted_stories(path)
    names: dict[str, int] = {}
    stories = [
        names.setdefault(measurements.get(store.key(at), f"no story {at}"), len(names))
        for at in range(len(store))
    ]
    sizes = Counter(stories).values()
    true = sum(size * (size - 1) // 2 for size in sizes)
    if not true:
        raise SourceUnusable(f"{path}: no two items of it that tell one story are here")
    home = np.array(stories, dtype=np.int64)
    rows: list[_Row] = []
    for name, pairs in found.items():
        left, right = unpack_pairs(pairs)
        right_ones = int((home[left] == home[right]).sum())
        rows.append(
            {
                "method": name,
                "precision": _share(right_ones, len(pairs)),
                "recall": _share(right_ones, true),
                "f1": _share(2 * right_ones, len(pairs) + true),
            }
        )
    return {"pairs": true, "rows": sorted(rows, key=lambda row: -float(row["f1"]))}


def measure_quality(
    found: Mapping[str, PackedPairs],
    store: DocumentStore,
    watch: StepProgress,
    *,
    people: Sequence[Path],
    planted: Path | None,
    sample: int,
) -> dict[str, Any]:
    """Return all scores, the Dice matrix and the errors of the methods as JSON values.

    `found` has the pairs of each method. The truths are text similarity, for at most `sample` of
    the pairs that any method found; each file of labelled pairs in `people`; and the truth file
    `planted`, if given. Raise SourceUnusable for a file without pairs of these documents.
    """
    whole = build_pool(found)
    drawn = whole.sample(sample)
    similar = text_similarities(store, drawn.pairs, watch)
    measurements = []
    for path in people:
        compared = find_labelled(path, store)
        measurements.append(
            {
                "file": path.name,
                "pairs": len(compared.pairs),
                "duplicates": sum(pair.duplicate for pair in compared.pairs),
                "rows": labelled_scores(compared, found, found.__getitem__),
            }
        )
    return {
        "pool": len(whole.pairs),
        "compared": len(drawn.pairs),
        "same": int((similar > 0).sum()),
        "same_by_band": np.histogram(similar[similar > 0], [*SIMILARITY_BANDS, 1.1])[0].tolist(),
        "texts": text_scores(drawn, similar),
        "people": measurements,
        "planted": None if planted is None else planted_scores(planted, store, found),
        "dice": dice_matrix(whole),
        "errors": method_errors(drawn, similar, store),
    }
