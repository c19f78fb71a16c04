import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from newsdedup.adapters.sqlite.file_schema import FileSchema
from newsdedup.archive.archive_file import ARCHIVE_SCHEMA
from newsdedup.feeder.archives.import_state import IMPORTS_SCHEMA
from newsdedup.feeder.state.feeds_file import FEEDS_SCHEMA
from newsdedup.ports.errors import StateUnusable

SCHEMAS = [ARCHIVE_SCHEMA, FEEDS_SCHEMA, IMPORTS_SCHEMA]
every_kind = pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.noun)


def make(schema: FileSchema, path: Path) -> Path:
    schema.open(path).close()
    return path


def tables(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


@every_kind
def test_a_file_that_is_opened_again_has_the_same_tables(schema, tmp_path):
    path = make(schema, tmp_path / "file")
    before = tables(path)
    assert before
    assert tables(make(schema, path)) == before


@every_kind
def test_an_older_file_is_brought_up_to_date_and_refused_by_the_version_before(schema, tmp_path):
    path = make(schema, tmp_path / "file")
    later = replace(schema, steps=(*schema.steps, "CREATE TABLE later (one); "))
    make(later, path)
    assert "later" in dict(tables(path))
    with pytest.raises(StateUnusable, match=f"{schema.noun} .* was written by a later version"):
        schema.open(path)


@every_kind
def test_a_step_that_fails_leaves_the_file_as_it_was(schema, tmp_path):
    path = make(schema, tmp_path / "file")
    before = tables(path)
    wrong = replace(schema, steps=(*schema.steps, "CREATE TABLE half (one); SELECT wrong;"))
    with pytest.raises(StateUnusable, match="wrong"):
        wrong.open(path)
    assert tables(make(schema, path)) == before


@every_kind
def test_a_file_of_another_kind_is_refused_and_not_changed(schema, tmp_path):
    others = [make(other, tmp_path / other.noun) for other in SCHEMAS if other is not schema]
    (foreign := tmp_path / "foreign").touch()
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    (text := tmp_path / "text").write_text("no database\n" * 100)
    for path in (*others, foreign, text):
        before = path.read_bytes()
        with pytest.raises(StateUnusable, match=f"no {schema.noun}|no database"):
            schema.open(path)
        assert path.read_bytes() == before


ADVICE = {
    "archive": "newsdedup archive EVENTS",
    "file of feeds": "put back a copy",
    "file of positions": "remove it",
}


@every_kind
def test_a_damaged_file_is_named_as_what_it_is_with_advice_that_helps_it(schema, tmp_path):
    path = make(schema, tmp_path / "file")
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)
    with pytest.raises(StateUnusable, match=f"^{schema.noun} .* is damaged: .*") as on_opening:
        schema.open(path)
    with (
        pytest.raises(StateUnusable, match=f"^{schema.noun} .* is damaged: .*") as on_writing,
        closing(schema.open(tmp_path / "other")) as connection,
        schema.transaction(connection, path),
    ):
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    for raised in (on_opening, on_writing):
        assert ADVICE[schema.noun] in str(raised.value)
        assert "--fresh" not in str(raised.value)


def test_no_two_kinds_are_known_by_the_same_number():
    assert len({schema.application_id for schema in SCHEMAS}) == len(SCHEMAS)
