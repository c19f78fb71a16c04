import csv
import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from newsdedup.adapters.tables.table_files import (
    _WRITE_ROWS,
    TABLE_FORMATS,
    ResultTable,
    check_format_library,
    write_rows,
    write_table,
)
from newsdedup.ports.errors import SinkUnusable

AT = datetime(2025, 1, 6, 10, 0, 0, 123, tzinfo=UTC)
REF = {"input": "a.csv", "row": 0, "source": "ria.ru", "id": "1"}
COLUMNS = {
    "name": "text",
    "number": "count",
    "score": "number",
    "again": "flag",
    "at": "moment",
    "terms": "texts",
    "members": "rows",
}
ROWS = [
    ("Київ, «міст»", 7, 0.5, True, AT, ("міст", "річка"), [REF]),
    (None, None, None, False, None, (), []),
]
AS_OBJECTS = [{**dict(zip(COLUMNS, row, strict=True)), "terms": list(row[5])} for row in ROWS]


def table(rows=ROWS) -> ResultTable:
    return ResultTable("items", COLUMNS, iter(rows))


def test_lines_of_json_hold_an_object_for_each_row(tmp_path: Path):
    write_table(table(), tmp_path / "t.jsonl", "jsonl")
    read = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text("utf-8").splitlines()]
    for row in read:
        row["at"] = row["at"] and datetime.fromisoformat(row["at"])
    assert read == AS_OBJECTS


def test_csv_has_lists_as_json_and_nothing_for_what_is_missing(tmp_path: Path):
    write_table(table(), tmp_path / "t.csv", "csv")
    content = (tmp_path / "t.csv").read_bytes().decode()
    first, second = csv.DictReader(io.StringIO(content, newline=""))
    assert list(first) == list(COLUMNS)
    assert first["name"] == "Київ, «міст»"
    assert first["again"] == "true"
    assert datetime.fromisoformat(first["at"]) == AT
    assert json.loads(first["terms"]) == ["міст", "річка"]
    assert json.loads(first["members"]) == [REF]
    assert second == dict.fromkeys(COLUMNS, "") | {"again": "false", "terms": "[]", "members": "[]"}


def test_parquet_has_types(tmp_path: Path):
    write_table(table(), tmp_path / "t.parquet", "parquet")
    read = parquet.read_table(tmp_path / "t.parquet")
    assert read.to_pylist() == AS_OBJECTS
    assert str(read.schema.field("at").type) == "timestamp[us, tz=UTC]"


def test_parquet_without_rows_has_its_columns(tmp_path: Path):
    write_table(table([]), tmp_path / "t.parquet", "parquet")
    assert parquet.read_schema(tmp_path / "t.parquet").names == list(COLUMNS)


def test_parquet_is_written_in_groups(tmp_path: Path):
    many = ResultTable("items", {"number": "count"}, ((n,) for n in range(_WRITE_ROWS + 1)))
    write_table(many, tmp_path / "t.parquet", "parquet")
    with parquet.ParquetFile(tmp_path / "t.parquet") as file:
        assert (file.num_row_groups, file.metadata.num_rows) == (2, _WRITE_ROWS + 1)


@pytest.mark.parametrize("form", sorted(set(TABLE_FORMATS.values())))
def test_a_table_replaces_another_only_when_it_is_whole(form, tmp_path: Path):
    def broken():
        yield ROWS[0]
        raise KeyboardInterrupt

    path = tmp_path / "t"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt):
        write_table(table(broken()), path, form)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("form", sorted(set(TABLE_FORMATS.values())))
def test_equal_tables_make_equal_files(form):
    first, second = io.BytesIO(), io.BytesIO()
    write_rows(table(), first, form)
    write_rows(table(), second, form)
    assert first.getvalue() == second.getvalue()


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path):
    with pytest.raises(SinkUnusable, match="gone"):
        write_table(table(), tmp_path / "gone" / "t.csv", "csv")


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SinkUnusable, match=r"the extra parquet of newsdedup"):
        check_format_library("parquet")
    check_format_library("csv")


def test_numbers_stay_numbers_in_parquet(tmp_path: Path):
    write_table(table(), tmp_path / "t.parquet", "parquet")
    schema = parquet.read_schema(tmp_path / "t.parquet")
    assert schema.field("number").type == pa.int64()
    assert schema.field("score").type == pa.float64()
