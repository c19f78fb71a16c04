"""Pairwise Jaccard coefficients of a sample of documents, with synonyms, as histograms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from newsdedup import ItemKey
from newsdedup.core.fingerprints.synonym_jaccard import Synonyms, count_couples, word_hash
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.report.study_stages import Advance


@dataclass(frozen=True, slots=True)
class CoupledWords:
    """The word hashes of a document, and those in each row of the synonym table."""

    words: frozenset[int]
    by_row: Mapping[int, tuple[int, ...]]


def couple_words(words: Iterable[str], synonyms: Synonyms) -> CoupledWords:
    """Return the hashes of the words, all together and by row of the synonym table.

    Words in one row are synonyms; a word may be in several rows or in none.
    """
    hashes = frozenset(map(word_hash, words))
    rows: dict[int, tuple[int, ...]] = {}
    for word in sorted(hashes):
        for row in synonyms.of(word):
            rows[row] = (*rows.get(row, ()), word)
    return CoupledWords(hashes, rows)


def synonym_similarity(one: CoupledWords, other: CoupledWords) -> float:
    """Return the Jaccard similarity of two documents; two synonyms count as one common word.

    A word that only one of them has is coupled with at most one synonym that only the other has; as
    many as possible are coupled. Without words the result is 0.
    """
    whole = len(one.words) + len(other.words)
    common = len(one.words & other.words)
    if one.by_row and other.by_row:
        common += count_couples(_partners(one, other))
    return common / (whole - common) if whole else 0.0


def _partners(one: CoupledWords, other: CoupledWords) -> dict[int, list[int]]:
    """Return for each word that only `one` has its synonyms that only `other` has."""
    found: dict[int, set[int]] = {}
    for row in one.by_row.keys() & other.by_row.keys():
        there = [word for word in other.by_row[row] if word not in one.words]
        if there:
            for word in one.by_row[row]:
                if word not in other.words:
                    found.setdefault(word, set()).update(there)
    return {word: list(found[word]) for word in found}


_Cluster = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """A sample of documents with their true clusters and weights.

    `control_group` draws whole clusters, at one rate those of several documents and at another the
    single documents; each drawn document stands for `weights` of its kind.
    """

    indexes: tuple[int, ...]
    clusters: tuple[int, ...]
    """The true cluster of each document, by number."""
    weights: tuple[float, ...]
    labelled: tuple[tuple[int, int, bool], ...] = ()
    """Labelled pairs, by numbers in this group; if there are any, all other pairs are unknown."""

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {
            "places": self.indexes,
            "clusters": self.clusters,
            "weights": self.weights,
            "labelled": self.labelled,
        }


def labelled_group(pairs: Sequence[tuple[int, int, bool]]) -> ControlGroup:
    """Return the group of all documents in labelled pairs, each with weight 1.

    Pairs are (left, right, whether duplicates) by index in the collection.
    """
    indexes = sorted({index for left, right, _ in pairs for index in (left, right)})
    number = {index: at for at, index in enumerate(indexes)}
    labelled = tuple((number[left], number[right], same) for left, right, same in pairs)
    return ControlGroup(tuple(indexes), tuple(range(len(indexes))), (1.0,) * len(indexes), labelled)


def control_group(
    clusters: Sequence[_Cluster], keys: Sequence[ItemKey], *, most: int
) -> ControlGroup:
    """Draw whole clusters, of at most `most` documents in all, half of them in clusters of several.

    The draw is by hashes of `keys`, the items by document number. Each document gets as weight how
    many clusters of its kind, of one or of several documents, its own stands for. Raise
    SourceUnusable if no cluster of several documents can be drawn.
    """
    several = [cluster for cluster in clusters if len(cluster) > 1]
    alone = [cluster for cluster in clusters if len(cluster) == 1]
    taken, weight = _draw_clusters(several, keys, most // 2)
    if not taken:
        raise SourceUnusable("no two of the items are duplicates by the truth: nothing to compare")
    rest, of_rest = _draw_clusters(alone, keys, most - sum(map(len, taken)))
    members = [
        (index, number, worth)
        for number, (cluster, worth) in enumerate(
            [*((cluster, weight) for cluster in taken), *((cluster, of_rest) for cluster in rest)]
        )
        for index in cluster
    ]
    indexes, numbers, weights = zip(*members, strict=True)
    return ControlGroup(tuple(indexes), tuple(numbers), tuple(weights))


def restore_group(measurements: dict[str, Any]) -> ControlGroup:
    """Return the group that `to_json` stored."""
    labelled = tuple((left, right, same) for left, right, same in measurements["labelled"])
    return ControlGroup(
        tuple(measurements["places"]),
        tuple(measurements["clusters"]),
        tuple(measurements["weights"]),
        labelled,
    )


def _draw_clusters(
    clusters: Sequence[_Cluster], keys: Sequence[ItemKey], most: int
) -> tuple[list[_Cluster], float]:
    """Draw clusters of at most `most` documents in all, in the order of a hash of their first item.

    Return them and how many clusters each one represents; clusters larger than `most` are
    represented by none. The first cluster that no longer fits ends the draw, which therefore does
    not prefer small clusters.
    """
    fitting = [cluster for cluster in clusters if len(cluster) <= most]
    found: list[_Cluster] = []
    room = most
    for cluster in sorted(fitting, key=lambda cluster: _hash_order(keys[min(cluster)])):
        room -= len(cluster)
        if room < 0:
            break
        found.append(cluster)
    return found, len(fitting) / len(found) if found else 1.0


def _hash_order(key: ItemKey) -> tuple[int, ItemKey]:
    """Return the sort key by which items are drawn: a hash of the key, then the key."""
    return xxhash.xxh3_64_intdigest(f"{key.source}\n{key.id}".encode()), key


_PERCENTS = 101
SNIPPET = 600
"""Characters from which on a document is a text; below it is a snippet (2 to 4 sentences)."""
_LENGTHS = ("all", "snippets", "texts")
UNKNOWN, OTHER, SAME = -1, 0, 1
_DRAWN_DOCUMENTS = 40
"""Documents whose measurements are drawn one by one."""

_Floats = NDArray[np.float64]
_KindArray = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class PairHistograms:
    """Counts of pairs by coefficient in percent, rounded down."""

    histograms: dict[str, _Floats] = field(
        default_factory=lambda: {
            f"{length} {kind} {counted}": np.zeros(_PERCENTS)
            for length in _LENGTHS
            for kind in ("same", "other")
            for counted in ("pairs", "collection")
        }
    )


def compare_group(
    words: Sequence[CoupledWords],
    group: ControlGroup,
    sizes: Sequence[int],
    advance: Advance,
) -> dict[str, Any]:
    """Compare all pairs of a group; return histograms of pairs, and mean coefficients of documents.

    Both are JSON values. `words` and `sizes` (characters of the text) are by document of the group;
    `advance` counts the documents.
    """
    counted = PairHistograms()
    short = np.array(sizes) < SNIPPET
    kinds = _Kinds(group)
    sums = np.zeros((2, len(words)))
    pairs = np.zeros((2, len(words)))
    for at, one in enumerate(words):
        row = np.array([synonym_similarity(one, other) for other in words[at + 1 :]])
        kind, weights = kinds.of(at)
        for measurements, wanted in enumerate((kind != SAME, kind == SAME)):
            sums[measurements, at] += row[wanted].sum()
            sums[measurements, at + 1 :] += np.where(wanted, row, 0.0)
            pairs[measurements, at] += wanted.sum()
            pairs[measurements, at + 1 :] += wanted
        _count(counted, row, kind, weights, _lengths(short, at))
        advance(1)
    counts = {name: [round(float(n), 3) for n in row] for name, row in counted.histograms.items()}
    return {"histograms": counts, **_documents(sums, pairs, short)}


class _Kinds:
    """The kind and weight of each pair of the group."""

    def __init__(self, group: ControlGroup) -> None:
        self._clusters = np.array(group.clusters)
        self._weights = np.array(group.weights)
        self._labelled: dict[int, list[tuple[int, bool]]] = {}
        for left, right, same in group.labelled:
            first, second = sorted((left, right))
            self._labelled.setdefault(first, []).append((second, same))
        self._by_label = bool(group.labelled)

    def of(self, at: int) -> tuple[_KindArray, _Floats]:
        """Return kinds and weights of the pairs of document `at` with each later one, as arrays.

        The kind is SAME or OTHER by cluster or, if the group has labelled pairs, by label, else
        UNKNOWN. Two documents of one cluster were drawn together, so their pair has the weight of
        one; for documents of two clusters both weights multiply.
        """
        behind = self._clusters[at + 1 :]
        if self._by_label:
            kind = np.full(len(behind), UNKNOWN, dtype=np.int8)
            for other, same in self._labelled.get(at, ()):
                kind[other - at - 1] = SAME if same else OTHER
            return kind, np.ones(len(behind))
        kind = (behind == self._clusters[at]).astype(np.int8)
        own = self._weights[at]
        return kind, np.where(kind == SAME, own, own * self._weights[at + 1 :])


def _lengths(short: NDArray[np.bool_], at: int) -> Mapping[str, NDArray[np.bool_]]:
    """Return masks over the pairs of document `at` with later ones: all, both short, both long."""
    behind = short[at + 1 :]
    return {
        "all": np.ones(len(behind), dtype=bool),
        "snippets": behind & short[at],
        "texts": ~behind & ~short[at],
    }


def _count(
    counted: PairHistograms,
    row: _Floats,
    kind: _KindArray,
    weights: _Floats,
    lengths: Mapping[str, NDArray[np.bool_]],
) -> None:
    """Add the coefficients in `row` to the histograms of their kinds and lengths.

    Each is added as 1 ("pairs") and by its weight ("collection"); pairs of unknown kind are left
    out.
    """
    # A share of 0.29 is 28.999... percent where floats multiply: it belongs to 29.
    percent = np.floor(row * 100 + 1e-9).astype(np.int64)
    for length, fits in lengths.items():
        for name, value in (("same", SAME), ("other", OTHER)):
            chosen = fits & (kind == value)
            for by, worth in (("pairs", None), ("collection", weights[chosen])):
                found = np.bincount(percent[chosen], weights=worth, minlength=_PERCENTS)
                counted.histograms[f"{length} {name} {by}"] += found


def _documents(sums: _Floats, pairs: _Floats, short: NDArray[np.bool_]) -> dict[str, Any]:
    """Return means by length of document, and the results of the first 40 documents with copies.

    The coefficient of a document is its mean similarity to its copies, its noise that to others.
    `sums` and `pairs` have the sums and counts for others (row 0) and copies (row 1).
    """
    noise = sums[0] / np.maximum(pairs[0], 1)
    with_copies = np.flatnonzero(pairs[1])
    alike = sums[1, with_copies] / pairs[1, with_copies]
    measurements: dict[str, dict[str, float | None]] = {}
    for length, fits in (("all", short | ~short), ("snippets", short), ("texts", ~short)):
        here = noise[fits & (pairs[0] > 0)]
        copies = alike[fits[with_copies]]
        measurements[length] = {
            "documents": int(fits.sum()),
            "noise": _mean(here),
            "noise_from": _quantile(here, 0.05),
            "noise_to": _quantile(here, 0.95),
            "with_copies": len(copies),
            "coefficient": _mean(copies),
        }
    drawn = with_copies[:_DRAWN_DOCUMENTS]
    return {
        "documents": measurements,
        "drawn": [
            [round(float(sums[1, at] / pairs[1, at]), 4), round(float(noise[at]), 4)]
            for at in drawn
        ],
    }


def _mean(values: _Floats) -> float | None:
    """Return the mean with 6 decimals, None without values."""
    return round(float(values.mean()), 6) if len(values) else None


def _quantile(values: _Floats, share: float) -> float | None:
    """Return the quantile at `share` (0 to 1) with 6 decimals, None without values."""
    return round(float(np.quantile(values, share)), 6) if len(values) else None
