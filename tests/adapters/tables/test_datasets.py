import os
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.input_records import dataset_files, read_datasets
from newsdedup.adapters.tables.rows import TableRow
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.csv").write_text("headline\nsecond\n")
    (tmp_path / "a.jsonl").write_text('{"title":"first"}\n')
    (tmp_path / "notes.txt").write_text("no news")
    parquet.write_table(pa.table({"title": ["third"]}), tmp_path / "deep" / "c.PARQUET")
    return tmp_path


def names(found: list[str]) -> list[str]:
    return [Path(name).name for name in found]


def test_a_folder_means_all_files_in_it_that_can_be_read(folder: Path) -> None:
    assert names(dataset_files([str(folder)])) == ["a.jsonl", "b.csv", "c.PARQUET"]


def test_each_file_is_read_as_its_name_says(folder: Path) -> None:
    rows = list(read_datasets(dataset_files([str(folder)]), ColumnMap(), limits=LIMITS))
    assert [row.fields["title"] for row in rows if isinstance(row, TableRow)] == [
        "first",
        "second",
        "third",
    ]


def test_a_file_of_an_unknown_kind_is_taken_for_lines_of_json(tmp_path: Path) -> None:
    (tmp_path / "dump").write_text('{"title":"a"}\n')
    [row] = read_datasets(dataset_files([str(tmp_path / "dump")]), ColumnMap(), limits=LIMITS)
    assert isinstance(row, TableRow)


def test_standard_input_is_lines_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.write(theirs, b'{"title":"a"}\n')
    os.close(theirs)
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        [row] = read_datasets(dataset_files(["-"]), ColumnMap(), limits=LIMITS)
    assert isinstance(row, TableRow)
    assert row.input == "-"


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceUnusable, match=r"gone\.csv"):
        dataset_files([str(tmp_path / "gone.csv")])


def test_a_folder_without_data_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SourceUnusable, match=r"\.parquet"):
        dataset_files([str(tmp_path)])


def test_a_file_named_twice_is_refused(folder: Path) -> None:
    with pytest.raises(SettingsInvalid, match="twice"):
        dataset_files([str(folder), str(folder / "b.csv")])
