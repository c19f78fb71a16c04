"""Transactions that end, whatever ends them."""

import sqlite3
from pathlib import Path

import pytest

from newsdedup.adapters.sqlite.file_schema import open_database
from newsdedup.adapters.sqlite.state_file import STATE
from newsdedup.ports.errors import StateUnusable


@pytest.fixture
def database(tmp_path):
    opened = open_database(tmp_path / "file", synchronous="NORMAL")
    opened.execute("CREATE TABLE t (number INTEGER)")
    # As SQLite does by itself where the disk is full: the transaction is rolled back at once.
    opened.execute(
        "CREATE TRIGGER full BEFORE INSERT ON t WHEN new.number = 13"
        " BEGIN SELECT RAISE(ROLLBACK, 'disk is full'); END"
    )
    yield opened
    opened.close()


def numbers(opened: sqlite3.Connection) -> list[int]:
    return [number for (number,) in opened.execute("SELECT number FROM t")]


def test_what_a_block_wrote_is_there_at_its_end(database):
    with STATE.transaction(database, Path("file")):
        database.execute("INSERT INTO t VALUES (1)")
    assert numbers(database) == [1]


def write(opened: sqlite3.Connection, *values: int) -> None:
    with STATE.transaction(opened, Path("file")):
        for number in values:
            opened.execute("INSERT INTO t VALUES (?)", (number,))


def test_nothing_is_there_of_a_block_that_raises(database):
    with pytest.raises(StateUnusable, match="bind"):
        write(database, 1, object())  # type: ignore[arg-type]
    assert numbers(database) == []


def test_the_error_that_ended_a_transaction_is_the_one_that_is_shown(database):
    with pytest.raises(StateUnusable, match="disk is full"):
        write(database, 1, 13)
    assert numbers(database) == []
