import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from archive.dumps import dump
from archive.event_stream import archived, search_words, story_events, stream_events
from newsdedup import ItemKey
from newsdedup.archive import writer
from newsdedup.archive.event_lines import ContentCodec
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.writer import ArchiveWriter

RETRACTED = ItemKey("agency", "a-9")
QUILLON = "Quillon"
"""A word that only the item has that is withdrawn."""


def bytes_of(path: Path) -> bytes:
    """Return all bytes of an archive and of SQLite's files alongside it."""
    alongside = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
    return b"".join(one.read_bytes() for one in alongside if one.exists())


def uncompressed(path: Path) -> Path:
    """Make the next events be stored as they are, so that their bytes can be looked for."""
    with ArchiveWriter(path, search_words()) as archive:
        codec = ContentCodec(b"")
        archive._tables._codec = codec
        codec.pack = lambda line: line
        codec.unpack = lambda content: content
        before = next(at for at, one in enumerate(story_events()) if b"item.retracted" in one)
        archive.apply(story_events()[:before])
        assert QUILLON.encode() in bytes_of(path)
        archive.apply(story_events()[before:])
        assert QUILLON.encode() not in bytes_of(path)
    return path


def test_the_text_of_a_withdrawn_item_is_in_no_byte_of_the_files(tmp_path: Path) -> None:
    data = bytes_of(uncompressed(tmp_path / "a"))
    assert QUILLON.encode() not in data
    assert QUILLON.lower().encode() not in data


def test_a_withdrawn_item_leaves_its_key_and_revision_alone(tmp_path: Path) -> None:
    path = archived(tmp_path / "a", story_events())
    with closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute(
            "SELECT source FROM sources WHERE name = 'agency'"
        ).fetchone()
        for table in ("items", "revisions"):
            rows = connection.execute(
                f"SELECT count(*) FROM {table} WHERE source = ? AND id = 'a-9'",  # noqa: S608
                (number,),
            )
            assert rows.fetchone() == (0,)
        assert connection.execute("SELECT id FROM tombstones").fetchall() == [("a-9",)]
    with ArchiveReader(path, search_words()) as reader:
        assert reader.item(RETRACTED) is None
        assert reader.is_retracted(RETRACTED)
        assert not reader.is_retracted(ItemKey("north", "1"))
        assert reader.search(ItemFilter(text=QUILLON)).items == ()
        assert reader.stats().retracted == 1
        changes = reader.changes(after=0).changes
        assert [one.summary for one in changes if one.item.id == "a-9"] == [None]


def test_an_item_that_is_published_again_stands_above_its_tombstone(tmp_path: Path) -> None:
    judged = next(one for one in story_events() if b'"a-9"' in one and b"item.judged" in one)
    again = json.loads(judged)
    again["dedup"]["revision"]["n"] = 7
    path = archived(tmp_path / "a", [*story_events(), json.dumps(again).encode(), judged])
    with ArchiveReader(path, search_words()) as reader:
        detail = reader.item(RETRACTED)
        assert detail is not None
        assert detail.judgement.revision.n == 7
        assert detail.corrections == ()
        assert not reader.is_retracted(RETRACTED)


def test_items_are_erased_when_they_are_older_than_they_may_stay(tmp_path: Path) -> None:
    events = stream_events()
    times = sorted(
        json.loads(one)["dedup"]["effective_at"] for one in events if b"effective_at" in one
    )
    middle = datetime.fromisoformat(times[len(times) // 2]).astimezone(UTC)
    keep = timedelta(days=30)
    young = [
        one
        for one in events
        if b"effective_at" not in one
        or datetime.fromisoformat(json.loads(one)["dedup"]["effective_at"]) >= middle
    ]
    expected = dump(archived(tmp_path / "expected", young))

    def pruned(name: str, *, at_once: bool) -> list[list[tuple[object, ...]]]:
        path = tmp_path / name
        clock = (lambda: middle + keep) if at_once else (lambda: datetime(2026, 11, 2, tzinfo=UTC))
        with ArchiveWriter(path, search_words(), keep=keep, clock=clock) as archive:
            for start in range(0, len(events), 30):
                archive.apply(events[start : start + 30])
        with ArchiveWriter(path, search_words(), keep=keep, clock=lambda: middle + keep) as archive:
            archive.prune()
            assert archive.check() == []
        return dump(path)

    assert pruned("late", at_once=False) == expected
    assert pruned("at once", at_once=True) == expected


def test_a_batch_erases_more_old_items_than_it_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_PRUNED_PER_BATCH", 2)
    judged = [one for one in stream_events() if b'"item.judged"' in one]
    judged.sort(key=lambda one: json.loads(one)["dedup"]["effective_at"])
    now = datetime(2026, 11, 2, tzinfo=UTC)
    keep = timedelta(days=3_650)
    with ArchiveWriter(tmp_path / "a", search_words(), keep=keep, clock=lambda: now) as archive:
        archive.apply(judged[:20])
        now = keep + datetime.fromisoformat(json.loads(judged[20])["dedup"]["effective_at"])
        assert archive.apply(judged[20:40])["expired"] == 20
        assert archive.items() == 20
