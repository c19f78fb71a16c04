"""Pages of docs/ with generated tables and plots between texts that people wrote.

A table is between the comments `<!-- MAKER: NAME -->` and `<!-- end of NAME -->`, where MAKER is
the command that writes it; a plot is an SVG file that ends with a digest of the results behind it.
"""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import xxhash

from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.report.plot import COLOUR_VARIABLES, render_svg
from newsdedup_lab.report.report_content import Plot
from newsdedup_lab.report.study_stages import prepare_report_folder, write_atomically

_INK, _LINE = "#767676", "#9a9a9a"
"""Legible on white and on black: an SVG file does not know the background of its page."""
_COLOURS = ("#2f7ed8", "#c4621a", "#3c8a4e", "#9a5bb5", "#b04a5a", "#6b7a2c", "#4a8f9c", "#8a6a3c")
_OUTPUT_OPTIONS = frozenset(("--out", "--errors", "--to", "--report"))
"""Options that say only where something was written."""
_PATH_PARTS = 2
"""Last parts of a path that are kept: the folders above are those of one machine."""


@dataclass(frozen=True, slots=True)
class DocsPage:
    """A page of docs/ with generated parts, and the files alongside it."""

    maker: str
    """The command that its comments name."""
    page: str
    """The file of the page."""
    measurements: Path
    """The file of the measurements behind it."""
    plots: str
    """The folder of its plots."""

    def generated_blocks(self, page: str) -> dict[str, str]:
        """Return the text between the comments of a page, by the name in the comment."""
        return {found[2]: found[3].strip("\n") for found in self._comments().finditer(page)}

    def fill(self, page: str, blocks: Mapping[str, str]) -> str:
        """Return the page with the text between its comments replaced by the blocks of these names.

        Raise SourceUnusable if a comment has no block or a block has no comment.
        """
        there = self.generated_blocks(page).keys()
        if there != blocks.keys():
            odd = ", ".join(sorted(there ^ blocks.keys()))
            raise SourceUnusable(f"the page and its generated blocks do not match: {odd}")
        return self._comments().sub(
            lambda found: f"{found[1]}\n{blocks[found[2]]}\n\n{found[4]}", page
        )

    def write(
        self, docs: Path, measurements: bytes, blocks: Mapping[str, str], plots: Mapping[str, Plot]
    ) -> list[Path]:
        """Write page, results and plots (by file name) into the folder `docs`; return their paths.

        Nothing is written if the page is missing or its comments do not match the blocks:
        SourceUnusable.
        """
        try:
            page = (docs / self.page).read_text("utf-8")
        except OSError as error:
            raise SourceUnusable(f"{docs / self.page}: cannot be read: {error}") from error
        written = {
            docs / self.measurements: measurements,
            docs / self.page: self.fill(page, blocks).encode(),
        }
        for name, drawing in self.draw(plots, measurements).items():
            written[prepare_report_folder(docs / self.plots) / name] = drawing.encode()
        prepare_report_folder((docs / self.measurements).parent)
        for path, data in written.items():
            write_atomically(path, data)
        return list(written)

    def draw(self, plots: Mapping[str, Plot], measurements: bytes) -> dict[str, str]:
        """Return the SVG file of each plot; it ends with a comment that names the measurements."""
        return {
            name: "\n".join(
                (
                    _with_fixed_colours(render_svg(plot, prefix=name.partition(".")[0])),
                    self.digest_comment(measurements),
                    "",
                )
            )
            for name, plot in plots.items()
        }

    def digest_comment(self, measurements: bytes) -> str:
        """Return the comment that names the measurements a plot was drawn from, by their digest."""
        return f"<!-- of {self.measurements.name} {xxhash.xxh3_64_hexdigest(measurements)} -->"

    def _comments(self) -> re.Pattern[str]:
        """Return the pattern of a comment that begins a block, the block, and its end."""
        return re.compile(
            rf"(<!-- {self.maker}: ([^\n]*?) -->\n)(.*?)(<!-- end of \2 -->)", re.DOTALL
        )


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table of these column titles and rows."""
    lines = [columns, ["---"] * len(columns), *rows]
    return (
        "\n".join(f"| {' | '.join(line)} |" for line in lines)
        .replace("| --- ", "|---")
        .replace("|--- |", "|---|")
    )


def shorten_command(command: str) -> str:
    """Return a command without options for its outputs and their values, with short paths.

    Of a path its last two parts remain, since the folders above are those of one machine.
    """
    words, remaining = iter(shlex.split(command)), []
    for word in words:
        if word in _OUTPUT_OPTIONS:
            next(words)
        else:
            remaining.append("/".join(Path(word).parts[-_PATH_PARTS:]) if "/" in word else word)
    return shlex.join(remaining)


def _with_fixed_colours(drawing: str) -> str:
    """Return an SVG with each CSS variable of the page replaced by a fixed colour."""
    fixed = dict(zip(COLOUR_VARIABLES.values(), (_INK, _LINE, _LINE, *_COLOURS), strict=True))
    for variable, colour in fixed.items():
        drawing = drawing.replace(variable, colour)
    return drawing
