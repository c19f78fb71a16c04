"""The page of `lab cluster`, with the numbers that paper 002 prints."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup_lab.clusterings.catalogue import CLUSTERINGS
from newsdedup_lab.report.report_content import (
    Block,
    BulletList,
    Cell,
    Paragraph,
    Plot,
    ReportTable,
    Section,
    Series,
    StudyReport,
)
from newsdedup_lab.similarities import SAME_TEXT

_PRINTED_SCORES: tuple[tuple[str, float | None, float, float, float, float], ...] = (
    ("center", None, 0.971, 0.805, 0.877, 0.692),
    ("merge_center", None, 0.958, 0.885, 0.918, 0.795),
    ("star", 0.2, 0.588, 0.730, 0.644, 0.726),
    ("star", 0.3, 0.778, 0.842, 0.805, 0.801),
    ("star", 0.4, 0.900, 0.870, 0.884, 0.781),
)
"""Clustering, threshold if one is printed, Pr, Re, F1, CPr."""

_NOTES = (
    (
        "Scores: for every true cluster the found one that shares most with it (of equals the "
        "smallest); Pr and Re are weighted by the size of the true cluster. A document that is "
        "alone in truth is a true cluster of one. CPr is the mean, over the found clusters of "
        "several, of the share of their pairs that belong together."
    ),
    (
        "Pr, Re, F1 and CPr are of the clusters as found, which overlap for star and "
        "articulation. B-cubed and the pairs need a partition: there a shared document goes where "
        "its most similar fellow is."
    ),
    (
        "The paper gives neither the tokens nor the weights of its similarities. Here tokens are "
        "content lemmas; weighted Jaccard takes idf = ln(N / df) of this collection, cosine "
        "tf-idf of the same idf, and edit similarity compares the sequences of lemmas at cost 1 "
        "for every operation."
    ),
    (
        "All pairs that reach the lowest threshold are found, exactly, without comparing all with "
        "all: what cannot reach it by the weight of its rarer words is left out."
    ),
    (
        "Center: the text may be read so that the partner of a closed document becomes a centre, "
        "or so that it stays new; here it becomes one."
    ),
    "Star: the degrees are those of the graph before any star is taken, as the text has them.",
    (
        "Ricochet is worked out in each connected part by itself, and ends there when all have a "
        "cluster."
    ),
    (
        "Articulation looks at no weights. Leader is the rule of the service: each document, in "
        "the order of time, joins the most similar earlier leader."
    ),
    "No window: documents of any two times may be paired, which the service would not do.",
)
"""How the paper was understood, and what holds for every table."""


_CLUSTERING_NAMES = tuple(clustering.name for clustering in CLUSTERINGS)
_COLUMNS = ("Pr", "Re", "F1", "CPr", "B³ P", "B³ R", "B³ F", "pairs P", "pairs R", "pairs F")
_SCORES = ("precision", "recall", "f1")

_Tables = Mapping[str, Mapping[str, Any]]


def cluster_report(
    truth: Mapping[str, Any], tables: _Tables, thresholds: Sequence[float]
) -> StudyReport:
    """Return the page of `lab cluster`, given the measurements of its stages as JSON values.

    `truth` has the counts of the true clusters; `tables` has for each similarity the rows of scores
    and the numbers of pairs.
    """
    measurements = {key: truth[key] for key in truth if key not in ("members", "labelled")}
    return StudyReport(
        "cluster",
        "Clusterings of similar pairs",
        f"{truth['documents']:,} documents, {len(_CLUSTERING_NAMES)} clusterings, {len(tables)} "
        f"similarities, {len(thresholds)} thresholds: the tables of paper 002.",
        (
            Section("The best of each", _best(tables, labelled=bool(truth["labelled"]))),
            Section("Against the threshold", _plots(tables)),
            Section("Alongside the printed numbers", _printed(tables)),
            *(
                Section(f"All measurements: {name}", (_whole(name, tables[name], thresholds),))
                for name in tables
            ),
            Section("The truth", (Paragraph(_truth(truth)), BulletList(_open(truth)))),
            Section("How this is read", (BulletList(_NOTES),)),
        ),
        {"truth": measurements, "thresholds": list(thresholds), "similarities": dict(tables)},
    )


def _rows(table: Mapping[str, Any], clustering: str) -> list[dict[str, Any]]:
    """Return the rows of one clustering in a table of scores."""
    return [row for row in table["rows"] if row["clustering"] == clustering]


def _best(tables: _Tables, *, labelled: bool) -> tuple[Block, ...]:
    """Return a table of each clustering under each similarity, at its threshold of the best F1.

    Its last row joins nothing. With `labelled` a table of scores on the labelled pairs alone
    follows.
    """
    rows: list[tuple[Cell, ...]] = []
    for similarity, table in tables.items():
        for clustering in _CLUSTERING_NAMES:
            # Of equally good ones the lowest threshold.
            row = max(_rows(table, clustering), key=lambda row: (row["f1"], -row["threshold"]))
            rows.append((similarity, *_cells(row)))
    nothing = next(iter(tables.values()))["rows"][-1]
    rows.append(("", *_cells(nothing)))
    parts: list[Block] = [
        ReportTable(
            "At the threshold of the best F1",
            ("similarity", "clustering", "θ", "clusters", *_COLUMNS),
            tuple(rows),
            about="Clusters are those of two documents and more. The last line joins nothing: "
            "where most documents are alone, even that scores high, and only what lies above it "
            "is earned.",
            best=("F1", "B³ F", "pairs F"),
        )
    ]
    if labelled:
        parts.append(_labelled(tables))
    return tuple(parts)


def _labelled(tables: _Tables) -> ReportTable:
    """Return a table of precision, recall and F on the labelled pairs alone.

    Each clustering under each similarity is at its threshold of the best F; of ties the lowest.
    """
    rows: list[tuple[Cell, ...]] = []
    for similarity, table in tables.items():
        for clustering in _CLUSTERING_NAMES:
            row = max(
                _rows(table, clustering),
                key=lambda row: (row["labelled"]["f1"], -row["threshold"]),
            )
            scores = [row["labelled"][name] for name in _SCORES]
            rows.append((similarity, clustering, f"{row['threshold']:g}", *scores))
    return ReportTable(
        "The labelled pairs alone, at the threshold of their best F",
        ("similarity", "clustering", "θ", "P", "R", "F"),
        tuple(rows),
        about="A pair is found when both items are in one cluster; no other pair counts.",
        best=("F",),
    )


def _cells(row: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Return a row's cells: clustering, threshold, number of clusters, and all ten scores."""
    threshold = None if row["threshold"] is None else f"{row['threshold']:g}"
    more = [row[kind][name] for kind in ("b_cubed", "pairwise") for name in _SCORES]
    four = [row[name] for name in ("precision", "recall", "f1", "clustering_precision")]
    return (row["clustering"], threshold, row["clusters"], *four, *more)


