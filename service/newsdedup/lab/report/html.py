"""A report as one page that needs nothing but itself."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from newsdedup.lab.report.plot import render_svg
from newsdedup.lab.report.report import (
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
from newsdedup.lab.report.style import CSS

_NO_FIGURE = "–"
"""In place of a figure that there is not."""
_TEXT_CLASS = ' class="text"'
_TABLE_END = "</tbody>\n</table>\n</div>\n</figure>"


def render_html(report: StudyReport, made: Provenance) -> str:
    """Return the page; the same report, made by the same, gives the same bytes."""
    return "\n".join(_page(report, made)) + "\n"


def _page(report: StudyReport, made: Provenance) -> Iterator[str]:
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
    yield '<footer>\n<h2 id="made">How it was made</h2>\n<dl>'
    yield f"<dt>command</dt><dd><code>{escape(made.command)}</code></dd>"
    yield f"<dt>date</dt><dd>{escape(made.date)}</dd>"
    for name, version in made.versions.items():
        yield f"<dt>{escape(name)}</dt><dd><code>{escape(version)}</code></dd>"
    yield f"<dt>all figures</dt><dd><code>{escape(report.name)}.json</code> beside this page</dd>"
    yield "</dl>\n</footer>"


def _blocks(section: Section, number: int) -> Iterator[str]:
    """Yield the parts; plots that follow each other share a row where there is room."""
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
    about = f'<span class="about">{escape(part.about)}</span>' if part.about else ""
    return f"<strong>{escape(part.title)}</strong>{about}"


def _table(table: ReportTable) -> Iterator[str]:
    best = {
        place: max(
            (v for row in table.rows if (v := _number_of(row[place])) is not None), default=None
        )
        for place, column in enumerate(table.columns)
        if column in table.best
    }
    yield from _table_head(table, "")
    for row in table.rows:
        cells = [f'<th scope="row">{_format_cell(row[0], table.digits)}</th>']
        for place, cell in enumerate(row[1:], 1):
            said = _format_cell(cell, table.digits)
            if place in best and cell is not None and cell == best[place]:
                said = f"<strong>{said}</strong>"
            cells.append(
                f'<td class="text">{said}</td>' if type(cell) is str else f"<td>{said}</td>"
            )
        yield f"<tr>{''.join(cells)}</tr>"
    yield _TABLE_END


def _heat_map(shown: HeatMap) -> Iterator[str]:
    yield from _table_head(shown, ' class="heat"')
    for name, row in zip(shown.names, shown.values, strict=True):
        cells = [f'<th scope="row">{escape(name)}</th>']
        for value in row:
            share = f"{min(1.0, max(0.0, value or 0.0)):.3f}"
            cells.append(f'<td style="--share:{share}">{_format_cell(value, shown.digits)}</td>')
        yield f"<tr>{''.join(cells)}</tr>"
    yield _TABLE_END


def _table_head(part: ReportTable | HeatMap, kind: str) -> Iterator[str]:
    """Yield the beginning of a table, as far as its first row."""
    label = escape(part.title)
    columns: Sequence[str] = part.columns if isinstance(part, ReportTable) else ("", *part.names)
    yield f"<figure>\n<figcaption>{_caption(part)}</figcaption>"
    # A wide table moves in its own frame, which keys can reach; the page never does.
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
    yield f'<table{kind} aria-label="{label}">\n<thead>'
    words = _text_columns(part)
    heads = "".join(
        f'<th scope="col"{_TEXT_CLASS if place in words else ""}>{escape(column)}</th>'
        for place, column in enumerate(columns)
    )
    yield f"<tr>{heads}</tr>\n</thead>\n<tbody>"


def _text_columns(part: ReportTable | HeatMap) -> set[int]:
    """Return the columns that hold words."""
    rows = part.rows if isinstance(part, ReportTable) else ()
    return {place for row in rows for place, cell in enumerate(row) if type(cell) is str}


def _number_of(cell: Cell) -> float | None:
    return None if cell is None or isinstance(cell, str) else cell


def _format_cell(cell: Cell, digits: int) -> str:
    match cell:
        case None:
            return _NO_FIGURE
        case str():
            return escape(cell)
        case int():
            return f"{cell:,}"
        case float():
            return f"{cell:,.{digits}f}"
