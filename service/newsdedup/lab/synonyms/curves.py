"""The four variants of seed 004 by name, and their scores against the threshold."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup.lab.score.swept import (
    ThresholdScore,
    best_score,
    critical_interval,
    threshold_scores,
)

VARIANTS = ("all", "band", "all synonyms", "band synonyms")
LABELS = {
    "all": "all words",
    "band": "band",
    "all synonyms": "all, synonyms",
    "band synonyms": "band, synonyms",
}
LENGTHS = {"all": "all pairs", "snippets": "two snippets", "texts": "two texts"}
THRESHOLDS = tuple(at / 100 for at in range(101))

Curves = Mapping[tuple[str, str, str], Sequence[ThresholdScore]]
"""By variant, length of the documents, and what is counted."""


def curves_of(variants: Mapping[str, dict[str, Any]], *, sampled: bool) -> Curves:
    """Return all curves; those of the whole collection only if pairs are a sample of it."""
    return {
        (name, length, counted): curve(found["histograms"], length, counted)
        for name, found in variants.items()
        for length in LENGTHS
        for counted in (("pairs", "collection") if sampled else ("pairs",))
    }


def curve(
    histograms: Mapping[str, Sequence[float]], length: str, counted: str
) -> list[ThresholdScore]:
    """Return the scores of a variant at every percent."""
    same = histograms[f"{length} same {counted}"]
    other = histograms[f"{length} other {counted}"]
    return threshold_scores(same, other, THRESHOLDS)


def told(found: Sequence[ThresholdScore]) -> dict[str, Any]:
    """Return a curve as JSON knows it, with its best threshold and what is near to it."""
    return {
        "best": best_score(found).threshold,
        "critical": critical_interval(found),
        "precision": [None if one.precision is None else round(one.precision, 4) for one in found],
        "recall": [round(one.recall, 4) for one in found],
        "f1": [round(one.f1, 4) for one in found],
    }
