"""A page whose tables are generated, between marks, and whose words are written by hand."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from newsdedup.lab.quality.blocks import blocks
from newsdedup.lab.report.files import prepare_report_folder, render_json, write_atomically
from newsdedup.ports.errors import SourceUnusable

PAGE, FIGURES, PLOTS = "quality.md", Path("results", "quality.json"), "quality"

_block = re.compile(r"(<!-- lab quality: ([^\n]*?) -->\n)(.*?)(<!-- end of \2 -->)", re.DOTALL)


def generated(page: str) -> dict[str, str]:
    """Return what stands between the marks of a page, by the name in the mark."""
    return {found[2]: found[3].strip("\n") for found in _block.finditer(page)}


def write_quality(told: Mapping[str, Any], docs: Path) -> list[Path]:
    """Write page, figures and plots; return their names. The same figures, the same bytes."""
    from newsdedup.lab.quality.plots import digested, plots  # noqa: PLC0415 - needs the extra lab

    try:
        page = (docs / PAGE).read_text("utf-8")
    except OSError as error:
        raise SourceUnusable(f"{docs / PAGE}: cannot be read: {error}") from error
    figures = render_json(told, indent=1)
    written = {docs / FIGURES: figures, docs / PAGE: filled(page, blocks(told)).encode()}
    for name, drawing in plots(told, digest=digested(figures)).items():
        written[prepare_report_folder(docs / PLOTS) / name] = drawing.encode()
    for path, data in written.items():
        write_atomically(path, data)
    return list(written)


def filled(page: str, blocks: Mapping[str, str]) -> str:
    """Return the page with these blocks; all else stays as it is.

    Raise SourceUnusable where the page and the blocks do not name the same.
    """
    there = generated(page).keys()
    if there != blocks.keys():
        odd = ", ".join(sorted(there ^ blocks.keys()))
        raise SourceUnusable(f"the page and its generated blocks do not match: {odd}")
    return _block.sub(lambda found: f"{found[1]}\n{blocks[found[2]]}\n\n{found[4]}", page)
