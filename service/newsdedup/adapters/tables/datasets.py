"""Finished collections on disk: which files they are made of, and how each one is read."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from newsdedup.adapters.files.folders import files_in
from newsdedup.adapters.files.inputs import STDIN, SUFFIXES, Position, read_lines, readable
from newsdedup.adapters.formats.limits import Limits
from newsdedup.adapters.tables.columns import Columns
from newsdedup.adapters.tables.csv_rows import csv_rows
from newsdedup.adapters.tables.json_rows import json_rows
from newsdedup.adapters.tables.parquet_rows import parquet_rows
from newsdedup.adapters.tables.rows import BadRow, Row
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable

CSV = tuple(f".{kind}{packed}" for kind in ("csv", "tsv") for packed in ("", ".gz", ".zst"))
PARQUET = (".parquet", ".pq")
KNOWN = (*SUFFIXES, *CSV, *PARQUET)


def dataset_files(datasets: Iterable[str]) -> list[str]:
    """Return the files meant by files, folders and `-`: of a folder its files, by name."""
    found = [file for dataset in datasets for file in _files(dataset)]
    if len(set(found)) != len(found):
        raise SettingsInvalid("a file is named twice: each of its rows would be its own copy")
    return found


def _files(dataset: str) -> list[str]:
    path = Path(dataset)
    with readable(dataset):
        is_folder, is_there = path.is_dir(), dataset == STDIN or path.exists()
    if is_folder:
        inside = files_in(path, lambda name: name.lower().endswith(KNOWN))
        if not inside:
            raise SourceUnusable(f"{dataset}: no files in it end in {', '.join(KNOWN)}")
        return [str(file) for file in inside]
    if not is_there:
        raise SourceUnusable(f"{dataset}: there is no such file or folder")
    return [dataset]


def dataset_rows(
    files: Iterable[str], columns: Columns, *, limits: Limits
) -> Iterator[Row | BadRow]:
    """Yield the rows of the files; one of an unknown kind is taken for lines of JSON."""
    for name in files:
        if name.lower().endswith(PARQUET):
            yield from parquet_rows(name, columns)
            continue
        lines = read_lines(name, Position(), limit=limits.line_bytes, idle_seconds=3600.0)
        read = csv_rows if name.lower().endswith(CSV) else json_rows
        yield from read(name, lines, columns, limits=limits)
