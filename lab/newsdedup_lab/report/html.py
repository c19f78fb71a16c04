"""Renders a report as one self-contained HTML page."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from newsdedup_lab.report.plot import render_svg
from newsdedup_lab.report.report_content import (
    Block,
    BulletList,
    Cell,
    HeatMap,
    Paragraph,
    Plot,
    Provenance,
    ReportTable,
    Section,
    StudyReport,
)

CSS = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2024; --soft: #5b6470; --line: #b9c0c8; --zone: #e9ddc8;
  --stripe: #f4f6f8; --heat: #9cc7ef; --link: #0b57a4;
  --series-1: #0060a8; --series-2: #b84a00; --series-3: #00735a; --series-4: #8a3a7e;
  --series-5: #7a6200; --series-6: #1f8fb8; --series-7: #a02020; --series-8: #555555;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181c; --ink: #e6e9ec; --soft: #a3adb8; --line: #505a64; --zone: #4a3f2a;
    --stripe: #1c2228; --heat: #1f5f98; --link: #8cc4ff;
    --series-1: #6ab8ff; --series-2: #ff9d57; --series-3: #4fd0ae; --series-4: #e39ad6;
    --series-5: #e6cf5a; --series-6: #8fe0ff; --series-7: #ff8a8a; --series-8: #bbbbbb;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 0.6rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
p, ul { max-width: 46rem; }
p { margin: 0.5rem 0; }
li { margin: 0.25rem 0; }
a { color: var(--link); }
nav ul { padding: 0; margin: 0.8rem 0; list-style: none; display: flex; flex-wrap: wrap;
  gap: 0.2rem 1.2rem; }
.plots { display: grid; gap: 1rem 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
figure { margin: 1.2rem 0; min-width: 0; }
.plots figure { margin: 0.5rem 0; }
figcaption { margin-bottom: 0.4rem; }
figcaption strong { display: block; }
.about { color: var(--soft); font-size: 0.9rem; max-width: 46rem; }
svg { width: 100%; max-width: 38rem; height: auto; display: block; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line); }
th { font-weight: 600; vertical-align: bottom; }
th:first-child { text-align: left; white-space: normal; max-width: 45vw;
  position: sticky; left: 0; background: var(--paper); }
tbody th { font-weight: 400; }
th, td.text { white-space: nowrap; }
th.text, td.text { text-align: left; }
tbody tr:nth-child(even) > * { background: var(--stripe); }
table.heat td { background: color-mix(in srgb, var(--heat) calc(var(--share) * 100%),
  var(--paper)); text-align: center; padding: 0.25rem 0.4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 0.5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
code { font: 0.85rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.4rem; } }
@media print { .scroll { overflow: visible; } }
"""


_NO_VALUE = "–"
"""Shown where there is no value."""
_TEXT_CLASS = ' class="text"'
_TABLE_END = "</tbody>\n</table>\n</div>\n</figure>"


def render_html(report: StudyReport, made: Provenance) -> str:
    """Return the page; equal reports and provenance give equal bytes."""
    return "\n".join(_page(report, made)) + "\n"


def _page(report: StudyReport, made: Provenance) -> Iterator[str]:
    """Yield the page in parts: head, contents, sections, and how the report was made."""
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<link rel="icon" href="data:,">'
    yield f"<title>{escape(report.title)}</title>\n<style>{CSS}</style>\n</head>\n<body>"
    yield f"<header>\n<h1>{escape(report.title)}</h1>\n<p>{escape(report.lead)}</p>\n</header>"
    yield '<nav aria-label="Contents">\n<ul>'
    for number, section in enumerate(report.sections, 1):
        yield f'<li><a href="#section-{number}">{escape(section.title)}</a></li>'
    yield '<li><a href="#made">How it was made</a></li>\n</ul>\n</nav>\n<main>'
    for number, section in enumerate(report.sections, 1):
        yield f'<section>\n<h2 id="section-{number}">{escape(section.title)}</h2>'
        yield from _blocks(section, number)
        yield "</section>"
    yield "</main>"
    yield from _provenance(report, made)
    yield "</body>\n</html>"


def _provenance(report: StudyReport, made: Provenance) -> Iterator[str]:
    """Yield the footer, with command, date, versions, and the name of the JSON file."""
    yield '<footer>\n<h2 id="made">How it was made</h2>\n<dl>'
    yield f"<dt>command</dt><dd><code>{escape(made.command)}</code></dd>"
    yield f"<dt>date</dt><dd>{escape(made.date)}</dd>"
    for name, version in made.versions.items():
        yield f"<dt>{escape(name)}</dt><dd><code>{escape(version)}</code></dd>"
    yield f"<dt>all results</dt><dd><code>{escape(report.name)}.json</code> next to this page</dd>"
    yield "</dl>\n</footer>"


