"""The variants of paper 004, its printed numbers, and our scores against the threshold."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup_lab.score.sweep import (
    ThresholdScore,
    best_score,
    critical_interval,
    threshold_scores,
)

PAPER = "Neelova, Sychugov (2009)"
NOISE_WITHOUT_CUT = "5 to 10 %"
NOISE_WITH_CUT = "1 to 3 %"
PRINTED_INTERVAL = (0.20, 0.30)
"""The interval of the coefficient in which duplicates begin, stop words removed: for snippets."""
CUT_LOWERS_TEXTS = 0.02
"""How much the coefficient of texts of 2,000 characters falls when stop words are removed."""
PRINTED_SECONDS = {
    2_000: (4_298.422, 2_750.469),
    300: (1_976.875, 991.360),
    4_000: (9_112.485, 7_715.109),
}
"""By characters: with all words and with stop words removed. The table says milliseconds; it counts
with synonyms, for 4 documents of 2,000 characters, 20 of 300 and 4 of 4,000."""


VARIANTS = ("all", "band", "all synonyms", "band synonyms")
VARIANT_LABELS = {
    "all": "all words",
    "band": "band",
    "all synonyms": "all, synonyms",
    "band synonyms": "band, synonyms",
}
LENGTH_TITLES = {"all": "all pairs", "snippets": "two snippets", "texts": "two texts"}
_THRESHOLDS = tuple(at / 100 for at in range(101))

Curves = Mapping[tuple[str, str, str], Sequence[ThresholdScore]]
"""By variant, length of the documents, and what is counted."""


def build_curves(variants: Mapping[str, dict[str, Any]], *, sampled: bool) -> Curves:
    """Return the scores of each variant by threshold, for all lengths.

    Those of the whole collection, by weights, are added if the group is a sample (`sampled`).
    """
    return {
        (name, length, counted): score_curve(found["histograms"], length, counted)
        for name, found in variants.items()
        for length in LENGTH_TITLES
        for counted in (("pairs", "collection") if sampled else ("pairs",))
    }


def score_curve(
    histograms: Mapping[str, Sequence[float]], length: str, counted: str
) -> list[ThresholdScore]:
    """Return the scores at each percent of the coefficient, from a variant's histograms.

    `length` is "all", "snippets" or "texts"; `counted` "pairs" or "collection" (by weight).
    """
    same = histograms[f"{length} same {counted}"]
    other = histograms[f"{length} other {counted}"]
    return threshold_scores(same, other, _THRESHOLDS)


def curve_measurements(found: Sequence[ThresholdScore]) -> dict[str, Any]:
    """Return a curve with its best threshold and critical interval as JSON values."""
    return {
        "best": best_score(found).threshold,
        "critical": critical_interval(found),
        "precision": [None if one.precision is None else round(one.precision, 4) for one in found],
        "recall": [round(one.recall, 4) for one in found],
        "f1": [round(one.f1, 4) for one in found],
    }
