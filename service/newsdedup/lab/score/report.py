"""The page of a score: the curves of precision and recall, and the slices."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from newsdedup.lab.collections.pairs import LabelledPair
from newsdedup.lab.report.report import (
    BulletList,
    Cell,
    Mark,
    Plot,
    ReportTable,
    Section,
    Series,
    StudyReport,
)
from newsdedup.lab.score.score import Replay
from newsdedup.lab.score.slices import slice_tables
from newsdedup.lab.score.sweep import Sweep, average_precision
from newsdedup.lab.score.swept import best_score

_MAX_CURVES = 8
"""Curves that can be told apart without colour."""
_TABLE_ROWS = 40
"""Thresholds of the longest table."""

_NOTES = (
    (
        "Stream: the items were replayed in the order of their times; a pair is found when its "
        "later item is judged a duplicate and both end in one story. At another threshold than the "
        "one that is set this would be another replay, so the curves are those of the direct "
        "comparison: what the look-up does not find is not missing in them."
    ),
    (
        "A pair is left out if people differ, or if its label does not tell whether it is one of "
        "duplicates. Undated items came right behind the item above them, as in a run."
    ),
    (
        "Weighted: each pair counts as often as it stands for pairs of the pool that it was drawn "
        "from."
    ),
    (
        "Average precision: the mean of the precision over all steps of recall, from the highest "
        "threshold down; recall that no threshold reaches counts as 0."
    ),
    (
        "Items further apart in time than the window are never duplicates. Of rule verified, texts "
        "that are the same on their face are found at any threshold; of rule terms, so are equal "
        "short signatures; it always asks for half of the longer signature, so that of 12 terms "
        "fewer than 6 change little."
    ),
    (
        "A best threshold was chosen on the pairs that it is then scored on: on other pairs it "
        "will be less good."
    ),
    (
        "Length: the content words of the shorter item; short are fewer than 12, long are 100 and "
        "more."
    ),
)


def score_report(
    told: Mapping[str, Any],
    pairs: Sequence[LabelledPair],
    replay: Replay,
    sweeps: Sequence[Sweep],
) -> StudyReport:
    """Return the report of what `lab score` tells, with the sweep of the rule first."""
    rule = sweeps[0]
    return StudyReport(
        "score",
        f"Rule {rule.name} against {told['pairs']} labelled pairs",
        f"{told['pairs_without_items']} further pairs name items that are not there, "
        f"{sum(told['pairs_left_out'].values())} are left out. Threshold {rule.threshold:g}, "
        f"{rule.scale}.",
        (
            Section("Scores", (_scores(told, sweeps),)),
            Section("Precision and recall", _plots(sweeps)),
            Section("Thresholds", (_rule_plot(rule), _thresholds(rule))),
            Section("Slices", slice_tables(told, pairs, replay, rule)),
            Section("What each class was taken for", (_relations(told),)),
            Section("How this is read", (BulletList(_NOTES),)),
        ),
        {**told, "sweeps": {sweep.name: _sweep_figures(sweep) for sweep in sweeps}},
    )


def _scores(told: Mapping[str, Any], sweeps: Sequence[Sweep]) -> ReportTable:
    figures = ("precision", "recall", "f1")
    rows: list[tuple[Cell, ...]] = [
        (
            f"{sweeps[0].name}, stream",
            sweeps[0].threshold,
            *[told[kind][name] for kind in ("plain", "weighted") for name in figures],
            *[None] * 4,
        )
    ]
    for sweep in sweeps:
        plain, weighted = sweep.curve(weighted=False), sweep.curve(weighted=True)
        own = [sweep.at_set_threshold(curve) for curve in (plain, weighted)]
        rows.append(
            (
                sweep.name,
                sweep.threshold,
                *[getattr(one, name) for one in own for name in figures],
                best_score(plain).threshold,
                best_score(plain).f1,
                average_precision(plain),
                average_precision(weighted),
            )
        )
    columns = ("", "threshold", "precision", "recall", "F", "weighted P", "weighted R",
               "weighted F", "best threshold", "F there", "average P", "weighted")  # fmt: skip
    about = "The first row is the whole engine, the others the direct comparison of the pairs."
    return ReportTable(
        "At the threshold that is set, and over all", columns, tuple(rows), about=about
    )


def _plots(sweeps: Sequence[Sweep]) -> tuple[Plot, ...]:
    titles = ((False, "each pair once"), (True, "weighted by the pool"))
    rule, *beside = sweeps
    drawn = [rule, *sorted(beside, key=_average, reverse=True)[: _MAX_CURVES - 1]]
    about = "Each point is a threshold; the highest are on the left."
    if len(drawn) < len(sweeps):
        about += f" The rule, and the {_MAX_CURVES - 1} methods of the best average precision."
    return tuple(
        Plot(
            f"Precision against recall, {title}",
            "recall",
            "precision",
            tuple(
                Series(
                    sweep.name,
                    tuple(
                        (one.recall, one.precision)
                        for one in sweep.curve(weighted=weighted)
                        if one.precision is not None
                    ),
                )
                for sweep in drawn
            ),
            about=about,
            y_range=(0.0, 1.0),
        )
        for weighted, title in titles
    )


def _average(sweep: Sweep) -> float:
    return average_precision(sweep.curve(weighted=False))


def _rule_plot(rule: Sweep) -> Plot:
    curve = rule.curve(weighted=False)
    named = (("precision", "precision"), ("recall", "recall"), ("F", "f1"))
    return Plot(
        f"Rule {rule.name} against its threshold",
        rule.scale,
        "",
        tuple(
            Series(
                label,
                tuple(
                    (one.threshold, value)
                    for one in curve
                    if (value := getattr(one, name)) is not None
                ),
            )
            for label, name in named
        ),
        about="Each pair counts once. The mark is the threshold that is set.",
        x_scale="whole" if rule.scale == "shared terms" else "linear",
        y_range=(0.0, 1.0),
        marks=(Mark(rule.threshold, "set"),),
    )


def _thresholds(rule: Sweep) -> ReportTable:
    plain, weighted = rule.curve(weighted=False), rule.curve(weighted=True)
    step = -(-len(plain) // _TABLE_ROWS)
    shown = sorted(
        {
            *range(0, len(plain), step),
            plain.index(rule.at_set_threshold(plain)),
            plain.index(best_score(plain)),
        }
    )
    return ReportTable(
        "Scores by threshold",
        (rule.scale, "precision", "recall", "F", "weighted P", "weighted R", "weighted F"),
        tuple(
            (
                f"{plain[at].threshold:g}",
                *[getattr(plain[at], name) for name in ("precision", "recall", "f1")],
                *[getattr(weighted[at], name) for name in ("precision", "recall", "f1")],
            )
            for at in shown
        ),
        about="" if step == 1 else f"One of {step} thresholds, the set one and the best.",
        best=("F", "weighted F"),
    )


def _relations(told: Mapping[str, Any]) -> ReportTable:
    names = sorted({name for row in told["relations"].values() for name in row})
    return ReportTable(
        "Relations by class of the guide",
        ("", *names),
        tuple(
            (label, *[row.get(name, 0) for name in names])
            for label, row in told["relations"].items()
        ),
        about="By the direct comparison.",
    )


def _sweep_figures(sweep: Sweep) -> dict[str, Any]:
    curves = {kind: sweep.curve(weighted=kind == "weighted") for kind in ("plain", "weighted")}
    return {
        "scale": sweep.scale,
        "threshold": sweep.threshold,
        **{
            kind: {
                "best": best_score(curve).threshold,
                "average_precision": round(average_precision(curve), 4),
                "curve": [
                    {
                        name: None if value is None else round(value, 4)
                        for name, value in asdict(one).items()
                    }
                    for one in curve
                ],
            }
            for kind, curve in curves.items()
        },
    }
