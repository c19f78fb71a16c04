"""The command `newsdedup watch`, and what the doctor says of its file."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from archive.event_stream import archived, story_events
from cli import in_process
from newsdedup.cli.checks.files import check_watches
from newsdedup.cli.errors import ExitCode
from newsdedup.ports.errors import StateUnusable
from newsdedup.watches.watcher import Watcher

ONCE = ("watch", "news.archive", "--once", "--quiet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("watch")
    archived(path / "news.archive", story_events())
    return path


def test_once_prints_what_fits_and_with_a_state_nothing_twice(folder: Path) -> None:
    arguments = (*ONCE, "--copies-of", "agency", "--json")
    first = in_process.run(*arguments, "--all", "--state", "copies.watch", cwd=folder)
    lines = [json.loads(line) for line in first.stdout.splitlines()]
    assert {(one["item"]["source"], one["item"]["id"]) for one in lines} == {("north", "2")}
    again = in_process.run(*arguments, "--state", "copies.watch", cwd=folder)
    assert (again.returncode, again.stdout) == (0, b"")
    without = in_process.run(*arguments, cwd=folder)
    assert json.loads(without.stdout)["id"] == lines[0]["id"]


def test_a_line_shows_time_search_source_and_title(folder: Path) -> None:
    done = in_process.run(*ONCE, "--words", "склад", "--source", "вести", cwd=folder)
    assert done.stdout.decode() == "2026-03-02 15:00  watch  вести  Потушен пожар на складе\n"


def test_a_search_for_everything_is_refused(folder: Path) -> None:
    done = in_process.run(*ONCE, cwd=folder)
    assert done.returncode == 2
    assert b"is needed" in done.stderr


def test_words_that_no_item_is_searched_by_are_refused(folder: Path) -> None:
    done = in_process.run(*ONCE, "--words", "the and", cwd=folder)
    assert done.returncode == 2
    assert b"too common" in done.stderr


def test_words_of_a_listed_search_are_refused_by_its_name(folder: Path) -> None:
    (folder / "listed.toml").write_text('[[watch]]\nname = "all"\nq = "the and"\n')
    listed = {"NEWSDEDUP_WATCHES__FILE": "listed.toml"}
    done = in_process.run(*ONCE, "--words", "склад", cwd=folder, **listed)
    assert done.returncode == 2
    assert b"saved search all: no item is searched for by these words" in done.stderr


def test_following_ends_with_an_error_where_the_file_of_searches_fails_for_a_while(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(watcher: Watcher) -> None:
        watcher.ended = StateUnusable("file of saved searches: writing failed: database is locked")

    monkeypatch.setattr(Watcher, "run", fail)
    done = in_process.run("watch", "news.archive", "--words", "склад", "--quiet", cwd=folder)
    assert done.returncode == ExitCode.STATE_UNUSABLE
    assert b"writing failed: database is locked" in done.stderr


def test_a_hit_that_cannot_be_sent_is_an_error(folder: Path) -> None:
    arguments = (*ONCE, "--source", "вести", "--webhook", "http://127.0.0.1:1/")
    done = in_process.run(*arguments, "--all", "--state", "unsent.watch", cwd=folder)
    assert done.returncode not in (0, 70), done.stderr
    assert b"1 hit could not be sent: watches.secret is not set" in done.stderr
    assert check_watches(folder / "unsent.watch").status == "warn"
    with closing(sqlite3.connect(folder / "unsent.watch")) as file, file:
        file.execute("UPDATE watches SET failing_since = NULL")
    assert check_watches(folder / "unsent.watch").status == "ok"
    assert check_watches(folder / "news.archive").status == "fail"
