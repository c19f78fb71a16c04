import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, decode_row
from newsdedup.adapters.tables.table_files import _READ_ROWS, read_parquet
from newsdedup.ports.errors import SourceUnusable

AT = datetime(2025, 1, 6, 10, 0, 0, 123, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "news.parquet"


def fields(file: Path, **said: str):
    return [
        row.fields for row in read_parquet(str(file), ColumnMap(said)) if isinstance(row, TableRow)
    ]


def write(file: Path, **columns: object) -> Path:
    parquet.write_table(pa.table(columns), file)
    return file


def test_rows_have_numbers_and_no_lines(file: Path):
    write(file, headline=["a", "b"], views=[1, 2])
    assert list(read_parquet(str(file), ColumnMap())) == [
        TableRow(str(file), 0, {"title": "a"}),
        TableRow(str(file), 1, {"title": "b"}),
    ]


def test_numbers_go_on_over_batches_and_row_groups(file: Path):
    count = 2 * _READ_ROWS + 3
    parquet.write_table(pa.table({"text": [str(n) for n in range(count)]}), file, row_group_size=99)
    rows = list(read_parquet(str(file), ColumnMap()))
    assert [row.fields["text"] for row in rows if isinstance(row, TableRow)] == [
        str(row.number) for row in rows if isinstance(row, TableRow)
    ]
    assert len(rows) == count


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "+03:00", "Europe/Kyiv"])
def test_timestamps_of_any_unit_and_zone_are_moments(file: Path, unit: str, zone: str | None):
    at = pa.array([AT, None], pa.timestamp("us", "UTC")).cast(pa.timestamp(unit, "UTC"), safe=False)
    at = at.cast(pa.timestamp(unit, zone))
    write(file, title=["a", "b"], date=at)
    first, second = fields(file)
    micros = AT.microsecond if unit in ("us", "ns") else 0
    assert first["published_at"] == AT.replace(microsecond=micros).isoformat()
    assert "published_at" not in second


def test_other_types_are_read_as_items_need_them(file: Path):
    write(
        file,
        id=pa.array([1.0, 2.0]),
        title=pa.array(["a", "a"]).dictionary_encode(),
        text=pa.array([b"text", None], pa.binary()),
        date=pa.array([date(2025, 1, 6), None]),
        source=pa.array([Decimal(17), None], pa.decimal128(5, 0)),
    )
    rows = [row for row in read_parquet(str(file), ColumnMap()) if isinstance(row, TableRow)]
    first, second = (decode_row(row, limits=LIMITS) for row in rows)
    assert (first.key.id, first.key.source, first.title, first.text) == ("1", "17", "a", "text")
    assert first.published_at == datetime(2025, 1, 6, tzinfo=UTC)
    assert (second.key.id, second.key.source, second.text) == ("2", "news", "")


def test_columns_that_are_not_needed_are_not_read(file: Path):
    write(file, title=["a"], embedding=[[0.1] * 8])
    assert fields(file) == [{"title": "a"}]


def test_what_the_user_says_of_columns_holds(file: Path):
    assert fields(write(file, kicker=["a"], title=["b"]), title="kicker") == [{"title": "a"}]


def test_a_table_with_nothing_to_read_is_refused(file: Path):
    with pytest.raises(SourceUnusable, match="kicker"):
        list(read_parquet(str(write(file, kicker=["a"])), ColumnMap()))


def test_a_file_that_is_no_parquet_is_refused(file: Path):
    file.write_bytes(b"PAR1 not really")
    with pytest.raises(SourceUnusable, match="cannot be read"):
        list(read_parquet(str(file), ColumnMap()))


def test_without_pyarrow_the_extra_is_named(file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SourceUnusable, match=r"the extra parquet of newsdedup"):
        list(read_parquet(str(file), ColumnMap()))


def test_a_text_that_is_not_utf8_is_read_with_replacement_characters(file: Path):
    write(file, text=pa.array([b"\xff a"], pa.binary()))
    rows = list(read_parquet(str(file), ColumnMap()))
    assert not any(isinstance(row, BadTableRow) for row in rows)
    assert fields(file) == [{"text": "\ufffd a"}]
