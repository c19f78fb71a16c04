"""The kinds of archives: the files that each is made of, and how they are read.

Here are also tables, and items that crawlers wrote. Columns are read as `newsdedup dedup` reads
them (adapters/tables/columns.py); those that are no field of an item stay in the record under their
own names.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final

from newsdedup.adapters.files.input_forms import InputForm
from newsdedup.adapters.files.inputs import (
    JSON_SUFFIXES,
    InputPosition,
    is_stream,
    source_errors,
)
from newsdedup.adapters.files.json_values import split_values
from newsdedup.adapters.files.lines import Idle, Line, split_lines
from newsdedup.adapters.files.paths import STDIO, list_files
from newsdedup.adapters.formats.json_object import Limits, decode_object
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.input_records import (
    TABLE_SUFFIXES,
    open_input,
    read_datasets,
    read_json_lines,
)
from newsdedup.adapters.tables.rows import BadTableRow, TableRow
from newsdedup.feeder.archives.archive_entry import (
    ArchiveEntry,
    ArchiveOptions,
    ArchivePosition,
    rejected_entry,
)
from newsdedup.feeder.archives.archive_kind import ArchiveKind
from newsdedup.feeder.archives.telegram_export import read_telegram_export
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import feed_items
from newsdedup.feeder.parsing.parsed_feed import BOUNDS, FeedUnusable
from newsdedup.ports.errors import InvalidItem, Rejection, SettingsInvalid, SourceUnusable

_LINES = (".json", ".jsonl", ".jl", ".jsonlines", ".ndjson")
_PACKED_LINES = tuple(f"{end}{packed}" for end in _LINES for packed in ("", ".gz", ".zst"))
_SUFFIXES = {
    ArchiveKind.WARC: (".warc", ".warc.gz"),
    ArchiveKind.TELEGRAM: (".json",),
    ArchiveKind.PAGES: (".html", ".htm", ".xhtml"),
    ArchiveKind.FEEDS: (".xml", ".rss", ".atom", ".rdf"),
    ArchiveKind.TABLE: TABLE_SUFFIXES,
    ArchiveKind.SCRAPY: _PACKED_LINES,
    ArchiveKind.NEWS_PLEASE: _PACKED_LINES,
}
"""How the names of its files in a folder end, in small letters."""
_SILENCE_SECONDS: Final = 3600.0
_NEWS_PLEASE_COLUMNS: Final = ColumnMap(
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


def archive_files(kind: ArchiveKind, paths: Iterable[str]) -> list[str]:
    """Return the paths of the files to read: of a folder its files of the kind, sorted.

    Raise SourceUnusable for what is missing or has no file of the kind, SettingsInvalid for a file
    named twice.
    """
    files = [file for file_name in paths for file in _files(kind, file_name)]
    if len(set(files)) != len(files):
        raise SettingsInvalid("a file is named twice")
    return files


def _files(kind: ArchiveKind, file_name: str) -> list[str]:
    """Return the files of one path: itself, or those of its kind in a folder.

    Raise SourceUnusable for standard input, a stream, and what does not exist or has no such file.
    """
    path, suffixes = Path(file_name), _SUFFIXES[kind]
    if file_name == STDIO:
        raise SourceUnusable("an archive is read from files, not from standard input")
    with source_errors(file_name):
        is_folder, is_there = path.is_dir(), path.exists()
    if is_folder:
        inside = list_files(path, lambda name: name.lower().endswith(suffixes))
        if not inside:
            raise SourceUnusable(f"{file_name}: no files in it end in {', '.join(suffixes)}")
        return [str(file) for file in inside]
    if not is_there:
        raise SourceUnusable(f"{file_name}: there is no such file or folder")
    if is_stream(file_name):
        raise SourceUnusable(f"{file_name}: an archive is read from files, not from pipes")
    return [file_name]


def read_archive(
    kind: ArchiveKind, options: ArchiveOptions, name: str, start: ArchivePosition
) -> Iterator[ArchiveEntry]:
    """Yield the records of a file from a position on.

    Raise SourceUnusable where it cannot be read further, ModuleNotFoundError if a library of the
    extra `pages` is missing.
    """
    with source_errors(name):
        if kind in (ArchiveKind.TABLE, ArchiveKind.SCRAPY, ArchiveKind.NEWS_PLEASE):
            yield from _read_rows(kind, name, start, options)
        elif kind == ArchiveKind.TELEGRAM:
            yield from _read_telegram(name, start, options)
        elif kind == ArchiveKind.FEEDS:
            yield from _read_feed(name, start)
        else:
            yield from _read_pages(kind, name, start)


def _read_telegram(
    name: str, start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield the posts of a Telegram export after a position; SourceUnusable if it is empty."""
    with Path(name).open("rb") as file:
        if not Path(name).stat().st_size:
            raise SourceUnusable(f"{name}: is empty")
        # Not read as a whole: an export may be larger than the memory.
        export = mmap(file.fileno(), 0, access=ACCESS_READ)
        yield from read_telegram_export(
            name, export, start, source=options.source, limits=options.limits
        )


def _read_feed(name: str, start: ArchivePosition) -> Iterator[ArchiveEntry]:
    """Yield the entries of a saved feed after a position.

    Raise SourceUnusable if it is no feed, or has more entries than are read.
    """
    with Path(name).open("rb") as file:
        body = file.read(BOUNDS.body_bytes + 1)
    try:
        feed = parse_feed(body, content_type=None, address="", received_at=datetime.now(UTC))
    except FeedUnusable as error:
        raise SourceUnusable(f"{name}: {error}") from error
    for number, record in enumerate(feed_items(feed), 1):
        if number > start.number:
            record.pop("seen_at", None)  # When it was fetched is not known.
            yield ArchiveEntry(number, 0, 0, record)
    if feed.cut:
        raise SourceUnusable(f"{name}: {feed.cut}")


def _read_pages(kind: ArchiveKind, name: str, start: ArchivePosition) -> Iterator[ArchiveEntry]:
    """Yield the pages of a WARC after a position, or the saved page; or raise SourceUnusable."""
    from newsdedup.feeder.archives import archived_pages  # noqa: PLC0415 - extra `pages`

    with Path(name).open("rb") as file:
        if kind == ArchiveKind.WARC:
            yield from archived_pages.read_warc(name, file, start)
        else:
            yield from archived_pages.read_saved_page(file, start)


def _read_rows(
    kind: ArchiveKind, name: str, start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield the rows of a file as entries, after those that were read before.

    A file of JSON has lines, an array, or objects over many lines. Raise SourceUnusable at a record
    of JSON that is half written, NothingToRead for a form that is not read.
    """
    limits, columns = options.limits, options.columns
    if kind == ArchiveKind.TABLE and not name.lower().endswith(JSON_SUFFIXES):
        yield from _entries(read_datasets([name], columns, limits=limits), start)
        return
    if kind == ArchiveKind.NEWS_PLEASE:
        columns = _NEWS_PLEASE_COLUMNS
    with source_errors(name), ExitStack() as stack:
        form, read = open_input(name, InputPosition(), _SILENCE_SECONDS, stack)
        split = split_values if form is InputForm.VALUES else split_lines
        whole = _whole_lines(name, split(read, name=name, limit=limits.line_bytes), limits)
        yield from _entries(read_json_lines(name, whole, columns, limits=limits), start)


def _entries(
    rows: Iterable[TableRow | BadTableRow], start: ArchivePosition
) -> Iterator[ArchiveEntry]:
    """Yield rows as entries, bad ones as rejected; those up to `start` are passed over."""
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
