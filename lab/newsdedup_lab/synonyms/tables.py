"""The tables and plots of `lab synonyms`."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup_lab.report.report_content import Block, BulletList, Plot, ReportTable, Series, Zone
from newsdedup_lab.score.sweep import best_score, critical_interval
from newsdedup_lab.synonyms.threshold_curves import (
    CUT_LOWERS_TEXTS,
    LENGTH_TITLES,
    NOISE_WITH_CUT,
    NOISE_WITHOUT_CUT,
    PAPER,
    PRINTED_INTERVAL,
    PRINTED_SECONDS,
    VARIANT_LABELS,
    Curves,
)


def printed_and_measured(
    variants: Mapping[str, dict[str, Any]], curves: Curves, times: Sequence[dict[str, Any]]
) -> ReportTable:
    """Return a table of the numbers that the paper prints alongside ours.

    They are noise, critical intervals, what cutting stop words takes from the coefficient, and
    times.
    """

    def noise(name: str) -> str:
        """Return the noise of a variant as text, without and, if known, with synonyms."""
        coupled = f"{name} synonyms"
        text = _noise(variants[name])
        return f"{text}; with synonyms {_noise(variants[coupled])}" if coupled in variants else text

    def zone(name: str) -> str:
        """Return the critical interval of a variant as text."""
        low, high = critical_interval(curves[name, "all", "pairs"])
        return f"{low:.0%} to {high:.0%}"

    texts = [variants[name]["documents"]["texts"]["coefficient"] for name in ("all", "band")]
    fall = None if None in texts else texts[0] - texts[1]
    own = "band synonyms" if "band synonyms" in variants else "band"
    rows: list[tuple[str, str, str]] = [
        ("noise, all words", NOISE_WITHOUT_CUT, noise("all")),
        ("noise, stop words removed", NOISE_WITH_CUT, noise("band")),
        ("critical interval, stop words removed", _interval(PRINTED_INTERVAL), zone(own)),
        ("critical interval, all words", "5 % higher", zone(own.replace("band", "all"))),
        ("what removal takes from the coefficient of texts", f"{CUT_LOWERS_TEXTS:.0%}",
         _percent(fall)),
    ]  # fmt: skip
    for row in times:
        took = row["microseconds"]
        before, after = PRINTED_SECONDS[row["asked"]]
        rows.append(
            (
                f"time with stop words removed, {row['documents']} of {row['asked']:,} characters",
                f"{after / before:.0%} of that with all words",
                f"{took[own] / took[own.replace('band', 'all')]:.0%}",
            )
        )
    return ReportTable(
        "Printed and measured",
        ("", PAPER, "here"),
        tuple(rows),
        about="Noise here: of snippets, between the 5 % and the 95 % of them. Critical interval "
        "here: the thresholds whose F in the control group is at most 0.01 below the best. Where "
        "removal takes less than nothing, the coefficient rises.",
    )


def _noise(found: dict[str, Any]) -> str:
    """Return the 5 % and 95 % quantiles of the noise of snippets as text."""
    of = found["documents"]["snippets"]
    return f"{_percent(of['noise_from'])} to {_percent(of['noise_to'])}"


def _interval(bounds: tuple[float, float]) -> str:
    """Return two shares (0 to 1) as an interval in per cent."""
    return f"{bounds[0]:.0%} to {bounds[1]:.0%}"


def _percent(share: float | None) -> str:
    """Return a share (0 to 1) in per cent with one decimal, "unknown" for None."""
    return "unknown" if share is None else f"{share:.1%}"


def noise_table(variants: Mapping[str, dict[str, Any]]) -> ReportTable:
    """Return the table of mean noise and mean coefficient, by variant and length."""
    return ReportTable(
        "Mean coefficients",
        ("", "of", "documents", "noise", "from", "to", "with duplicates", "coefficient"),
        tuple(
            (
                VARIANT_LABELS[name],
                length,
                of["documents"],
                of["noise"],
                of["noise_from"],
                of["noise_to"],
                of["with_copies"],
                of["coefficient"],
            )
            for name, found in variants.items()
            for length, of in found["documents"].items()
        ),
        about="Noise: the mean of the documents, and from the 5 % to the 95 % of them.",
        digits=4,
    )


def threshold_tables(curves: Curves) -> tuple[ReportTable, ...]:
    """Return the tables of best thresholds: in the control group and, if known, the collection."""
    titles = {
        "pairs": ("Best thresholds in the control group", ""),
        "collection": (
            "Best thresholds in the whole collection",
            "Each pair counted as often as it stands for pairs of the collection.",
        ),
    }
    there = {counted for _, _, counted in curves}
    return tuple(
        _best(curves, counted, *text) for counted, text in titles.items() if counted in there
    )


def _best(curves: Curves, counted: str, title: str, about: str) -> ReportTable:
    """Return the table of best thresholds, critical intervals and scores there.

    It has a row for each variant and length in the curves whose pairs are counted by `counted`.
    """
    rows = []
    for (name, length, by), found in curves.items():
        if by == counted:
            top, (low, high) = best_score(found), critical_interval(found)
            row = (top.threshold, low, high, top.precision, top.recall, top.f1)
            rows.append((VARIANT_LABELS[name], LENGTH_TITLES[length], *row))
    columns = ("", "of", "threshold", "from", "to", "precision", "recall", "F")
    return ReportTable(title, columns, tuple(rows), about=about)


def time_table(
    times: Sequence[dict[str, Any]], variants: Mapping[str, dict[str, Any]]
) -> ReportTable:
    """Return the table of our times for a matrix of all pairs alongside the printed ones."""
    return ReportTable(
        "A matrix of all pairs, in microseconds",
        ("", *[VARIANT_LABELS[name] for name in variants], "paper, all words", "paper, removed"),
        tuple(
            (
                f"{row['documents']} documents of {row['characters']:,} characters in the mean",
                *[row["microseconds"][name] for name in variants],
                *[f"{seconds:,.0f} s" for seconds in PRINTED_SECONDS[row["asked"]]],
            )
            for row in times
        ),
        about="Of documents of the commonest language, their lemmas known already. The whole "
        "control group took "
        + ", ".join(
            f"{VARIANT_LABELS[name]} {found['seconds']:,} s" for name, found in variants.items()
        )
        + ". Times of the processor; those of the paper are with synonyms.",
        digits=1,
    )


def band_blocks(words: dict[str, Any]) -> tuple[Block, ...]:
    """Return the table of lemmas below, in and above the band, and remarks on its lower bound."""
    names = {"common": "too common", "kept": "kept", "rare": "too rare"}
    lemmas = sum(part["lemmas"] for part in words["parts"].values())
    return (
        ReportTable(
            "Lemmas of the collection",
            ("", "lemmas", "share", "occurrences", "share of them"),
            tuple(
                (
                    names[name],
                    part["lemmas"],
                    part["lemmas"] / max(1, lemmas),
                    part["occurrences"],
                    part["occurrences"] / max(1, words["total"]),
                )
                for name, part in words["parts"].items()
            ),
        ),
        BulletList(
            (
                (
                    f"A document has {words['of_document']} distinct lemmas in the mean, "
                    f"{words['kept_of_document']} of them in the band."
                ),
                f"The rarest that are too common: {', '.join(words['last_cut']) or 'none'}.",
                f"The commonest that are kept: {', '.join(words['first_kept']) or 'none'}.",
            )
        ),
    )


_PRINTED_ZONE = Zone(*PRINTED_INTERVAL, "interval of the paper")


def document_plots(variants: Mapping[str, dict[str, Any]]) -> tuple[Plot, ...]:
    """Return figure 2: two plots, of the coefficient and of the noise of each document."""
    measurements = ("coefficient with duplicates", "noise")
    return tuple(
        Plot(
            f"Figure 2: {measurement}",
            "document",
            measurement,
            tuple(
                Series(
                    VARIANT_LABELS[name],
                    tuple((at, row[index]) for at, row in enumerate(found["drawn"], 1)),
                )
                for name, found in variants.items()
            ),
            about="The first documents of the control group that have duplicates.",
            x_scale="whole",
        )
        for index, measurement in enumerate(measurements)
    )


def score_plots(curves: Curves) -> tuple[Plot, ...]:
    """Return figure 3: plots of recall, precision and F over all pairs against the threshold."""
    chosen = (
        ("recall", "recall", "pairs", "Of the duplicates of the control group."),
        ("precision", "precision", "pairs", "Of the pairs of the control group."),
        (
            "precision, whole collection",
            "precision",
            "collection",
            (
                "Each pair counted as often as it stands for pairs of the collection, where "
                "duplicates are rarer among the others."
            ),
        ),
        ("F", "f1", "pairs", "Of precision and recall in the control group."),
        ("F, whole collection", "f1", "collection", "Of both in the whole collection."),
    )
    there = {counted for _, _, counted in curves}
    return tuple(_plot(curves, *one) for one in chosen if one[2] in there)


def _plot(curves: Curves, title: str, measurement: str, counted: str, about: str) -> Plot:
    """Plot one score (`measurement`) of each variant against the threshold, counted one way."""
    series = [
        Series(
            VARIANT_LABELS[name],
            tuple(
                (one.threshold, value)
                for one in found
                if (value := getattr(one, measurement)) is not None
            ),
        )
        for (name, length, by), found in curves.items()
        if (length, by) == ("all", counted)
    ]
    return Plot(
        f"Figure 3: {title}",
        "threshold",
        "F" if measurement == "f1" else measurement,
        tuple(series),
        about=about,
        y_range=(0.0, 1.0),
        zones=(_PRINTED_ZONE,),
    )
