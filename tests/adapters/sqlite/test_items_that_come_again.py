"""An item that comes again after it has left the window is stored once, whatever is left of it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from laws.streams import RULE, entry
from newsdedup import ItemKey
from newsdedup.adapters.sqlite.state import SqliteState, StreamProgress
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record

MANY = 3_000
"""More expired rows than one commit deletes."""
AGAIN = entry("again", [1, 2, 3, 4], at=1)
LATER = entry("again", [1, 2, 3, 4], at=90)


@contextmanager
def opened(path: Path) -> Iterator[SqliteState]:
    state = SqliteState(path, RULE, made_by="a test")
    with closing(state):
        state.expire(before=2)
        yield state


def store(state: SqliteState, *entries, bucket: int) -> None:
    for one in entries:
        state.store(Decision((Record(one, leader=one.key),), (), ()), bucket=bucket)


def rows(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as file:
        asked = "SELECT bucket FROM records WHERE id = 'again' ORDER BY ordinal"
        return [bucket for (bucket,) in file.execute(asked)]


def test_only_its_later_record_is_in_the_file(tmp_path):
    path = tmp_path / "state"
    with closing(SqliteState(path, RULE, made_by="a test")) as state:
        store(state, *[entry(f"n{number}", [number + 9], at=0) for number in range(MANY)], bucket=0)
        store(state, AGAIN, bucket=0)
        state.commit(StreamProgress())
        state.expire(before=2)
        store(state, LATER, bucket=9)
        state.commit(StreamProgress())
    assert rows(path) == [9]
    with opened(path) as state:
        assert state.known(AGAIN.key).entry == LATER


def test_of_two_records_in_a_file_the_later_one_counts(tmp_path):
    path = tmp_path / "state"
    with closing(SqliteState(path, RULE, made_by="a test")) as state:
        store(state, AGAIN, bucket=0)
        store(state, LATER._replace(key=ItemKey("s", "other")), bucket=9)
        state.commit(StreamProgress())
    with closing(SqliteState(tmp_path / "more", RULE, made_by="a test")) as state:
        store(state, *[entry(f"n{number}", [9], at=1) for number in range(5)], bucket=9)
        store(state, LATER, bucket=9)
        state.commit(StreamProgress())
    with closing(sqlite3.connect(path)) as file:
        file.execute("ATTACH ? AS more", (str(tmp_path / "more"),))
        file.execute("INSERT INTO records SELECT * FROM more.records WHERE id = 'again'")
        file.commit()
    assert rows(path) == [0, 9]
    with opened(path) as state:
        assert state.known(ItemKey("s", "other")) is not None
        assert state.known(AGAIN.key).entry == LATER
        state.commit(StreamProgress())
    assert rows(path) == [9]
