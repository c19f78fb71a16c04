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
from newsdedup.adapters.tables.input_records import read_datasets, read_json_lines
from newsdedup.adapters.tables.rows import BadTableRow, TableRow
from newsdedup.feeder.archives.archive_entry import (
    ArchiveEntry,
    ArchiveOptions,
    ArchivePosition,
    rejected_entry,
)
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


def read_table_file(
    name: str, start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield the rows of a file of JSON lines, CSV or Parquet behind those that were read before."""
    if name.lower().endswith(JSON_SUFFIXES):
        return _json_entries(name, _lines(name, options.limits), start, options)
    return _entries(read_datasets([name], options.columns, limits=options.limits), start)


def read_scrapy_feed(
    name: str, start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield the items of a feed export of Scrapy: lines of JSON, or its form of a JSON array."""
    lines = map(_without_brackets, _lines(name, options.limits))
    return _json_entries(name, lines, start, options)


def read_news_please(
    name: str, start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield the articles of a file of news-please: lines of JSON, or one object over many lines."""
    options = replace(options, columns=NEWS_PLEASE_COLUMNS)
    return _json_entries(name, _objects(name, options.limits), start, options)


def _json_entries(
    name: str, lines: Iterable[Line | Idle], start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield lines of JSON as entries; raise SourceUnusable at a half-written last line."""
    whole = _whole_lines(name, lines, options.limits)
    rows = read_json_lines(name, whole, options.columns, limits=options.limits)
    return _entries(rows, start)


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


def _lines(name: str, limits: Limits) -> Iterator[Line | Idle]:
    """Yield the lines of a file from its beginning."""
    limit = limits.line_bytes
    return read_lines(name, InputPosition(), limit=limit, idle_seconds=_SILENCE_SECONDS)


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


def _objects(name: str, limits: Limits) -> Iterator[Line | Idle]:
    """Yield the lines of a file; if the first is "{" alone, all of them as one line."""
    lines = _lines(name, limits)
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
