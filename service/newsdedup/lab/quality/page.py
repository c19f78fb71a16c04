"""Writes docs/quality.md: its generated tables, its plots and the figures behind them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import xxhash

from newsdedup.lab.quality.blocks import quality_blocks
from newsdedup.lab.report.plot import COLOUR_VARIABLES, render_svg
from newsdedup.lab.report.report import Plot, Series
from newsdedup.lab.report.stages import prepare_report_folder, render_json, write_atomically
from newsdedup.ports.errors import SourceUnusable

QUALITY_PAGE, QUALITY_FIGURES, QUALITY_PLOTS = (
    "quality.md",
    Path("results", "quality.json"),
    "quality",
)

_block = re.compile(r"(<!-- lab quality: ([^\n]*?) -->\n)(.*?)(<!-- end of \2 -->)", re.DOTALL)


def generated_blocks(page: str) -> dict[str, str]:
    """Return the text between the marks of a page, by the name in the mark."""
    return {found[2]: found[3].strip("\n") for found in _block.finditer(page)}


def write_quality(results: Mapping[str, Any], docs: Path) -> list[Path]:
    """Write page, figures and plots into the folder `docs`; return their paths.

    Nothing is written if the page is missing or its marks do not match the blocks: SourceUnusable.
    """
    try:
        page = (docs / QUALITY_PAGE).read_text("utf-8")
    except OSError as error:
        raise SourceUnusable(f"{docs / QUALITY_PAGE}: cannot be read: {error}") from error
    figures = render_json(results, indent=1)
    written = {
        docs / QUALITY_FIGURES: figures,
        docs / QUALITY_PAGE: fill_page(page, quality_blocks(results)).encode(),
    }
    for name, drawing in quality_plots(results, digest=figures_digest(figures)).items():
        written[prepare_report_folder(docs / QUALITY_PLOTS) / name] = drawing.encode()
    for path, data in written.items():
        write_atomically(path, data)
    return list(written)


def fill_page(page: str, blocks: Mapping[str, str]) -> str:
    """Return the page with the text between its marks replaced by the blocks of the same names.

    Raise SourceUnusable if the page has marks without a block or a block has no marks.
    """
    there = generated_blocks(page).keys()
    if there != blocks.keys():
        odd = ", ".join(sorted(there ^ blocks.keys()))
        raise SourceUnusable(f"the page and its generated blocks do not match: {odd}")
    return _block.sub(lambda found: f"{found[1]}\n{blocks[found[2]]}\n\n{found[4]}", page)


_INK, _LINE = "#767676", "#9a9a9a"
"""Legible on white and on black: an SVG file does not know the background of its page."""

_COLOURS = ("#2f7ed8", "#c4621a", "#3c8a4e", "#9a5bb5", "#b04a5a", "#6b7a2c", "#4a8f9c", "#8a6a3c")


def quality_plots(results: Mapping[str, Any], *, digest: str) -> dict[str, str]:
    """Draw precision against recall and reliability; return both SVG files by name.

    Each ends with a comment that has the digest of the figures it was drawn from.
    """
    drawn = {
        "precision-recall.svg": _precision_recall(results),
        "reliability.svg": _reliability(results["fit"]["figures"]),
    }
    return {
        name: "\n".join(
            (
                _with_fixed_colours(render_svg(plot, prefix=name.partition(".")[0])),
                digest_comment(digest),
                "",
            )
        )
        for name, plot in drawn.items()
    }


def figures_digest(figures: bytes) -> str:
    """Return the digest of the file of figures."""
    return xxhash.xxh3_64_hexdigest(figures)


def digest_comment(digest: str) -> str:
    """Return the comment that names the figures a plot was drawn from."""
    return f"<!-- of quality.json {digest} -->"


def _precision_recall(results: Mapping[str, Any]) -> Plot:
    """Plot precision against recall over all thresholds, for each rule and set of pairs."""

    def curve(name: str, label: str, kind: str) -> Series:
        """Return the line of the report `name`; `kind` is "plain" or "weighted"."""
        rows = [one[kind] for one in results[name]["figures"]["thresholds"]]
        points = [(row["recall"], row["precision"]) for row in rows if row["precision"] is not None]
        return Series(label, tuple(points))

    return Plot(
        "Precision against recall",
        "recall",
        "precision",
        (
            curve("dev", "verified", "plain"),
            curve("dev", "verified, weighted", "weighted"),
            curve("terms", "terms", "plain"),
            curve("own", "verified, our own pairs", "plain"),
        ),
        y_range=(0.0, 1.02),
    )


def _reliability(figures: Mapping[str, Any]) -> Plot:
    """Plot the share of duplicates against the predicted probability."""
    points = tuple((one["predicted"], one["true"]) for one in figures["reliability"])
    return Plot(
        "Reliability",
        "predicted probability",
        "share of duplicates",
        (
            Series("unseen pairs, by tenths", points, kind="points"),
            Series("as it should be", ((0.0, 0.0), (1.0, 1.0))),
        ),
        y_range=(0.0, 1.02),
    )


def _with_fixed_colours(drawing: str) -> str:
    """Return an SVG with each CSS variable of the page replaced by a fixed colour."""
    fixed = dict(zip(COLOUR_VARIABLES.values(), (_INK, _LINE, _LINE, *_COLOURS), strict=True))
    for variable, colour in fixed.items():
        drawing = drawing.replace(variable, colour)
    return drawing