def _blocks(section: Section, number: int) -> Iterator[str]:
    """Yield the HTML of a section's blocks; plots in sequence share a row where there is room."""
    drawn = 0
    for plots, parts in groupby(section.blocks, key=lambda part: isinstance(part, Plot)):
        if plots:
            yield '<div class="plots">'
        for part in parts:
            drawn += 1
            yield from _block(part, f"s{number}p{drawn}")
        if plots:
            yield "</div>"


def _block(part: Block, prefix: str) -> Iterator[str]:
    """Yield the HTML of one block; `prefix` makes the ids of a plot unique in the page."""
    match part:
        case Paragraph():
            yield f"<p>{escape(part.text)}</p>"
        case BulletList():
            lines = "\n".join(f"<li>{escape(line)}</li>" for line in part.lines)
            yield f"<ul>\n{lines}\n</ul>"
        case ReportTable():
            yield from _table(part)
        case HeatMap():
            yield from _heat_map(part)
        case Plot():
            drawing = render_svg(part, prefix=prefix)
            named = f'<svg role="img" aria-label="{escape(part.title)}" '
            yield f"<figure>\n<figcaption>{_caption(part)}</figcaption>"
            yield drawing.replace("<svg ", named, 1) + "\n</figure>"


def _caption(part: ReportTable | HeatMap | Plot) -> str:
    """Return title and remark of a block as HTML."""
    about = f'<span class="about">{escape(part.about)}</span>' if part.about else ""
    return f"<strong>{escape(part.title)}</strong>{about}"


def _table(table: ReportTable) -> Iterator[str]:
    """Yield the HTML of a table; in its `best` columns the largest number is bold."""
    best = {
        index: max(
            (v for row in table.rows if (v := _number_of(row[index])) is not None), default=None
        )
        for index, column in enumerate(table.columns)
        if column in table.best
    }
    yield from _table_header(table, "")
    for row in table.rows:
        cells = [f'<th scope="row">{_format_cell(row[0], table.digits)}</th>']
        for index, cell in enumerate(row[1:], 1):
            text = _format_cell(cell, table.digits)
            if index in best and cell is not None and cell == best[index]:
                text = f"<strong>{text}</strong>"
            cells.append(
                f'<td class="text">{text}</td>' if type(cell) is str else f"<td>{text}</td>"
            )
        yield f"<tr>{''.join(cells)}</tr>"
    yield _TABLE_END


def _heat_map(shown: HeatMap) -> Iterator[str]:
    """Yield the HTML of a heat map, a table whose cells are the darker the greater the value."""
    yield from _table_header(shown, ' class="heat"')
    for name, row in zip(shown.names, shown.values, strict=True):
        cells = [f'<th scope="row">{escape(name)}</th>']
        for value in row:
            share = f"{min(1.0, max(0.0, value or 0.0)):.3f}"
            cells.append(f'<td style="--share:{share}">{_format_cell(value, shown.digits)}</td>')
        yield f"<tr>{''.join(cells)}</tr>"
    yield _TABLE_END


def _table_header(part: ReportTable | HeatMap, kind: str) -> Iterator[str]:
    """Yield a table from its caption to the beginning of its body; `kind` is an HTML attribute."""
    label = escape(part.title)
    columns: Sequence[str] = part.columns if isinstance(part, ReportTable) else ("", *part.names)
    yield f"<figure>\n<figcaption>{_caption(part)}</figcaption>"
    # A wide table moves in its own frame, which keys can reach; the page never does.
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
    yield f'<table{kind} aria-label="{label}">\n<thead>'
    words = _text_columns(part)
    headers = "".join(
        f'<th scope="col"{_TEXT_CLASS if index in words else ""}>{escape(column)}</th>'
        for index, column in enumerate(columns)
    )
    yield f"<tr>{headers}</tr>\n</thead>\n<tbody>"


def _text_columns(part: ReportTable | HeatMap) -> set[int]:
    """Return the numbers of a table's columns in which any cell is text; none of a heat map."""
    rows = part.rows if isinstance(part, ReportTable) else ()
    return {index for row in rows for index, cell in enumerate(row) if type(cell) is str}


def _number_of(cell: Cell) -> float | None:
    """Return the number of a cell, None for text or an empty cell."""
    return None if cell is None or isinstance(cell, str) else cell


def _format_cell(cell: Cell, digits: int) -> str:
    """Return a cell as HTML: text escaped, numbers with `digits` decimals, a dash for None."""
    match cell:
        case None:
            return _NO_VALUE
        case str():
            return escape(cell)
        case int():
            return f"{cell:,}"
        case float():
            return f"{cell:,.{digits}f}"
