"""The page of `lab synonyms`."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup_lab.report.report_content import BulletList, Section, StudyReport
from newsdedup_lab.synonyms.tables import (
    band_blocks,
    document_plots,
    noise_table,
    printed_and_measured,
    score_plots,
    threshold_tables,
    time_table,
)
from newsdedup_lab.synonyms.threshold_curves import (
    PAPER,
    VARIANTS,
    build_curves,
    curve_measurements,
)

_NOTES = (
    (
        "A word is a lemma; the coefficient is the share of the distinct lemmas of two documents "
        "that are in both. With synonyms, those that only one has are coupled with a synonym that "
        "only the other has, one with one, as many as possible; the paper counts from one side."
    ),
    (
        "Band: stop words are removed; only lemmas whose ICF = TotalLemms / CF lies in the band "
        "are left, so rare words go, too. The frequencies are those of the collection itself, all "
        "words counted, where the paper took 500 MB of other texts. The method synonym_jaccard of "
        "a live run first drops the words of stop lists and those of three characters and fewer."
    ),
    (
        "The noise of a document is its mean coefficient with the documents that are no duplicates "
        "of it. The paper draws it for each snippet and does not define it."
    ),
    (
        "A snippet has fewer than 600 characters, a text 600 and more; the paper has snippets of 2 "
        "to 4 sentences and texts of 2,000 characters."
    ),
    (
        "The critical interval is taken to be the thresholds around the best one whose F is at "
        "most 0.01 lower."
    ),
)


def synonyms_report(
    about: dict[str, Any], variants: Mapping[str, dict[str, Any]], times: Sequence[dict[str, Any]]
) -> StudyReport:
    """Return the page of `lab synonyms`, given the measurements of its stages as JSON values.

    `about` describes truth, control group and words; `variants` has the comparison in each variant,
    `times` the rows of the time table.
    """
    truth, group = about["truth"], about["group"]
    curves = build_curves(variants, sampled=truth["kind"] != "pairs")
    listed: dict[str, dict[str, Any]] = {name: {} for name in variants}
    for (name, length, counted), found in curves.items():
        listed[name][f"{length}, {counted}"] = curve_measurements(found)
    return StudyReport(
        "synonyms",
        "Jaccard's coefficient, stop words and synonyms",
        f"{len(group['places']):,} of {truth['documents']:,} documents compared each with each, by "
        "all words or by those of a band of frequency (stop words removed), without and with "
        f"synonyms; the study of {PAPER}.",
        (
            Section(
                "The authors' numbers and ours", (printed_and_measured(variants, curves, times),)
            ),
            Section(
                "Figure 2: coefficient and noise",
                (*document_plots(variants), noise_table(variants)),
            ),
            Section(
                "Figure 3: precision and recall", (*score_plots(curves), *threshold_tables(curves))
            ),
            Section("Time", (time_table(times, variants),)),
            Section("What the band removes", band_blocks(about["words"])),
            Section("How this is read", (BulletList((*_about(about, variants), *_NOTES)),)),
        ),
        {
            "truth": truth,
            "documents": len(group["places"]),
            "words": about["words"],
            "curves": listed,
            "of_documents": {name: found["documents"] for name, found in variants.items()},
            "seconds": {name: found["seconds"] for name, found in variants.items()},
            "times": times,
        },
    )


def _about(about: dict[str, Any], variants: Mapping[str, dict[str, Any]]) -> list[str]:
    """Return remarks on the control group and the dictionaries."""
    truth, words = about["truth"], about["words"]
    same, other = (
        round(sum(variants["all"]["histograms"][f"all {kind} pairs"])) for kind in ("same", "other")
    )
    if truth["kind"] == "pairs":
        group = "All documents of the labelled pairs; other pairs count as noise only."
    else:
        group = (
            f"The truth ({truth['kind']}) has {truth['clusters']:,} clusters of several documents. "
            "Half of the control group are such clusters, whole, the rest documents without a "
            "duplicate, both chosen by a hash of their names."
        )
    lines = [f"{group} {same:,} pairs of duplicates and {other:,} others were compared."]
    if len(variants) == len(VARIANTS):
        lines.append(
            f"The dictionaries know {words['dictionary']:,} lemmas, {words['with_synonyms']:,} of "
            "which are in the collection."
        )
    else:
        lines.append("No dictionary of synonyms was given, so two of the four variants are left.")
    return lines
