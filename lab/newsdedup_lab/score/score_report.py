"""The page of `lab score --out`: scores, curves and slices."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from newsdedup_lab.collections.pairs import LabelledPair
from newsdedup_lab.report.report_content import (
    AxisLabel,
    BulletList,
    Cell,
    Plot,
    ReportTable,
    Section,
    Series,
    StudyReport,
)
from newsdedup_lab.score.replay import Replay
from newsdedup_lab.score.sweep import Sweep, average_precision, best_score

_MAX_CURVES = 8
"""Curves that can be distinguished without colour."""
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
    result: Mapping[str, Any],
    pairs: Sequence[LabelledPair],
    replay: Replay,
    sweeps: Sequence[Sweep],
) -> StudyReport:
    """Return the page of `lab score`, given its results and the sweeps, that of the rule first.

    `pairs` are the labelled pairs whose items are in the replay.
    """
    rule = sweeps[0]
    return StudyReport(
        "score",
        f"Rule {rule.name} against {result['pairs']} labelled pairs",
        f"{result['pairs_without_items']} further pairs name items that are not there, "
        f"{sum(result['pairs_left_out'].values())} are left out. Threshold {rule.threshold:g}, "
        f"{rule.scale}.",
        (
            Section("Scores", (_scores(result, sweeps),)),
            Section("Precision and recall", _plots(sweeps)),
            Section("Thresholds", (_rule_plot(rule), _thresholds(rule))),
            Section("Slices", slice_tables(result, pairs, replay, rule)),
            Section("What each class was taken for", (_relations(result),)),
            Section("How this is read", (BulletList(_NOTES),)),
        ),
        {**result, "sweeps": {sweep.name: _sweep_measurements(sweep) for sweep in sweeps}},
    )


def _scores(result: Mapping[str, Any], sweeps: Sequence[Sweep]) -> ReportTable:
    """Return the table of scores at the set threshold, of the stream and of each sweep.

    A sweep also has its best threshold, the F there, and its average precision.
    """
    measurements = ("precision", "recall", "f1")
    rows: list[tuple[Cell, ...]] = [
        (
            f"{sweeps[0].name}, stream",
            sweeps[0].threshold,
            *[result[kind][name] for kind in ("plain", "weighted") for name in measurements],
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
                *[getattr(one, name) for one in own for name in measurements],
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
    """Return two plots of precision against recall, plain and weighted, of at most 8 sweeps.

    They are the rule and the methods of the best average precision.
    """
    titles = ((False, "each pair once"), (True, "weighted by the pool"))
    rule, *alongside = sweeps
    drawn = [rule, *sorted(alongside, key=_average, reverse=True)[: _MAX_CURVES - 1]]
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
    """Return the average precision of a sweep."""
    return average_precision(sweep.curve(weighted=False))


def _rule_plot(rule: Sweep) -> Plot:
    """Plot precision, recall and F of the rule against its threshold."""
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
        about="Each pair counts once. The labelled line is the threshold that is set.",
        x_scale="whole" if rule.scale == "shared terms" else "linear",
        y_range=(0.0, 1.0),
        x_labels=(AxisLabel(rule.threshold, "set"),),
    )


def _thresholds(rule: Sweep) -> ReportTable:
    """Return the table of the rule's scores by threshold, thinned to about 40 rows."""
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


def _relations(result: Mapping[str, Any]) -> ReportTable:
    """Return the table of how often each relation was given to pairs of each class."""
    names = sorted({name for row in result["relations"].values() for name in row})
    return ReportTable(
        "Relations by class of the guide",
        ("", *names),
        tuple(
            (label, *[row.get(name, 0) for name in names])
            for label, row in result["relations"].items()
        ),
        about="By the direct comparison.",
    )


def _sweep_measurements(sweep: Sweep) -> dict[str, Any]:
    """Return threshold, best threshold, average precision and curves of a sweep as JSON values."""
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


_SLICE_TITLES = {
    "label": "By class of the guide",
    "lang": "By language",
    "length": "By length",
    "source": "By source",
    "hours": "By hours between the items",
    "set": "By set",
}


def slice_tables(
    result: Mapping[str, Any], pairs: Sequence[LabelledPair], replay: Replay, rule: Sweep
) -> tuple[ReportTable, ...]:
    """Return a table for each kind of slice, with the stream's scores and the best threshold.

    The scores come from `result`; the best threshold of each slice from the sweep of the rule.
    """
    rows: dict[str, list[tuple[Cell, ...]]] = defaultdict(list)
    for name, part in replay.slices(pairs).items():
        kind, _, value = name.partition("=")
        rows[kind].append(_slice(value, result["slices"][name], part, rule))
    columns = ("", "pairs", "duplicates", "found", "precision", "recall", "F", "weighted F",
               "best threshold", "F there")  # fmt: skip
    return tuple(
        ReportTable(_SLICE_TITLES[kind], columns, tuple(rows[kind]), about=_about(kind))
        for kind in _SLICE_TITLES
        if kind in rows
    )


def _about(kind: str) -> str:
    """Return the remark under the table of slices of this kind."""
    if kind == "label":
        return "A class holds only duplicates or none; so of R and W recall tells, of others found."
    return "The stream; the last two columns are of the direct comparison of these pairs alone."


def _slice(
    value: str, part: Mapping[str, Any], pairs: Sequence[LabelledPair], rule: Sweep
) -> tuple[Cell, ...]:
    """Return the row of a slice: scores of the stream, best threshold and F of the rule's sweep.

    The last two are None unless the slice has both duplicates and other pairs.
    """
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
