"""What a line of labelled pairs says of its pair."""

from collections.abc import Mapping
from math import isfinite

_LABELS = {
    **dict.fromkeys("RW", True),
    **dict.fromkeys(("U", "P", "S", "T", "N", "BAD"), False),
    "OK": None,
    "X": None,
}
"""Whether a class is one of duplicates; None where that is not said.

The letters are those of the guide. tgcontest calls two messages OK that are about the same event,
in whatever words, and BAD those that are not.
"""
_DUP_VALUES = {"1": True, "0": False, "?": None}
"""What `dup` may be: 1, 0, or ? where people differ."""

_LabelMeaning = tuple[bool | None, str]
"""Whether a pair is one of duplicates, and by which word; None if the word does not tell."""


def parse_label(values: Mapping[str, str]) -> _LabelMeaning:
    """Return what a line says; raise ValueError for a word that is not known.

    By `dup`, or where that is not filled in by `label`; `label_a` is the word of one labeller.
    """
    dup, label = values.get("dup", ""), values.get("label", "")
    if dup:
        return _look_up(dup, _DUP_VALUES, "dup"), f"dup {dup}"
    if label:
        return _look_up(label, _LABELS, "label"), f"label {label}"
    return None, "no label"


def parse_weight(values: Mapping[str, str]) -> float:
    """Return how many pairs of the pool one stands for; raise ValueError for what is no number."""
    written = values.get("weight") or "1"
    try:
        weight = float(written)
    except ValueError:
        raise ValueError(f"weight {written} is no number such as 1.5") from None
    if not (isfinite(weight) and weight >= 0):
        raise ValueError(f"weight {written}: a weight is 0 or more, and finite")
    return weight


def _look_up(word: str, words: Mapping[str, bool | None], column: str) -> bool | None:
    if word not in words:
        raise ValueError(f"{column} {word} is not known: one of {', '.join(words)}")
    return words[word]