def _plots(tables: _Tables) -> tuple[Plot, ...]:
    """Return two plots for each similarity: F1 and pairwise F of each clustering by threshold."""
    plots = []
    for similarity, table in tables.items():
        for score, path in (("F1 of paper 002", ("f1",)), ("F of pairs", ("pairwise", "f1"))):
            series = tuple(
                Series(
                    clustering,
                    tuple((row["threshold"], _at(row, path)) for row in _rows(table, clustering)),
                )
                for clustering in _CLUSTERING_NAMES
            )
            plots.append(
                Plot(f"{score}, {similarity}", "threshold θ", score, series, y_range=(0.0, 1.02))
            )
    return tuple(plots)


def _at(row: Mapping[str, Any], path: Sequence[str]) -> float:
    """Return the number of a row that lies under these nested keys."""
    value: Any = row
    for name in path:
        value = value[name]
    return float(value)


def _printed(tables: _Tables) -> tuple[Block, ...]:
    """Return a table of the scores that paper 002 prints, each followed by ours at its threshold.

    Where the paper prints no threshold, ours is the one with the best F1.
    """
    rows: list[tuple[Cell, ...]] = []
    for clustering, threshold, *four in _PRINTED_SCORES:
        at = "" if threshold is None else f"{threshold:g}"
        rows.append((clustering, at, "printed", *four))
        for similarity, table in tables.items():
            found = [
                row
                for row in _rows(table, clustering)
                if threshold is None or row["threshold"] == threshold
            ]
            if found:
                row = max(found, key=lambda row: (row["f1"], -row["threshold"]))
                names = ("precision", "recall", "f1", "clustering_precision")
                rows.append(
                    (clustering, f"{row['threshold']:g}", similarity, *[row[n] for n in names])
                )
    return (
        ReportTable(
            "Center, Merge-Center, and Star by threshold",
            ("clustering", "θ", "similarity", "Pr", "Re", "F1", "CPr"),
            tuple(rows),
            about="The paper prints neither the collection, nor the similarity, nor the threshold "
            "of the first two; here they are at the threshold of their best F1. Its numbers and "
            "ours are of different collections: only their order can be compared.",
        ),
    )


def _whole(name: str, table: Mapping[str, Any], thresholds: Sequence[float]) -> ReportTable:
    """Return the table of all clusterings at all thresholds under the similarity `name`.

    Its remark names the number of similar pairs at each of `thresholds`.
    """
    pairs = ", ".join(
        f"{count:,} at {at:g}" for at, count in zip(thresholds, table["pairs"], strict=True)
    )
    return ReportTable(
        f"Every clustering at every threshold: {name}",
        ("clustering", "θ", "clusters", *_COLUMNS),
        tuple(_cells(row) for row in table["rows"]),
        about=f"Similar pairs: {pairs}.",
    )


def _truth(truth: Mapping[str, Any]) -> str:
    """Return a sentence on where the true clusters come from, how many and how large they are."""
    what = {
        "pairs": "the closure of the pairs that people called duplicates",
        "planted": "the stories that were planted in a generated stream",
        "texts": f"the closure of pairs whose texts are the same by {SAME_TEXT:.0%} and more",
    }[truth["kind"]]
    return (
        f"True clusters are {what}: {truth['clusters']:,} clusters of {truth['judged']:,} "
        f"documents, {truth['of_several']:,} of them of several, the largest of "
        f"{truth['largest']:,}."
    )


def _open(truth: Mapping[str, Any]) -> tuple[str, ...]:
    """Return remarks on what this kind of truth ("planted", "texts" or "pairs") cannot decide."""
    if truth["kind"] == "planted":
        return ("Nearly equal items that were planted apart (updates, templates) count as apart.",)
    if truth["kind"] == "texts":
        return (
            "This is no judgement of people: rewrites count as apart, templates as together.",
            (
                "The closure joins what a chain of nearly equal texts joins, even where its ends "
                "differ."
            ),
            "Pairs of a weighted Jaccard below the least threshold were not compared as texts.",
        )
    return (
        "Clusters are made of all documents; the scores look at the labelled ones alone.",
        (
            "Two labelled items that nobody compared, and that no chain of duplicates joins, "
            "count as apart. If they are together in truth, the reported precision is too low."
        ),
        (
            "The closure may join two items that people called no duplicates; the labelled pairs "
            "alone, in their own table, suffer from neither."
        ),
    )
