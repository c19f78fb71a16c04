"""After an upgrade that changed words: an index is made anew in steps, and searches go on."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from archive.dumps import dump
from archive.event_stream import archived, search_words, story_events, stream_events
from newsdedup.archive import word_index
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.word_index import IndexProgress
from newsdedup.archive.writer import ArchiveWriter


class Killed(Exception):
    """Ends the indexing as a kill would: after a committed step."""


def kill_after(steps: int) -> Callable[[IndexProgress], None]:
    left = iter(range(steps))

    def report(_: IndexProgress) -> None:
        if next(left, None) is None:
            raise Killed

    return report


def of_earlier_words(path: Path) -> Path:
    """Return an archive whose index has the words of an earlier version."""
    archived(path, [*story_events(), *stream_events()])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'of earlier' WHERE name = 'words'")
    return path


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_index, "_STEP_ITEMS", 20)


@pytest.mark.usefixtures("small_steps")
def test_indexing_goes_on_after_a_kill_and_searches_use_the_earlier_index(tmp_path: Path) -> None:
    path = of_earlier_words(tmp_path / "a")
    with pytest.raises(Killed):
        ArchiveWriter(path, search_words(), indexed=kill_after(3))
    with ArchiveReader(path, search_words()) as reader:
        progress, before = reader.index_progress(), reader.stamp()
        assert progress is not None
        assert progress == (60, reader.stats().items)
        page = reader.search(ItemFilter(text="пожар"))
        found = page.matches
        assert found > 3
        assert page.index_share == round(progress.share, 3)
        reports: list[IndexProgress] = []
        ArchiveWriter(path, search_words(), indexed=reports.append).close()
        assert reports[0] == progress
        assert reports[-1].done == reports[-1].items
        page = reader.search(ItemFilter(text="пожар"))
        assert (page.matches, page.index_share, reader.index_progress()) == (found, 1.0, None)
        assert reader.stamp() != before
    events = [*story_events(), *stream_events()]
    assert dump(path) == dump(archived(tmp_path / "b", events))


@pytest.mark.usefixtures("small_steps")
def test_an_index_begun_before_later_changes_is_begun_again(tmp_path: Path) -> None:
    path = of_earlier_words(tmp_path / "a")
    with pytest.raises(Killed):
        ArchiveWriter(path, search_words(), indexed=kill_after(2))
    with closing(sqlite3.connect(path)) as connection, connection:
        # As the previous release would, if it wrote the archive in between.
        connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'change'")
    reports: list[IndexProgress] = []
    ArchiveWriter(path, search_words(), indexed=reports.append).close()
    assert reports[0].done == 0


def test_items_are_changed_and_erased_in_an_index_that_took_the_place_of_another(
    tmp_path: Path,
) -> None:
    path, events = tmp_path / "a", [*story_events(), *stream_events()]
    archived(path, events[:60])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'of earlier' WHERE name = 'words'")
    with ArchiveWriter(path, search_words()) as writer:
        writer.apply(events[60:])
        assert writer.check() == []
    assert dump(path) == dump(archived(tmp_path / "b", events))
