"""The coefficients of all pairs of a control group, counted by size: duplicates and others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsdedup.lab.report.stages import Advance
from newsdedup.lab.synonyms.control_group import ControlGroup
from newsdedup.lab.synonyms.coupled_words import CoupledWords, similarity

PERCENTS = 101
SNIPPET = 600
"""Characters from which on a document is a text; below it is a snippet (2 to 4 sentences)."""
LENGTHS = ("all", "snippets", "texts")
UNKNOWN, OTHER, SAME = -1, 0, 1
SHOWN = 40
"""Documents whose figures are drawn one by one."""

Floats = NDArray[np.float64]
Kinds = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Compared:
    """What was counted; a coefficient of 0.256 is counted at 25 percent."""

    histograms: dict[str, Floats] = field(
        default_factory=lambda: {
            f"{length} {kind} {counted}": np.zeros(PERCENTS)
            for length in LENGTHS
            for kind in ("same", "other")
            for counted in ("pairs", "collection")
        }
    )


def compared(
    words: Sequence[CoupledWords],
    group: ControlGroup,
    sizes: Sequence[int],
    advance: Advance,
) -> dict[str, Any]:
    """Return the counts of all pairs, and the mean coefficients of each document.

    `sizes` are the lengths of the texts in characters.
    """
    counted = Compared()
    short = np.array(sizes) < SNIPPET
    kinds = _Kinds(group)
    sums = np.zeros((2, len(words)))
    pairs = np.zeros((2, len(words)))
    for at, one in enumerate(words):
        row = np.array([similarity(one, other) for other in words[at + 1 :]])
        kind, weights = kinds.of(at)
        for told, wanted in enumerate((kind != SAME, kind == SAME)):
            sums[told, at] += row[wanted].sum()
            sums[told, at + 1 :] += np.where(wanted, row, 0.0)
            pairs[told, at] += wanted.sum()
            pairs[told, at + 1 :] += wanted
        _count(counted, row, kind, weights, _lengths(short, at))
        advance(1)
    counts = {name: [round(float(n), 3) for n in row] for name, row in counted.histograms.items()}
    return {"histograms": counts, **_documents(sums, pairs, short)}


class _Kinds:
    """What is known of a document and those behind it."""

    def __init__(self, group: ControlGroup) -> None:
        self._clusters = np.array(group.clusters)
        self._weights = np.array(group.weights)
        self._labelled: dict[int, list[tuple[int, bool]]] = {}
        for left, right, same in group.labelled:
            first, second = sorted((left, right))
            self._labelled.setdefault(first, []).append((second, same))
        self._by_label = bool(group.labelled)

    def of(self, at: int) -> tuple[Kinds, Floats]:
        """Return for each document behind `at` the kind of the pair, and what it stands for.

        Two documents of one cluster came together, those of two clusters each by itself.
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
    """Return which pairs are of two snippets, and which of two texts."""
    behind = short[at + 1 :]
    return {
        "all": np.ones(len(behind), dtype=bool),
        "snippets": behind & short[at],
        "texts": ~behind & ~short[at],
    }


def _count(
    counted: Compared,
    row: Floats,
    kind: Kinds,
    weights: Floats,
    lengths: Mapping[str, NDArray[np.bool_]],
) -> None:
    # A share of 0.29 is 28.999... percent where floats multiply: it belongs to 29.
    percent = np.floor(row * 100 + 1e-9).astype(np.int64)
    for length, fits in lengths.items():
        for name, value in (("same", SAME), ("other", OTHER)):
            chosen = fits & (kind == value)
            for by, worth in (("pairs", None), ("collection", weights[chosen])):
                found = np.bincount(percent[chosen], weights=worth, minlength=PERCENTS)
                counted.histograms[f"{length} {name} {by}"] += found


def _documents(sums: Floats, pairs: Floats, short: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the mean coefficient of each document with others, its noise, and with duplicates."""
    noise = sums[0] / np.maximum(pairs[0], 1)
    with_copies = np.flatnonzero(pairs[1])
    alike = sums[1, with_copies] / pairs[1, with_copies]
    told: dict[str, dict[str, float | None]] = {}
    for length, fits in (("all", short | ~short), ("snippets", short), ("texts", ~short)):
        here = noise[fits & (pairs[0] > 0)]
        copies = alike[fits[with_copies]]
        told[length] = {
            "documents": int(fits.sum()),
            "noise": _mean(here),
            "noise_from": _quantile(here, 0.05),
            "noise_to": _quantile(here, 0.95),
            "with_copies": len(copies),
            "coefficient": _mean(copies),
        }
    drawn = with_copies[:SHOWN]
    return {
        "documents": told,
        "drawn": [
            [round(float(sums[1, at] / pairs[1, at]), 4), round(float(noise[at]), 4)]
            for at in drawn
        ],
    }


def _mean(values: Floats) -> float | None:
    return round(float(values.mean()), 6) if len(values) else None


def _quantile(values: Floats, share: float) -> float | None:
    return round(float(np.quantile(values, share)), 6) if len(values) else None
