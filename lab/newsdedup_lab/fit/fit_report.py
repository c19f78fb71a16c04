"""The page of `lab fit`: scores, reliability, precision and recall, weights."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from newsdedup_lab.fit.fit_study import FitResult
from newsdedup_lab.fit.samples import AS_IT_CAME, READING_TITLES, READING_WEIGHTS
from newsdedup_lab.fit.validation import THRESHOLD_GRID
from newsdedup_lab.report.report_content import (
    Cell,
    Paragraph,
    Plot,
    ReportTable,
    Section,
    Series,
    StudyReport,
)

_COLUMNS = ("", "pairs", "precision", "recall", "F", "weighted P", "weighted R", "weighted F")


def fit_report(fitted: FitResult) -> StudyReport:
    """Return the page of `lab fit`: scores on unseen pairs, reliability, and the model."""
    values: dict[str, Any] = fitted.measurements()
    return StudyReport(
        name="fit",
        title="A model of the verifier",
        lead="Fitted on labelled pairs. Every score is of pairs that its model had not seen, "
        "with a threshold chosen without them. Pairs are compared directly, the habits of their "
        "whole stream known; those further apart than the window are no duplicates.",
        sections=(
            Section("Scores", (_scores(values), _classes(values), *_repeated_pairs(values))),
            Section("Probabilities", (_reliability(values), _curve(fitted))),
            Section("The model", (_weights(values), _threshold(values))),
        ),
        measurements=values,
    )


def _scores(values: Mapping[str, Any]) -> ReportTable:
    """Return the table of scores: by file and reading, for other sources, streams and languages."""
    rows = [
        (f"{file}, {READING_TITLES[reading]}", *_cells(readings[reading]))
        for file, readings in values["by_story"].items()
        for reading, _ in READING_WEIGHTS
    ]
    rows.append(("other sources", *_cells(values["by_source"])))
    rows += [
        (f"{name}, fitted on the others", *_cells(found))
        for apart in ("by_stream", "by_language")
        for name, found in values[apart].items()
    ]
    return ReportTable("Other stories, sources, streams and languages", _COLUMNS, tuple(rows))


def _repeated_pairs(values: Mapping[str, Any]) -> tuple[Paragraph, ...]:
    """Return the note on repeated pairs as a paragraph, none without such pairs."""
    return (Paragraph(repeated_pairs_note(values)),) if repeated_pairs_note(values) else ()


def repeated_pairs_note(values: Mapping[str, Any]) -> str:
    """Return a sentence on pairs whose items are in several streams, "" if there are none."""
    count = values["held_again"]
    return f"Pairs that several streams hold, counted once, in the first: {count}." if count else ""


def _cells(found: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Return the number of pairs and their precision, recall and F, plain and weighted."""
    shares = [
        found[kind][name]
        for kind in ("plain", "weighted")
        for name in ("precision", "recall", "f1")
    ]
    return (found["pairs"], *shares)


def _classes(values: Mapping[str, Any]) -> ReportTable:
    """Return the table of pairs and predicted duplicates, by file and class of the guide."""
    rows = [
        (file, label, row["pairs"], row["called"])
        for file, labels in values["classes"].items()
        for label, row in labels.items()
    ]
    return ReportTable("By class of the guide", ("file", "class", "pairs", "called"), tuple(rows))


def _reliability(values: Mapping[str, Any]) -> Plot:
    """Plot the share of duplicates against the predicted probability."""
    points = tuple((row["predicted"], row["true"]) for row in values["reliability"])
    return Plot(
        title="Reliability",
        x_label="predicted probability",
        y_label="share of duplicates",
        series=(
            Series("unseen pairs, by tenths", points, kind="points"),
            Series("as it should be", ((0.0, 0.0), (1.0, 1.0))),
        ),
        y_range=(0.0, 1.0),
    )


def _curve(fitted: FitResult) -> Plot:
    """Plot precision and recall against the threshold, on the unseen pairs of the first file."""
    samples, values = fitted.fitting.samples, fitted.validation.by_story
    first = np.array([samples.files[position] == samples.files[0] for position in values.positions])
    chances, truth = values.chances[AS_IT_CAME][first], samples.truth[values.positions[first]]
    precision, recall = [], []
    for cut in THRESHOLD_GRID:
        found = chances >= cut
        right = float((found & truth).sum())
        precision.append((cut, right / max(1.0, float(found.sum()))))
        recall.append((cut, right / max(1.0, float(truth.sum()))))
    return Plot(
        title="Precision and recall by threshold",
        x_label="threshold",
        y_label="share",
        series=(Series("precision", tuple(precision)), Series("recall", tuple(recall))),
        about=f"Pairs of {fitted.fitting.files[samples.files[0]]}.",
    )


def _weights(values: Mapping[str, Any]) -> ReportTable:
    """Return the table of the model's weights, habit and bias."""
    model = values["model"]
    weights = {**model["weights"], "habit": model["habit"], "bias": model["bias"]}
    return ReportTable("Weights", ("feature", "weight"), tuple(weights.items()))


def _threshold(values: Mapping[str, Any]) -> Paragraph:
    """Return a sentence with the threshold of the model and those of the folds."""
    cuts = ", ".join(f"{cut:g}" for cut in values["thresholds"])
    return Paragraph(f"Threshold {values['model']['threshold']:g}; in the folds {cuts}.")
