"""Finished collections on disk: which files they are made of, and how each one is read."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from newsdedup.adapters.files.folders import list_files
from newsdedup.adapters.files.inputs import (
    JSON_SUFFIXES,
    STDIN,
    InputPosition,
    read_lines,
    source_errors,
)
from newsdedup.adapters.formats.limits import Limits
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.csv_rows import read_csv
from newsdedup.adapters.tables.json_rows import read_json_lines
from newsdedup.adapters.tables.parquet_rows import read_parquet
from newsdedup.adapters.tables.rows import BadRow, Row
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable

_CSV_SUFFIXES = tuple(
    f".{kind}{packed}" for kind in ("csv", "tsv") for packed in ("", ".gz", ".zst")
)
_PARQUET_SUFFIXES = (".parquet", ".pq")
_SUFFIXES = (*JSON_SUFFIXES, *_CSV_SUFFIXES, *_PARQUET_SUFFIXES)


def dataset_files(datasets: Iterable[str]) -> list[str]:
    """Return the files meant by files, folders and `-`: of a folder its files, by name."""
    found = [file for dataset in datasets for file in _files(dataset)]
    if len(set(found)) != len(found):
        raise SettingsInvalid("a file is named twice: each of its rows would be its own copy")
    return found


def _files(dataset: str) -> list[str]:
    path = Path(dataset)
    with source_errors(dataset):
        is_folder, is_there = path.is_dir(), dataset == STDIN or path.exists()
    if is_folder:
        inside = list_files(path, lambda name: name.lower().endswith(_SUFFIXES))
        if not inside:
            raise SourceUnusable(f"{dataset}: no files in it end in {', '.join(_SUFFIXES)}")
        return [str(file) for file in inside]
    if not is_there:
        raise SourceUnusable(f"{dataset}: there is no such file or folder")
    return [dataset]


def read_datasets(
    files: Iterable[str], columns: ColumnMap, *, limits: Limits
) -> Iterator[Row | BadRow]:
    """Yield the rows of the files; one of an unknown kind is taken for lines of JSON."""
    for name in files:
        if name.lower().endswith(_PARQUET_SUFFIXES):
            yield from read_parquet(name, columns)
            continue
        lines = read_lines(name, InputPosition(), limit=limits.line_bytes, idle_seconds=3600.0)
        read = read_csv if name.lower().endswith(_CSV_SUFFIXES) else read_json_lines
        yield from read(name, lines, columns, limits=limits)
