"""The scores of slices of labelled pairs, as tables."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup.lab.collections.pairs import LabelledPair, pair_slices
from newsdedup.lab.report.report import Cell, ReportTable
from newsdedup.lab.score.score import Replay
from newsdedup.lab.score.sweep import Sweep
from newsdedup.lab.score.swept import best_score

_SLICE_TITLES = {
    "label": "By class of the guide",
    "lang": "By language",
    "length": "By length",
    "source": "By source",
    "hours": "By hours between the items",
    "set": "By set",
}


def slice_tables(
    told: Mapping[str, Any], pairs: Sequence[LabelledPair], replay: Replay, rule: Sweep
) -> tuple[ReportTable, ...]:
    """Return a table for each kind of slice: the stream's scores, and the best threshold."""
    parts: dict[str, list[LabelledPair]] = defaultdict(list)
    for pair in pairs:
        left, right = (replay.analyzed[key] for key in replay.keys(pair))
        for name in pair_slices(pair, left, right, replay.hours(pair)):
            parts[name].append(pair)
    rows: dict[str, list[tuple[Cell, ...]]] = defaultdict(list)
    for name in sorted(parts):
        kind, _, value = name.partition("=")
        rows[kind].append(_slice(value, told["slices"][name], parts[name], rule))
    columns = ("", "pairs", "duplicates", "found", "precision", "recall", "F", "weighted F",
               "best threshold", "F there")  # fmt: skip
    return tuple(
        ReportTable(_SLICE_TITLES[kind], columns, tuple(rows[kind]), about=_about(kind))
        for kind in _SLICE_TITLES
        if kind in rows
    )


def _about(kind: str) -> str:
    if kind == "label":
        return "A class holds only duplicates or none; so of R and W recall tells, of others found."
    return "The stream; the last two columns are of the direct comparison of these pairs alone."


def _slice(
    value: str, part: Mapping[str, Any], pairs: Sequence[LabelledPair], rule: Sweep
) -> tuple[Cell, ...]:
    duplicates = sum(pair.duplicate for pair in pairs)
    top = (
        best_score(rule.for_pairs(pairs).curve(weighted=False))
        if 0 < duplicates < len(pairs)
        else None
    )
    plain, weighted = part["plain"], part["weighted"]
    return (
        value,
        part["pairs"],
        duplicates,
        part["found"],
        *[plain[name] for name in ("precision", "recall", "f1")],
        weighted["f1"],
        None if top is None else top.threshold,
        None if top is None else top.f1,
    )
