"""The kinds of archives: the files that each is made of, and how they are read."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from mmap import ACCESS_READ, mmap
from pathlib import Path

from newsdedup.adapters.files.inputs import is_stream, source_errors
from newsdedup.adapters.files.paths import STDIO, list_files
from newsdedup.adapters.tables.input_records import TABLE_SUFFIXES
from newsdedup.feeder.archives.archive_entry import ArchiveEntry, ArchiveOptions, ArchivePosition
from newsdedup.feeder.archives.archive_kind import ArchiveKind
from newsdedup.feeder.archives.row_records import (
    read_news_please,
    read_scrapy_feed,
    read_table_file,
)
from newsdedup.feeder.archives.telegram_export import read_telegram_export
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable

_Read = Callable[[str, ArchivePosition, ArchiveOptions], Iterator[ArchiveEntry]]


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
    path, suffixes = Path(file_name), _FORMATS[kind][0]
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
        yield from _FORMATS[kind][1](name, start, options)


def _read_warc(
    name: str, start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield the entries of a WARC file after a position."""
    from newsdedup.feeder.archives.warc_pages import read_warc  # noqa: PLC0415 - extra `pages`

    with Path(name).open("rb") as file:
        yield from read_warc(name, file, start, page_bytes=options.page_bytes)


def _read_page(
    name: str, start: ArchivePosition, options: ArchiveOptions
) -> Iterator[ArchiveEntry]:
    """Yield the one entry of a saved page, unless the position is after it."""
    from newsdedup.feeder.archives.saved_pages import (  # noqa: PLC0415 - extra `pages`
        read_saved_page,
    )

    with Path(name).open("rb") as file:
        html = file.read(options.page_bytes + 1)
    yield from read_saved_page(html, start, page_bytes=options.page_bytes)


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


_LINES = (".json", ".jsonl", ".jl", ".jsonlines", ".ndjson")
_PACKED_LINES = tuple(f"{end}{packed}" for end in _LINES for packed in ("", ".gz", ".zst"))
_FORMATS: Mapping[ArchiveKind, tuple[tuple[str, ...], _Read]] = {
    ArchiveKind.WARC: ((".warc", ".warc.gz"), _read_warc),
    ArchiveKind.TELEGRAM: ((".json",), _read_telegram),
    ArchiveKind.PAGES: ((".html", ".htm", ".xhtml"), _read_page),
    ArchiveKind.TABLE: (TABLE_SUFFIXES, read_table_file),
    ArchiveKind.SCRAPY: (_PACKED_LINES, read_scrapy_feed),
    ArchiveKind.NEWS_PLEASE: (_PACKED_LINES, read_news_please),
}
"""How the names of its files in a folder end, in small letters, and how one of them is read."""
