import csv
import gzip
import io
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.files.lines import split_lines
from newsdedup.adapters.formats.json_object import LIMITS, Limits
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.csv_rows import read_csv
from newsdedup.adapters.tables.input_records import read_datasets
from newsdedup.adapters.tables.rows import BadTableRow, TableRow
from newsdedup.ports.errors import SourceUnusable


def rows_of(content: bytes | str, *, limits=LIMITS, name="news.csv", **said):
    data = content.encode() if isinstance(content, str) else content
    parts = iter([part for part in (data[:7], data[7:]) if part] + [b""])
    found = split_lines(lambda: next(parts), name=name, limit=limits.line_bytes)
    return list(read_csv(name, found, ColumnMap(said), limits=limits))


def fields_or_codes(content, **given_):
    """Return the fields of good rows and the codes of bad ones."""
    rows = rows_of(content, **given_)
    return [row.fields if isinstance(row, TableRow) else row.code for row in rows]


def test_rows_are_counted_from_the_one_below_the_header():
    first, second = rows_of("title,date\nBridge,2025-01-06\nPort,\n")
    assert first == TableRow(
        "news.csv", 0, {"title": "Bridge", "published_at": "2025-01-06"}, line=2
    )
    assert second == TableRow("news.csv", 1, {"title": "Port"}, line=3)


def test_a_quoted_cell_holds_lines_quotes_and_commas():
    assert fields_or_codes('title,text\n"a ""b"", c","one\ntwo"\n') == [
        {"title": 'a "b", c', "text": "one\ntwo"}
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_header_tells_the_delimiter(delimiter):
    content = f"id{delimiter}title\n1{delimiter}a b\n"
    assert fields_or_codes(content) == [{"id": "1", "title": "a b"}]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_line_for_excel_that_names_the_delimiter_is_no_header(mark):
    [row] = rows_of(f"{mark}sep=;\r\ntitle;text\r\na,b,c,d;e\r\n")
    assert (row.fields, row.number, row.line) == ({"title": "a,b,c,d", "text": "e"}, 0, 3)
    assert fields_or_codes("sep=;\n") == []


def test_line_ends_of_windows_and_a_byte_order_mark_are_no_part_of_a_cell():
    assert fields_or_codes(b"\xef\xbb\xbftitle,text\r\na,b\r\n") == [{"title": "a", "text": "b"}]


def test_blank_lines_are_no_rows():
    assert [row.number for row in rows_of("\ntitle\n\na\n\n\nb\n")] == [0, 1]


def test_a_short_row_lacks_cells_and_a_long_one_is_refused():
    content = "title,text\na\na,b,\na,b,c\n"
    assert fields_or_codes(content) == [{"title": "a"}, {"title": "a", "text": "b"}, "bad_csv"]


def test_a_row_that_is_not_utf8_is_refused_alone():
    assert fields_or_codes(b"title\n\xef\xe5\xf0\xe2\nb\n") == ["not_utf8", {"title": "b"}]


def test_a_header_that_is_not_utf8_says_how_to_convert_the_file():
    with pytest.raises(SourceUnusable, match="iconv"):
        rows_of("заголовок\nа\n".encode("cp1251"))


def test_a_quote_that_is_never_closed_is_reported_with_its_row():
    *_, last = rows_of('title,text\na,b\n"c,d\ne,f\n')
    assert isinstance(last, BadTableRow)
    assert (last.row, last.line, last.code) == (1, 4, "bad_csv")
    assert "quote" in last.reason


def test_a_record_that_grows_beyond_the_limit_is_refused_and_reading_goes_on():
    limits = Limits(line_bytes=100)
    content = 'title\n"' + "x\n" * 60 + "b\n"
    first, *others = rows_of(content, limits=limits)
    assert isinstance(first, BadTableRow)
    assert first.code == "too_long"
    assert others[-1] == TableRow("news.csv", len(others), {"title": "b"}, line=62)


def test_a_line_longer_than_the_limit_is_refused_and_reading_goes_on():
    content = "title\n" + "x" * 200 + "\nb\n"
    assert fields_or_codes(content, limits=Limits(line_bytes=100)) == ["too_long", {"title": "b"}]


def test_a_carriage_return_inside_a_cell_is_refused_with_its_row():
    assert fields_or_codes("title,text\na\rb,c\nd,e\n") == ["bad_csv", {"title": "d", "text": "e"}]


def test_a_file_without_anything_has_no_rows():
    assert rows_of("") == rows_of("\n\n") == rows_of("title,text\n") == []


def test_the_limit_of_the_csv_module_is_left_as_it_was():
    before = csv.field_size_limit()
    assert fields_or_codes("text\n" + "x" * 200_000 + "\n") == [{"text": "x" * 200_000}]
    assert csv.field_size_limit() == before


@pytest.mark.parametrize("name", ["n.csv", "n.csv.gz", "n.csv.zst", "n.TSV"])
def test_plain_and_packed_files_are_read_alike(name: str, tmp_path: Path):
    delimiter = "\t" if name.endswith("TSV") else ","
    content = f"title{delimiter}id\na{delimiter}1\n".encode()
    pack = {"gz": gzip.compress, "zst": zstandard.compress}.get(name[-3:].strip("."), bytes)
    (tmp_path / name).write_bytes(pack(content))
    [row] = read_datasets([str(tmp_path / name)], ColumnMap(), limits=LIMITS)
    assert isinstance(row, TableRow)
    assert row.fields == {"title": "a", "id": "1"}


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=20)


@given(st.lists(st.tuples(cells, cells), max_size=5))
def test_what_a_csv_writer_writes_is_read_back(records):
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("title", "text"), *records])
    said = [{"title": title, "text": text} for title, text in records]
    assert fields_or_codes(file.getvalue()) == [
        {name: cell for name, cell in row.items() if cell and not cell.isspace()} for row in said
    ]


@given(st.binary(max_size=200))
def test_any_bytes_are_rows_or_refused(content):
    try:
        rows = rows_of(b"title,text\n" + content)
    except SourceUnusable:
        return
    assert [row.number if isinstance(row, TableRow) else row.row for row in rows] == [
        *range(len(rows))
    ]
