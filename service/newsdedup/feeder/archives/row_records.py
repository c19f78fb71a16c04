"""Rows of tables, and items that crawlers wrote, as records of an archive.

Columns are read as `newsdedup dedup` reads them (adapters/tables/columns.py); those that are no
field of an item stay in the record under their own names.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from newsdedup.adapters.files.inputs import JSON_SUFFIXES, InputPosition, read_lines
from newsdedup.adapters.files.lines import IDLE, Idle, Line
from newsdedup.adapters.formats.json_object import Limits, decode_object
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.datasets import read_datasets, read_json_lines
from newsdedup.adapters.tables.rows import BadTableRow, TableRow
from newsdedup.feeder.archives.archive_entry import (
    ArchiveEntry,
    ArchiveOptions,
    ArchivePosition,
    rejected_entry,
)
from newsdedup.feeder.archives.archive_kind import ArchiveKind
from newsdedup.ports.errors import InvalidItem, Rejection, SourceUnusable

_SILENCE_SECONDS: Final = 3600.0
NEWS_PLEASE_COLUMNS: Final = ColumnMap(
    {
        "source": "source_domain",
        "url": "url",
        "title": "title",
        "text": "maintext",
        "published_at": "date_publish",
        "updated_at": "date_modify",
        "seen_at": "date_download",
        "lang": "language",
    },
    keeps_others=True,
)


def read_rows(
    kind: ArchiveKind, name: str, start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield the rows of a file as entries, behind those that were read before.

    A table is JSON lines, CSV or Parquet; a feed export of Scrapy is lines of JSON, or its form of
    a JSON array; a file of news-please is lines of JSON, or one object over many lines. Raise
    SourceUnusable at a half-written last line of JSON.
    """
    limits, columns = options.limits, options.columns
    if kind == ArchiveKind.TABLE and not name.lower().endswith(JSON_SUFFIXES):
        return _entries(read_datasets([name], columns, limits=limits), start)
    lines = read_lines(
        name, InputPosition(), limit=limits.line_bytes, idle_seconds=_SILENCE_SECONDS
    )
    if kind == ArchiveKind.SCRAPY:
        lines = map(_without_brackets, lines)
    elif kind == ArchiveKind.NEWS_PLEASE:
        lines, columns = _objects(name, lines, limits), NEWS_PLEASE_COLUMNS
    whole = _whole_lines(name, lines, limits)
    return _entries(read_json_lines(name, whole, columns, limits=limits), start)


def _entries(
    rows: Iterable[TableRow | BadTableRow], start: ArchivePosition
) -> Iterator[ArchiveEntry]:
    """Yield rows as entries, without the first ones that were read before."""
    for row in rows:
        number = (row.row if isinstance(row, BadTableRow) else row.number) + 1
        if number <= start.number:
            continue
        if isinstance(row, BadTableRow):
            rejection = Rejection(row.code, row.reason)
            yield rejected_entry(number, rejection, row.received, offset=row.offset)
        else:
            yield ArchiveEntry(number, row.offset, 0, row.fields)


def _whole_lines(name: str, lines: Iterable[Line | Idle], limits: Limits) -> Iterator[Line | Idle]:
    """Yield lines; raise SourceUnusable at a last one that ends within its JSON.

    Somebody may be writing it: it is read by the next import, which begins there.
    """
    for line in lines:
        if isinstance(line, Line) and line.is_open and line.data and line.size <= limits.line_bytes:
            try:
                decode_object(line.data, limits)
            except InvalidItem as error:
                if error.code in ("not_json", "not_utf8"):
                    raise SourceUnusable(f"{name}: cut off in line {line.number}") from error
        yield line


def _without_brackets(line: Line | Idle) -> Line | Idle:
    """Return a line of a JSON array, as Scrapy writes it, as a line of JSON; others unchanged."""
    if isinstance(line, Idle):
        return line
    data = line.data.strip()
    if data in (b"[", b"]", b"[]"):
        data = b""
    data = data.removesuffix(b",")
    return line if len(data) == len(line.data) else replace(line, data=data, size=len(data))


def _objects(name: str, lines: Iterator[Line | Idle], limits: Limits) -> Iterator[Line | Idle]:
    """Yield the lines of a file; if the first is "{" alone, all of them as one line."""
    first = next(lines, IDLE)
    if isinstance(first, Idle) or first.data.strip() != b"{":
        yield first
        yield from lines
        return
    parts, size, end = [first.data], first.size, first.end
    for line in lines:
        if isinstance(line, Line):
            size, end = size + 1 + line.size, line.end
            if size <= limits.line_bytes:
                parts.append(line.data)
    yield Line(name, 1, 0, end, b"\n".join(parts), size)
