import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from archive.dumps import dump
from archive.event_stream import archived, search_words, story_events, stream_events
from cli.in_process import run
from newsdedup.archive.writer import ArchiveWriter
from runners import processes


def every_event() -> list[bytes]:
    return [*story_events(), *stream_events()]


@pytest.fixture
def events(tmp_path: Path) -> Path:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\n".join(every_event()) + b"\n")
    return path


def stats(
    *arguments: str | Path, cwd: Path, stdin: bytes | None = None, code: int = 0
) -> dict[str, object]:
    done = run("archive", *arguments, "--to", "news.archive", "--json", cwd=cwd, stdin=stdin)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_an_archive_of_a_file_grows_with_it(tmp_path, events) -> None:
    whole = events.read_bytes()
    cut = len(whole) // 2
    events.write_bytes(whole[:cut])
    first = stats("events.jsonl", cwd=tmp_path)
    assert first["unreadable"] == 0
    events.write_bytes(whole)
    second = stats("events.jsonl", "--check", cwd=tmp_path)
    assert second["differences"] == []
    assert first["lines"] + second["lines"] == len(every_event())
    assert stats("events.jsonl", cwd=tmp_path)["lines"] == 0
    assert dump(tmp_path / "news.archive") == dump(archived(tmp_path / "b", every_event()))


def test_files_may_overlap_and_come_by_a_pipe(tmp_path, events) -> None:
    (tmp_path / "part.jsonl").write_bytes(b"\n".join(every_event()[:90]))
    assert stats("part.jsonl", "events.jsonl", cwd=tmp_path)["lines"] == 90 + len(every_event())
    again = stats("-", cwd=tmp_path, stdin=events.read_bytes())
    assert again["judged"] == 0
    assert again["lines"] == len(every_event())
    assert dump(tmp_path / "news.archive") == dump(archived(tmp_path / "b", every_event()))


@pytest.mark.usefixtures("events")
def test_what_is_too_old_is_erased(tmp_path) -> None:
    assert stats("events.jsonl", cwd=tmp_path)["items"] > 100
    pruned = stats("--keep", "1ms", "--check", cwd=tmp_path)
    assert pruned["expired"] + pruned["items"] > 100
    assert pruned["differences"] == []


@pytest.mark.usefixtures("events")
def test_a_command_that_is_quiet_says_nothing(tmp_path) -> None:
    done = run("archive", "events.jsonl", "--to", "a", "--quiet", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    loud = run("archive", "events.jsonl", "--to", "a", cwd=tmp_path)
    assert b"the archive holds" in loud.stderr


def test_lines_that_are_no_events_are_counted(tmp_path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(b'{"id": "1", "title": "no event"}\n{"torn"')
    assert stats("items.jsonl", cwd=tmp_path, code=65)["unreadable"] == 1
    with path.open("ab") as file:
        file.write(b": 1}\n\n")
    assert stats("items.jsonl", cwd=tmp_path, code=65)["unreadable"] == 2
    assert stats("items.jsonl", cwd=tmp_path)["unreadable"] == 0


def test_the_archive_is_no_input_and_another_file_is_not_overwritten(tmp_path, events) -> None:
    before = events.read_bytes()
    for source in ("events.jsonl", "news.archive"):
        refused = run("archive", source, "--to", "events.jsonl", cwd=tmp_path)
        assert refused.returncode != 0
    assert events.read_bytes() == before


@pytest.mark.usefixtures("events")
def test_an_archive_whose_sums_are_wrong_fails_the_check(tmp_path) -> None:
    stats("events.jsonl", cwd=tmp_path)
    with closing(sqlite3.connect(tmp_path / "news.archive")) as connection, connection:
        connection.execute("UPDATE volumes SET items = items + 1")
    failed = run("archive", "--to", "news.archive", "--check", cwd=tmp_path)
    assert failed.returncode != 0
    assert b"rows of volumes are wrong" in failed.stderr


@pytest.mark.usefixtures("events", "process")
def test_a_killed_command_goes_on_where_it_was(tmp_path) -> None:
    running = processes.started("archive", "-", "--to", "news.archive", "--quiet", cwd=tmp_path)
    assert running.stdin is not None
    running.stdin.write(b"\n".join(every_event()[:60]) + b"\n")
    running.stdin.flush()
    running.kill()
    running.communicate()
    assert stats("events.jsonl", "--check", cwd=tmp_path)["differences"] == []
    assert dump(tmp_path / "news.archive") == dump(archived(tmp_path / "b", every_event()))


def test_feeds_into_the_engine_fill_an_archive_only_with_the_engine(tmp_path) -> None:
    (tmp_path / "feeds.txt").write_text("https://news.example/feed\n")
    refused = run("feed", "feeds.txt", "--to", "a.jsonl", "--archive", "x", "--once", cwd=tmp_path)
    assert refused.returncode == 2
    assert b"belong to --to engine:STATE" in refused.stderr


@pytest.mark.usefixtures("events")
def test_the_events_of_an_archive_are_exported_as_tables(tmp_path) -> None:
    items = stats("events.jsonl", "--export", "a.jsonl", cwd=tmp_path)["items"]
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert len(rows) == items
    assert rows == sorted(rows, key=lambda row: row["at"])
    with ArchiveWriter(tmp_path / "news.archive", search_words()):
        assert stats("--export", "a.csv", cwd=tmp_path) == {"events": items, "file": "a.csv"}
    table = csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text(), newline=""))
    assert [row["id"] for row in table] == [row["id"] for row in rows]
    parquet = pytest.importorskip("pyarrow.parquet")
    stats("--export", "a.parquet", cwd=tmp_path)
    assert parquet.read_table(tmp_path / "a.parquet").column("id").to_pylist() == [
        row["id"] for row in rows
    ]


def test_a_table_of_an_unknown_format_is_refused_before_anything_is_read(tmp_path) -> None:
    done = run("archive", "--to", "news.archive", "--export", "events.xlsx", cwd=tmp_path)
    assert done.returncode == 2
    assert b".parquet" in done.stderr
    assert not (tmp_path / "news.archive").exists()


def test_items_that_nobody_judged_are_named_as_such(tmp_path) -> None:
    (tmp_path / "items.jsonl").write_text('{"source": "a", "title": "A bridge opens"}\n', "utf-8")
    done = run("archive", "items.jsonl", "--to", "news.archive", cwd=tmp_path)
    assert done.returncode == 65
    assert b"1 event, 1 unreadable" in done.stderr
    assert b"no line is an event" in done.stderr
    assert b"run ITEMS --to events.jsonl --archive news.archive" in done.stderr


@pytest.mark.parametrize("before", [b"", b"no JSON\n"])
def test_a_file_with_an_event_or_without_lines_is_archived_whatever_else_it_holds(
    tmp_path, events, before
) -> None:
    first = events.read_bytes().splitlines(keepends=True)[0]
    (tmp_path / "some.jsonl").write_bytes(before + first if before else b"")
    done = run("archive", "some.jsonl", "--to", "some.archive", cwd=tmp_path)
    assert done.returncode == 0
    assert b"no line is an event" not in done.stderr
