"""The page of `lab calibrate`."""

from typing import Any

from newsdedup_lab.report.report_content import (
    AxisLabel,
    BulletList,
    Paragraph,
    Plot,
    ReportTable,
    Section,
    Series,
    StudyReport,
)

_PAPER = "Lande, Darmokhval, Morozov (2006)"
_PRINTED_TERMS = 6
"""Shared terms of 12 from which on the paper takes documents for duplicates."""

_NOTES = (
    (
        "Duplicates: a(i, j) = 1 when the signatures of i and j share at least t terms. This is "
        "what the paper compares; it is symmetric by construction, so its asymmetry is 0 "
        "everywhere."
    ),
    (
        "Similar: a(i, j) = 1 when at least t terms of the signature of i are among all terms of "
        "the document j. This is our reading of the paper's asymmetry, which the other cannot "
        "have: a digest holds the terms of its parts, but its parts do not hold its terms."
    ),
    "No document is compared with itself, and i, j and k are distinct.",
    (
        "The paper's transitivity, closed paths by pairs, has no bound and grows with the size of "
        "stories and of the collection; the share of closed paths lies between 0 and 1."
    ),
    (
        "The balance is the share of closed paths less half the asymmetry. The recommended number "
        "of terms is its knee: the point farthest above the straight line between its ends. "
        "Going on to the end would be best for both coefficients, but finds only equal "
        "signatures."
    ),
    (
        "The coefficients say how near a rule comes to an equivalence, not whether what it joins "
        "is one message: the paper left that to experts, `newsdedup lab score` to labelled pairs."
    ),
)


def calibration_report(
    documents: dict[str, Any], duplicate: dict[str, Any], similar: dict[str, Any]
) -> StudyReport:
    """Return the page of `lab calibrate`, given the measurements of its stages as JSON values.

    `documents` counts the compared documents; `duplicate` and `similar` have the coefficients and
    the recommended number of terms of each relation (`curve_points`).
    """
    of = documents["terms"]
    return StudyReport(
        "calibrate",
        "How many shared terms make a duplicate",
        f"{documents['compared']:,} of {documents['items']:,} documents, signatures of up to {of} "
        f"terms; figures 2 and 3 of {_PAPER}.",
        (
            Section("Recommendation", _recommendation(of, duplicate, similar)),
            Section("Figures 2 and 3", _plots(duplicate, similar)),
            Section(
                "All coefficients",
                (_table("Duplicates", duplicate), _table("Similar", similar)),
            ),
            Section("How this is read", (BulletList((*_about(documents), *_NOTES)),)),
        ),
        {"documents": documents, "duplicates": duplicate, "similar": similar},
    )


def _recommendation(
    of: int, duplicate: dict[str, Any], similar: dict[str, Any]
) -> tuple[Paragraph | ReportTable, ...]:
    """Return a sentence: our recommended numbers of shared terms, of `of`, and the paper's."""
    ours = duplicate["recommended"]
    agrees = "the same" if ours == _PRINTED_TERMS else f"here it is {ours}"
    return (
        Paragraph(
            f"For duplicates {ours} shared terms of {of}; for similar documents "
            f"{similar['recommended']}. The paper found {_PRINTED_TERMS} of 12 "
            f"for duplicates: {agrees}."
        ),
    )


def _about(documents: dict[str, Any]) -> list[str]:
    """Return remarks on short signatures and, if not all documents were compared, on the sample."""
    lines = [
        (
            f"{documents['short']:,} of the {documents['compared']:,} documents have a shorter "
            f"signature than {documents['terms']} terms; they cannot share more than they have. A "
            f"document has {documents['mean_terms_of_document']:,} distinct terms in the mean."
        )
    ]
    if documents["compared"] < documents["items"]:
        lines.append(
            f"{documents['compared']:,} documents were chosen by a hash of their names: time and "
            "memory grow with the square of their number. In a smaller collection a story has "
            "fewer members, so the paper's transitivity is lower than it would be for all."
        )
    return lines


def _plots(duplicate: dict[str, Any], similar: dict[str, Any]) -> tuple[Plot, ...]:
    """Return a plot of each coefficient of both relations by the number of shared terms."""
    return (
        _plot(
            "Figure 2: asymmetry",
            "asymmetry",
            "Lower is better. At most 2: each pair counts in both directions.",
            duplicate,
            similar,
        ),
        _plot(
            "Figure 3: transitivity",
            "transitivity",
            "Closed paths by pairs, as in the paper; it has no bound, so the axis is logarithmic.",
            duplicate,
            similar,
            logarithmic=True,
        ),
        _plot(
            "Figure 3, bounded: closed paths",
            "closed_share",
            "The share of paths from i over j to k whose ends are related too.",
            duplicate,
            similar,
        ),
        _plot(
            "Balance of both",
            "balance",
            "The share of closed paths less half the asymmetry; the labelled lines are the knees.",
            duplicate,
            similar,
            marked=True,
        ),
    )


def _plot(
    title: str,
    coefficient: str,
    about: str,
    duplicate: dict[str, Any],
    similar: dict[str, Any],
    *,
    logarithmic: bool = False,
    marked: bool = False,
) -> Plot:
    """Plot one coefficient, the key `coefficient` of the points, of both relations against t.

    `marked` labels the recommended numbers of terms; a logarithmic plot leaves out points at 0.
    """
    series = tuple(
        Series(
            label,
            tuple(
                (point["shared"], point[coefficient])
                for point in reading["points"]
                if point["pairs"] and (point[coefficient] > 0 or not logarithmic)
            ),
        )
        for label, reading in (("duplicates", duplicate), ("similar", similar))
    )
    knees = sorted({duplicate["recommended"], similar["recommended"]} - {0})
    return Plot(
        title,
        "t, shared terms",
        coefficient.replace("_", " "),
        series,
        about=about,
        x_scale="whole",
        y_scale="log" if logarithmic else "linear",
        x_labels=tuple(AxisLabel(knee, f"t = {knee}") for knee in knees) if marked else (),
    )


def _table(title: str, reading: dict[str, Any]) -> ReportTable:
    """Return a table of all coefficients of one relation, with a row for each t."""
    names = ("shared", "pairs", "asymmetry", "transitivity", "closed_share", "balance")
    return ReportTable(
        title,
        ("t", "pairs", "asymmetry", "transitivity", "closed share", "balance"),
        tuple(tuple(point[name] for name in names) for point in reading["points"]),
        about=f"Recommended: t = {reading['recommended']}. Pairs count in both directions.",
        digits=4,
    )
