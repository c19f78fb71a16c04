"""The page of `lab compare`."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup_lab.compare import order, plots
from newsdedup_lab.compare.buckets import MAX_EFFORT, MAX_REACH
from newsdedup_lab.compare.error_examples import SAMPLED_ERRORS, SHORT_WORDS
from newsdedup_lab.compare.paper import (
    COMPARE_NOTES,
    METHOD_NUMBERS,
    POOL_PRINTED,
    TABLE_2,
    TABLE_3,
    TABLE_4_NAMES,
    VERIFIED_PRINTED,
    method_title,
    printed_dice,
)
from newsdedup_lab.report.report_content import (
    Block,
    BulletList,
    Cell,
    HeatMap,
    Paragraph,
    ReportTable,
    Section,
    StudyReport,
)
from newsdedup_lab.similarities import SAME_TEXT

_SCORES = ("precision", "recall", "f1")
_BAND_TITLES = ("0.80–0.85", "0.85–0.90", "0.90–0.95", "0.95–1", "equal")

_Measurements = Mapping[str, Any]
_Costs = Mapping[str, _Measurements]


def compare_report(
    documents: _Measurements, costs: _Costs, measurements: _Measurements, curves: _Measurements
) -> StudyReport:
    """Return the page of `lab compare`, given the measurements of its stages as JSON values.

    `documents` counts the collection, `costs` has the cost of each method, `measurements` the
    scores, `curves` the points of formulas and trials.
    """
    people = [_people(one) for one in measurements["people"]]
    if measurements["planted"]:
        people.append(_planted(measurements["planted"]))
    return StudyReport(
        "compare",
        "Methods compared",
        f"{documents['documents']:,} documents of {documents['mean_words']:,} words in the mean, "
        f"{len(costs)} methods: tables 2, 3, 4 and 7 of paper 000, and what its formulas foretell.",
        (
            Section("Quality by texts", _texts(measurements)),
            *([Section("Quality by other truths", tuple(people))] if people else []),
            Section("Our order and that of the paper", order.order_blocks(measurements)),
            Section("Pairs found", _pairs(costs, measurements)),
            Section("Cost, and what was left out", cost_blocks(costs, documents["documents"])),
            Section(
                "Errors", (_bands(measurements), _errors(measurements), _examples(measurements))
            ),
            Section("Formulas and edited texts", plots.curve_blocks(curves)),
            Section("How this is read", (BulletList(COMPARE_NOTES),)),
        ),
        {"documents": documents, "methods": dict(costs), "quality": measurements, "curves": curves},
    )


def _texts(measurements: _Measurements) -> tuple[Block, ...]:
    """Return a sentence on the pool and the table of scores by text, alongside the printed ones.

    With a sample of the pool, the table has 95 % intervals.
    """
    sampled = measurements["compared"] < measurements["pool"]
    rows: list[tuple[Cell, ...]] = []
    for row in measurements["texts"]:
        name = row["method"]
        intervals = [_range(row[f"{kind}_interval"]) for kind in ("precision", "recall")]
        rows.append(
            (
                method_title(name),
                *[row[score] for score in _SCORES],
                *(intervals if sampled else []),
                *TABLE_2.get(name, (None, None, None)),
            )
        )
    more = ("P 95 %", "R 95 %") if sampled else ()
    drawn = (
        f" {measurements['compared']:,} of them, drawn by a hash, were compared: precision and "
        "recall are estimates."
        if sampled
        else ""
    )
    share = measurements["same"] / max(1, measurements["compared"])
    return (
        Paragraph(
            f"The methods together found {measurements['pool']:,} pairs.{drawn} "
            f"{measurements['same']:,} of "
            f"those compared are the same text by {SAME_TEXT:.0%} and more, {share:.0%}; in "
            f"the paper {VERIFIED_PRINTED:.0%} of {POOL_PRINTED:,} were."
        ),
        ReportTable(
            "Tables 2 and 7",
            ("method", "P", "R", "F", *more, "printed P", "R ", "F "),
            tuple(rows),
            about="Ordered by F. Printed are the numbers of the paper, for its own collection.",
            best=("P", "R", "F"),
        ),
    )


def _range(interval: Sequence[float] | None) -> str | None:
    """Return an interval as text, None for none."""
    return None if interval is None else f"{interval[0]:.3f}–{interval[1]:.3f}"


def _people(measurements: _Measurements) -> ReportTable:
    """Return the table of scores against one file of labelled pairs."""
    weighted = any(row["weighted"] != {k: row[k] for k in _SCORES} for row in measurements["rows"])
    rows: list[tuple[Cell, ...]] = []
    for row in measurements["rows"]:
        more = [row["weighted"][score] for score in _SCORES] if weighted else []
        scores = [row[score] for score in _SCORES]
        interval = _range(row["intervals"].get("f1"))
        rows.append((method_title(row["method"]), row["found"], *scores, interval, *more))
    return ReportTable(
        f"Against {measurements['file']}",
        (
            *("method", "found", "P", "R", "F", "F 95 %"),
            *(("weighted P", "R ", "F ") if weighted else ()),
        ),
        tuple(rows),
        about=f"{measurements['pairs']:,} pairs that people compared, "
        f"{measurements['duplicates']:,} of them "
        "duplicates; other pairs are not counted."
        + (" Weighted: each by the pairs that it stands for." if weighted else ""),
        best=("F", "F "),
    )


def _planted(measurements: _Measurements) -> ReportTable:
    """Return the table of scores against the planted truth."""
    return ReportTable(
        "Against the planted truth",
        ("method", "P", "R", "F"),
        tuple(
            (
                method_title(row["method"]),
                *[row[score] for score in _SCORES],
            )
            for row in measurements["rows"]
        ),
        about=f"{measurements['pairs']:,} pairs of items of one planted story, found or not.",
        best=("F",),
    )


def _pairs(costs: _Costs, measurements: _Measurements) -> tuple[Block, ...]:
    """Return the numbers of pairs and the Dice coefficients of the methods, ours and printed."""
    names = tuple(costs)
    printed = tuple(
        tuple(printed_dice(one, other) for other in TABLE_4_NAMES) for one in TABLE_4_NAMES
    )
    return (
        ReportTable(
            "Table 3",
            ("method", "pairs", "printed"),
            tuple(
                (method_title(name), cost["found"], TABLE_3.get(name))
                for name, cost in costs.items()
            ),
            about=f"All together {measurements['pool']:,} here, {POOL_PRINTED:,} in the paper.",
        ),
        HeatMap(
            "Table 4",
            tuple(METHOD_NUMBERS[name] for name in names),
            tuple(tuple(row) for row in measurements["dice"]),
            about="Dice coefficient of the pairs of two methods: 2 * both / (one + other).",
        ),
        HeatMap(
            "Table 4 as printed",
            tuple(METHOD_NUMBERS[name] for name in TABLE_4_NAMES),
            printed,
            about="Of the paper, for its own collection.",
        ),
    )


def _bands(measurements: _Measurements) -> ReportTable:
    """Return a table of each method's recall by similarity of the texts."""
    counts = " and ".join(f"{count:,}" for count in measurements["same_by_band"])
    return ReportTable(
        "Recall by similarity of the texts",
        ("method", *_BAND_TITLES),
        tuple(
            (method_title(row["method"]), *row["recall_by_similarity"])
            for row in measurements["texts"]
        ),
        about=f"There are {counts} true pairs in these bands.",
        digits=2,
    )


