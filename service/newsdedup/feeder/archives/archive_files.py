"""The kinds of archives: the files that each is made of, and how they are read."""

from collections.abc import Iterable, Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path

from newsdedup.adapters.files.inputs import is_stream, source_errors
from newsdedup.adapters.files.paths import STDIO, list_files
from newsdedup.adapters.tables.datasets import TABLE_SUFFIXES
from newsdedup.feeder.archives.archive_entry import ArchiveEntry, ArchiveOptions, ArchivePosition
from newsdedup.feeder.archives.archive_kind import ArchiveKind
from newsdedup.feeder.archives.row_records import read_rows
from newsdedup.feeder.archives.telegram_export import read_telegram_export
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable

_LINES = (".json", ".jsonl", ".jl", ".jsonlines", ".ndjson")
_PACKED_LINES = tuple(f"{end}{packed}" for end in _LINES for packed in ("", ".gz", ".zst"))
_SUFFIXES = {
    ArchiveKind.WARC: (".warc", ".warc.gz"),
    ArchiveKind.TELEGRAM: (".json",),
    ArchiveKind.PAGES: (".html", ".htm", ".xhtml"),
    ArchiveKind.TABLE: TABLE_SUFFIXES,
    ArchiveKind.SCRAPY: _PACKED_LINES,
    ArchiveKind.NEWS_PLEASE: _PACKED_LINES,
}
"""How the names of its files in a folder end, in small letters."""


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
            yield from read_rows(kind, name, start, options)
            return
        with Path(name).open("rb") as file:
            if kind == ArchiveKind.TELEGRAM:
                if not Path(name).stat().st_size:
                    raise SourceUnusable(f"{name}: is empty")
                # Not read as a whole: an export may be larger than the memory.
                export = mmap(file.fileno(), 0, access=ACCESS_READ)
                yield from read_telegram_export(
                    name, export, start, source=options.source, limits=options.limits
                )
                return
            from newsdedup.feeder.archives import archived_pages  # noqa: PLC0415 - extra `pages`

            if kind == ArchiveKind.WARC:
                yield from archived_pages.read_warc(name, file, start)
            else:
                yield from archived_pages.read_saved_page(file, start)
