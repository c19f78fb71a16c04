import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from threading import Event, Thread

import pytest

from archive.dumps import dump
from archive.event_stream import archived, search_words, story_events, stream_events
from newsdedup.adapters.sqlite.file_schema import connect_read_only
from newsdedup.archive import archive_file, writer
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.word_index import IndexProgress
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.ports.errors import SourceUnusable, StateBusy, StateUnusable


def test_an_older_archive_is_brought_up_to_date_and_keeps_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archived(tmp_path / "a", story_events())
    before = dump(path)
    step = "ALTER TABLE items ADD COLUMN words INTEGER; CREATE TABLE later (one);"
    now = archive_file.ARCHIVE_SCHEMA
    later = replace(now, steps=(*now.steps, step))
    monkeypatch.setattr(archive_file, "ARCHIVE_SCHEMA", later)
    with pytest.raises(StateUnusable, match="earlier version"):
        ArchiveReader(path, search_words())
    ArchiveWriter(path, search_words()).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(later.steps),)
        assert connection.execute("SELECT count(*) FROM later").fetchone() == (0,)
    assert dump(path) == before
    monkeypatch.undo()
    for opening in (ArchiveWriter, ArchiveReader):
        with pytest.raises(StateUnusable, match="later version"):
            opening(path, search_words())


def test_another_file_is_no_archive(tmp_path: Path) -> None:
    other = tmp_path / "other"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE meta (name, value)")
    text = tmp_path / "text"
    text.write_text("no database\n" * 100)
    for path in (other, text):
        before = path.read_bytes()
        for opening in (ArchiveWriter, ArchiveReader):
            with pytest.raises(StateUnusable):
                opening(path, search_words())
        assert path.read_bytes() == before
    with pytest.raises(SourceUnusable, match="no such file"):
        ArchiveReader(tmp_path / "missing", search_words())


def test_an_archive_has_one_writer_and_any_number_of_readers(tmp_path: Path) -> None:
    path = archived(tmp_path / "a", story_events()[:3])
    with (
        ArchiveReader(path, search_words()) as before,
        ArchiveWriter(path, search_words()) as writer,
    ):
        with pytest.raises(StateBusy):
            ArchiveWriter(path, search_words())
        change = before.last_change()
        writer.apply(story_events())
        assert before.last_change() > change


def test_words_are_indexed_anew_where_lemmas_have_changed(tmp_path: Path) -> None:
    path = archived(tmp_path / "a", story_events())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'of earlier' WHERE name = 'words'")
        connection.execute("INSERT INTO word_index (word_index) VALUES ('delete-all')")
    with ArchiveReader(path, search_words()) as reader:
        assert reader.search(ItemFilter(text="пожар")).items == ()
    indexed: list[IndexProgress] = []
    ArchiveWriter(path, search_words(), indexed=indexed.append).close()
    with ArchiveReader(path, search_words()) as reader:
        assert len(reader.search(ItemFilter(text="пожар")).items) == 3
        assert indexed[-1].done == indexed[-1].items == reader.stats().items


def test_the_tables_that_others_may_query_are_described_as_they_are(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "archive.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| [^|`]+ \| ([^|]+) \|$", page, re.MULTILINE)
    assert len(rows) == 13
    with closing(sqlite3.connect(archived(tmp_path / "a", story_events()))) as connection:
        for table, columns in rows:
            actual = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
            assert re.findall(r"`(\w+)`", columns) == [name for (name,) in actual]
        (example,) = re.findall(r"```sql\n(.+?)```", page, re.DOTALL)
        assert connection.execute(example).fetchall() == []


@pytest.mark.parametrize("replaced", [True, False])
def test_a_writer_whose_archive_was_replaced_or_removed_says_so_and_writes_nothing(
    tmp_path: Path, *, replaced: bool
) -> None:
    path = archived(tmp_path / "a", story_events()[:3])
    other = archived(tmp_path / "b", story_events()[:1])
    before = dump(other)
    with ArchiveWriter(path, search_words()) as writer:
        if replaced:
            other.replace(path)
        else:
            path.unlink()
        with pytest.raises(StateUnusable, match="replaced or removed"):
            writer.apply(story_events())
    if replaced:
        assert dump(path) == before
    else:
        assert not path.exists()


def test_readers_without_a_pause_do_not_let_the_write_ahead_log_grow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_LOG_BYTES", 2**20)
    path, ended, reading = tmp_path / "a", Event(), Event()
    events = stream_events()

    def read() -> None:
        """Begin each query before the one before it ends."""
        with closing(connect_read_only(path)) as one, closing(connect_read_only(path)) as other:
            before = one.execute("SELECT number FROM items")
            for connection in cycle((other, one)):
                rows = connection.execute("SELECT number FROM items")
                before.close()
                before = rows
                reading.set()
                if ended.is_set():
                    return

    with ArchiveWriter(path, search_words()) as archive:
        archive.apply(events[:20])
        readers = Thread(target=read)
        readers.start()
        try:
            assert reading.wait(30)
            sizes = []
            for at in range(20, len(events), 10):
                archive.apply(events[at : at + 10])
                sizes.append((tmp_path / "a-wal").stat().st_size)
        finally:
            ended.set()
            readers.join()
    assert max(sizes) < 2 * 2**20, sizes
