"""Files that earlier releases have written are read, or refused with advice that works."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from archive.dumps import dump
from cli.in_process import run
from newsdedup import ItemKey
from newsdedup.archive.archive_file import open_archive_for_reading
from newsdedup.cli.errors import ExitCode
from newsdedup.ports.errors import StateUnusable
from releases.invented_items import copies_of, copy_of
from releases.published_events import is_each_event_the_same, originals
from releases.recorded import RECORDED, RestoredFiles, releases
from releases.recorder import FEEDS, TABLE_ROWS
from server.served import serving

every_archive = pytest.mark.parametrize(
    "files",
    [release for release in releases() if release.has("news.archive")],
    ids=lambda release: release.folder.name,
    indirect=True,
)


def done(files: RestoredFiles, *arguments: str):
    return run(*arguments, "--quiet", cwd=files.folder)


def write_more(files: RestoredFiles, name: str, records) -> None:
    write_items(files.folder / name, records)


def write_items(path: Path, records) -> None:
    """Add records to a file, one in a line."""
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


def keys(items) -> list[ItemKey]:
    return [ItemKey(item["source"], item["id"]) for item in items]


def refusal_of(archive: Path) -> str:
    """Return why a reader refuses an archive, "" if it reads it."""
    try:
        open_archive_for_reading(archive).close()
    except StateUnusable as error:
        return str(error)
    return ""


def test_releases_are_recorded_and_small():
    assert releases()
    assert sum(path.stat().st_size for path in RECORDED.rglob("*.*")) < 50_000 * len(releases())


def test_a_run_goes_on_with_a_state_or_says_how_to_begin_anew(files):
    items, before = files.records("items.jsonl"), files.records("events.jsonl")
    later = copies_of(items, "later.example")
    write_more(files, "items.jsonl", later)
    # A state knows its output by the folder, which is another one here.
    command = ("run", "items.jsonl", "--to", "today.jsonl", "--state", "events.jsonl.state")
    result = done(files, *command)
    if result.returncode == ExitCode.STATE_UNUSABLE:
        assert b"`newsdedup run --fresh`" in result.stderr
        result, before = done(files, *command, "--fresh"), []
    assert result.returncode == ExitCode.OK, result.stderr
    events = files.records("today.jsonl")
    assert is_each_event_the_same([*before, *events])
    assert originals(events).items() >= dict(zip(keys(later), keys(items), strict=False)).items()


def test_an_archive_is_made_of_the_events_of_a_release(files):
    result = done(files, "archive", "events.jsonl", "--to", "anew.archive", "--check")
    assert result.returncode == ExitCode.OK, result.stderr
    items = {(one["source"], one["id"]) for one in files.records("items.jsonl") if "title" in one}
    with serving(files.folder, archive="anew.archive") as server:
        assert server.ask("/v1/stats").json()["items"] == len(items) - 1  # one is withdrawn


@every_archive
def test_an_archive_is_served_or_brought_up_to_date_as_its_refusal_says(files):
    path = files.folder / "news.archive"
    if refusal := refusal_of(path):
        assert "`newsdedup archive EVENTS --to PATH` brings it up to date" in refusal
        result = done(files, "archive", "events.jsonl", "--to", "news.archive", "--check")
        assert result.returncode == ExitCode.OK, result.stderr
    assert done(files, "archive", "events.jsonl", "--to", "anew.archive").returncode == 0
    assert dump(path) == dump(files.folder / "anew.archive")
    with serving(files.folder) as server:
        (story, *_) = server.ask("/v1/stories").json()["stories"]
        assert server.ask(f"/v1/stories/{story['id']}").status == 200


@every_archive
def test_an_archive_goes_on_with_the_events_of_today(files):
    write_more(files, "more.jsonl", copies_of(files.records("items.jsonl"), "later.example"))
    for events in ("items.jsonl", "more.jsonl"):
        command = ("run", events, "--to", "today.jsonl", "--archive", "today.archive")
        assert done(files, *command).returncode == ExitCode.OK
    shutil.copy(files.folder / "news.archive", files.folder / "both.archive")
    result = done(files, "archive", "today.jsonl", "--to", "both.archive", "--check")
    assert result.returncode == ExitCode.OK, result.stderr


def test_a_list_of_feeds_is_read_and_kept_up(files):
    result = run("feeds", "list", "--json", cwd=files.folder)
    assert result.returncode == ExitCode.OK, result.stderr
    listed = json.loads(result.stdout)["feeds"]
    assert [one["address"] for one in listed] == [address for address, *_ in FEEDS]
    assert [one["category"] for one in listed] == ["Kyiv", "", ""]
    more = ("feeds", "add", "https://new.example/rss.xml", "--unchecked")
    assert run(*more, cwd=files.folder).returncode == ExitCode.OK
    status = run("feeds", "status", "--json", cwd=files.folder)
    assert status.returncode == ExitCode.OK, status.stderr


def test_an_import_goes_on_behind_the_rows_that_a_release_has_read(files):
    with closing(sqlite3.connect(files.folder / "imported.jsonl.import")) as positions, positions:
        for column in ("import", "file"):
            positions.execute(
                f"UPDATE files SET {column} = replace({column}, ?, ?)",  # noqa: S608 - of two names
                (files.written_in, str(files.folder)),
            )
    before = files.records("imported.jsonl")
    assert len(before) == TABLE_ROWS
    write_more(files, "table.jsonl", [copy_of(before[0], "later.example", minutes=5)])
    result = done(files, "import", "table", "table.jsonl", "--to", "imported.jsonl")
    assert result.returncode == ExitCode.OK, result.stderr
    after = files.records("imported.jsonl")
    assert after[:-1] == before
    assert after[-1]["source"] == "later.example"