def _errors(measurements: _Measurements) -> ReportTable:
    """Return a table of each method's false and missed pairs: counts, and shares by kind."""
    rows: list[tuple[Cell, ...]] = []
    for name, kinds in measurements["errors"].items():
        false, missed = kinds["false"], kinds["missed"]
        looked = max(1, false["looked_at"])
        shares = [count / looked if false["pairs"] else None for count in false["by_similarity"]]
        near = missed["near"] / missed["pairs"] if missed["pairs"] else None
        other = [
            false[kind] / looked if false["pairs"] else None
            for kind in ("of_other_length", "short")
        ]
        short = missed["short"] / max(1, missed["looked_at"]) if missed["pairs"] else None
        rows.append(
            (method_title(name), false["pairs"], *shares, *other, missed["pairs"], near, short)
        )
    return ReportTable(
        "What is false and what is missed",
        (
            *("method", "false", "< 0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "other length"),
            *("short", "missed", "≥ 0.95", "short "),
        ),
        tuple(rows),
        about=f"Of up to {SAMPLED_ERRORS} pairs of each kind, drawn by hash. False: shares by "
        "similarity of the texts, of lengths that differ by more than a half, of texts of fewer "
        f"than {SHORT_WORDS} words. Missed: of texts that hardly differ, and of short ones.",
        digits=2,
    )


def _examples(measurements: _Measurements) -> ReportTable:
    """Return a table of example pairs, false and missed, by method."""
    return ReportTable(
        "Examples by name",
        ("method", "kind", "similarity", "letters", "id", "id "),
        tuple(
            (
                METHOD_NUMBERS[name],
                kind,
                one["similarity"],
                f"{one['letters'][0]:,} / {one['letters'][1]:,}",
                one["left"][1],
                one["right"][1],
            )
            for name, kinds in measurements["errors"].items()
            for kind in ("false", "missed")
            for one in kinds[kind]["examples"]
        ),
        about="The pairs were drawn by hash, not chosen. Their sources are in the JSON.",
    )


_MILLION = 1e6


def cost_blocks(costs: Mapping[str, Mapping[str, Any]], documents: int) -> tuple[Block, ...]:
    """Return the table of each method's costs per document, and which pairs its reach left out."""
    lines = [
        f"{method_title(name)}: up to {cost['left_out']:,} pairs with a common key were not "
        f"looked at (reach {cost['reach']}, largest bucket {cost['largest']:,} documents)."
        for name, cost in costs.items()
        if cost["left_out"]
    ]
    return (
        ReportTable(
            "Cost for each document",
            (
                "method", "signed", "sign, µs", "keys", "bytes", "pairs, µs", "compared",
                "largest bucket", "reach",
            ),
            tuple(
                (
                    method_title(name),
                    cost["signed"] / documents,
                    _MILLION * cost["sign_seconds"] / documents,
                    cost["keys"] / documents,
                    cost["bytes"] / documents,
                    _MILLION * cost["pair_seconds"] / documents,
                    cost["compared"] / documents,
                    cost["largest"],
                    cost["reach"],
                )
                for name, cost in costs.items()
            ),
            about="In the mean over all documents. Signed: the share in which there was something "
            "to sign. Pairs: finding candidates by keys and comparing them.",
            digits=1,
        ),
        Paragraph(
            f"In a bucket of equal keys, documents stand by the length of their texts, and each is "
            f"compared with at most {MAX_REACH} next ones; a method that would need more than "
            f"{MAX_EFFORT} comparisons for each document in the mean gets a smaller reach. So the "
            "work of no method grows with the square of the collection."
        ),
        BulletList(tuple(lines)) if lines else Paragraph("Here these bounds left out nothing."),
    )  # fmt: skip
