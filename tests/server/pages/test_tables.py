"""The tables of the pages as CSV, and what pages, JSON and CSV say to an unknown value."""

import csv
import io
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.tables.table_files import harmless_cell
from newsdedup.server.pages.tables import PAGE_TABLES
from server.pages.test_pages_over_http import addresses, ask

TABLES = [(path, table.name) for path, tables in PAGE_TABLES.items() for table in tables]


def table_of(site: str, address: str, table: str = "") -> list[dict[str, str]]:
    """Return the rows of a table of the page at an address."""
    path, _, query = address.partition("?")
    twin = "/now.csv" if path == "/" else f"{path}.csv"
    answer = ask(site, f"{twin}?{query}{'&' if query else ''}table={table}")
    assert answer.status == HTTPStatus.OK, answer.body
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == "attachment"
    return list(csv.DictReader(io.StringIO(answer.body.removeprefix("\ufeff"), newline="")))


@pytest.mark.parametrize(("path", "table"), TABLES, ids=lambda value: value.strip("/"))
def test_every_table_of_a_page_is_a_file_for_spreadsheets(path, table, site) -> None:
    rows = table_of(site, addresses(site)[path], table)
    columns = next(one.columns.split() for one in PAGE_TABLES[path] if one.name == table)
    for row in rows:
        assert list(row) == [column.replace(".", "_") for column in columns]
    assert rows or path == "/source"


def test_a_table_has_the_rows_of_its_filter_beyond_the_first_page(site) -> None:
    rows = table_of(site, "/items?verdict=duplicate")
    duplicates = ask(site, "/status.json").json()["stats"]["duplicates"]
    assert len(rows) == min(1_000, duplicates) > 40
    assert {row["verdict"] for row in rows} == {"duplicate"}
    first = ask(site, "/items.json?verdict=duplicate").json()["page"]["items"]
    assert [row["id"] for row in rows[:40]] == [one["id"] for one in first]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", "  =1", "\uff1d1"])
def test_a_cell_that_would_be_a_formula_begins_with_an_apostrophe(text: str) -> None:
    assert harmless_cell(text) == f"'{text}"


@given(text=st.text())
def test_no_cell_begins_as_a_formula_and_no_text_is_lost(text: str) -> None:
    cell = harmless_cell(text)
    assert cell in (text, f"'{text}")
    assert not cell.strip().startswith(("=", "+", "-", "@"))


def test_an_unknown_value_is_told_by_the_page_its_json_and_its_table(site) -> None:
    query = "?lang=en&colour=red&interface=en"
    assert "<code><bdi>colour</bdi></code>" in ask(site, f"/items{query}").body
    assert ask(site, f"/items.json{query}").json()["ignored"] == ["colour"]
    assert ask(site, f"/check.json{query}").json()["ignored"] == ["lang", "colour"]
    refused = ask(site, f"/items.csv{query}", Accept="*/*")
    assert refused.status == HTTPStatus.BAD_REQUEST
    assert "colour" in refused.json()["detail"]
    assert "ignored" not in ask(site, "/items.json?lang=en").json()


def test_a_table_that_a_page_does_not_have_is_refused_with_those_that_it_has(site) -> None:
    refused = ask(site, "/sources.csv?table=rows", Accept="*/*")
    assert refused.status == HTTPStatus.BAD_REQUEST
    assert refused.json()["detail"] == "table is none of sources, pairs, matrix"
