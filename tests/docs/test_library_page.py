import contextlib
import inspect
import io
import re
from typing import Any, get_args

import newsdedup
from docs.pages import Block, blocks, cells, page, quoted
from newsdedup.adapters.tables.columns import COMMON_COLUMNS
from newsdedup.core.model import Relation
from newsdedup.runners.files.finished import COLUMNS

PAGE = "library.md"
PROMISED = re.compile(r"print\(.*\)  # (.+)$", re.MULTILINE)


def run(block: Block, names: dict[str, Any]) -> list[str]:
    """Run a block among the names of those before it; return what it printed."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(block.text, f"{PAGE}:{block.line}", "exec"), names)  # noqa: S102  # the page
    return said.getvalue().splitlines()


def test_the_code_of_the_page_runs_and_prints_what_it_says():
    names: dict[str, Any] = {}
    ran = [(block, run(block, names)) for block in blocks(PAGE, "python") if block.run]
    assert len(ran) >= 7
    for block, printed in ran:
        for promised in PROMISED.findall(block.text):
            assert promised in printed, f"{PAGE}:{block.line}"


def test_the_code_that_cannot_be_run_is_code():
    for block in blocks(PAGE, "python"):
        compile(block.text, PAGE, "exec")


def test_the_columns_that_are_read_are_on_the_page():
    listed = {quoted(field)[0]: quoted(names) for field, names in cells(PAGE, first="field")}
    assert listed == {field: names.split() for field, names in COMMON_COLUMNS.items()}


def test_the_columns_of_every_table_are_on_the_page():
    listed = {}
    for name, columns in COLUMNS.items():
        _, _, part = page(PAGE).partition(f"\n`{name}`, ")
        part, _, _ = part.partition("\n\n`")
        rows = [line for line in part.splitlines() if line.startswith("| `")]
        listed[name] = [column for row in rows for column in quoted(row.split("|")[1])]
        assert sorted(listed[name]) == sorted(columns), name


def test_the_arguments_are_on_the_page():
    listed = [quoted(row[0])[0] for row in cells(PAGE, first="argument")]
    assert listed == list(inspect.signature(newsdedup.Deduplicator).parameters)
    finished = inspect.signature(newsdedup.deduplicated).parameters
    assert {*listed, "items"} - {"lateness", "tune_collector"} == set(finished)


def test_every_relation_is_on_the_page():
    rows = re.findall(r"^\| `relation` \| (.+?)(?: \(|\|$)", page(PAGE), re.MULTILINE)
    assert [[name.strip('"') for name in quoted(row)] for row in rows] == [
        list(get_args(Relation))
    ] * 2


def test_what_is_exported_is_on_the_page():
    _, _, types = page(PAGE).partition("## Types")
    assert set(newsdedup.__all__) == set(quoted(types)) - {"py.typed", "newsdedup"}
