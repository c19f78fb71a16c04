import json
import resource
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cli.shells import newsdedup
from newsdedup.adapters.sqlite.state_file import open_state
from newsdedup.archive.archive_file import open_archive_file
from newsdedup.cli.checks import files, installation
from newsdedup.cli.checks.installation import Finding, Probe, run_probes, worst_status
from newsdedup.cli.errors import ExitCode
from newsdedup.config import Settings, WordSettings, read_settings
from newsdedup.feeder.scheduling.stored_feed import NEVER
from newsdedup.feeder.state.feed_state import FeedState, Subscription

pytestmark = pytest.mark.usefixtures("process")


def checks(stdout: str) -> dict[str, dict[str, str]]:
    return {each["check"]: each for each in json.loads(stdout)["checks"]}


def test_a_sound_installation_passes_every_check(tmp_path: Path) -> None:
    result = newsdedup("doctor", "--json", cwd=tmp_path)
    assert [each for each in checks(result.stdout).values() if each["status"] == "fail"] == []
    assert result.returncode == ExitCode.OK
    assert {"python", "pymorphy3", "dictionary uk", "sqlite", "state folder", "disk"} <= set(
        checks(result.stdout)
    )
    assert list(tmp_path.iterdir()) == []


def test_each_line_begins_with_its_status(tmp_path: Path) -> None:
    lines = newsdedup("doctor", cwd=tmp_path).stdout.splitlines()
    assert [line for line in lines if line.split()[0] not in ("ok", "warn", "->")] == []


def test_wrong_settings_fail_and_the_rest_is_checked_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "newsdedup.toml").write_text("[rule]\nwindow = 3\nsimilr = 3\n", "utf-8")
    result = newsdedup("doctor", cwd=tmp_path)
    assert result.returncode == ExitCode.FAILED
    first, second, third, fourth, *_ = result.stdout.splitlines()
    assert first.split()[:2] == ["fail", "settings"]
    assert "2 settings are wrong" in first
    assert "rule.window" in second
    assert "rule.similr" in third
    assert fourth.strip().startswith("->")
    assert "ok    sqlite" in result.stdout


def test_a_state_folder_that_is_not_there_fails_with_advice(tmp_path: Path) -> None:
    result = newsdedup("doctor", "--json", "--state", "no/such.state", cwd=tmp_path)
    assert result.returncode == ExitCode.FAILED
    found = checks(result.stdout)["state folder"]
    assert found["status"] == "fail"
    assert "--state" in found["advice"]


def test_a_file_in_place_of_the_state_folder_fails(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert files.check_state_folder(tmp_path / "file").status == "fail"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux has /proc")
def test_a_state_folder_that_cannot_be_written_fails() -> None:
    # In /proc not even root can make a file.
    assert files.check_state_folder(Path("/proc")).status == "fail"


def test_a_state_is_looked_at_and_not_changed(tmp_path: Path) -> None:
    sound, other = tmp_path / "sound.state", tmp_path / "other.state"
    open_state(sound, made_by="test").close()
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE somebodys (x)")
    connection.close()
    before = sound.read_bytes()
    assert files.check_state_file(sound, None).status == "ok"
    assert files.check_state_file(other, None).status == "fail"
    assert sound.read_bytes() == before


def test_a_state_of_other_settings_fails_as_a_run_would(tmp_path: Path) -> None:
    item = '{"id": "1", "source": "a", "title": "A crane fell", "published_at": "2026-05-01"}'
    (tmp_path / "items.jsonl").write_text(item, "utf-8")
    newsdedup("run", "items.jsonl", "--to", "events", "--state", "news.state", cwd=tmp_path)
    state = ("doctor", "--json", "--state", "news.state")
    same = checks(newsdedup(*state, cwd=tmp_path).stdout)["state"]
    other = checks(newsdedup(*state, "--window", "24h", cwd=tmp_path).stdout)["state"]
    assert (same["status"], other["status"]) == ("ok", "fail")
    assert "window 72h" in other["message"]


@pytest.mark.parametrize(
    ("free", "status"), [(2**40, "ok"), (2**29, "warn"), (2**20, "fail"), (0, "fail")]
)
def test_little_space_warns_and_none_fails(free: int, status: str) -> None:
    assert files.check_disk(Path("/"), free=free, holds="state").status == status


@pytest.mark.parametrize(
    ("encoding", "utf8_mode", "status"),
    [
        ("UTF-8", False, "ok"),
        ("utf8", False, "ok"),
        ("ANSI_X3.4-1968", True, "ok"),
        ("ANSI_X3.4-1968", False, "warn"),
        ("KOI8-R", False, "warn"),
    ],
)
def test_a_locale_that_cannot_show_every_text_warns(
    encoding: str, utf8_mode: bool, status: str
) -> None:
    assert installation.check_terminal(encoding, utf8_mode=utf8_mode).status == status


def test_an_ascii_locale_is_noticed(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    result = newsdedup("doctor", cwd=tmp_path, **plain)
    assert "warn  terminal" in result.stdout


def test_pymorphy2_is_named_as_what_breaks(tmp_path: Path) -> None:
    package = tmp_path / "site" / "pymorphy2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from inspect import getargspec\n", "utf-8")
    without = newsdedup("doctor", "--json", cwd=tmp_path)
    assert "pymorphy2" not in checks(without.stdout)
    result = newsdedup("doctor", "--json", cwd=tmp_path, PYTHONPATH=str(package.parent))
    found = checks(result.stdout)["pymorphy2"]
    assert found["status"] == "warn"
    assert "breaks on Python >= 3.11" in found["message"]
    assert found["advice"].startswith("pip uninstall pymorphy2")


def test_a_library_that_cannot_be_imported_fails_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "brokenlib.py").write_text("raise ImportError('no libfoo.so')", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installation.check_dependency("broken", "brokenlib") == Finding(
        "broken", "fail", "cannot be imported: no libfoo.so", installation.REPAIR
    )
    assert installation.check_dependency("missing", "no_such_module_here").status == "fail"
    assert installation.check_fast_dictionaries("no_such_module_here").status == "warn"


def test_a_dictionary_that_answers_otherwise_fails() -> None:
    assert installation.check_dictionary("ru", form="новостями", lemma="новость").status == "ok"
    assert installation.check_dictionary("ru", form="новостями", lemma="газета").status == "fail"


def test_old_versions_of_python_and_sqlite_fail() -> None:
    assert installation.check_python((3, 11)).status == "ok"
    assert installation.check_python((3, 10)).status == "fail"
    assert installation.check_sqlite((3, 24, 0)).status == "ok"
    assert installation.check_sqlite((3, 23, 9)).status == "fail"


@pytest.mark.parametrize("content", [None, b"no table"])
def test_an_own_background_table_that_is_none_fails(content: bytes | None, tmp_path: Path) -> None:
    own = tmp_path / "own.zst"
    if content is not None:
        own.write_bytes(content)
    settings = replace(Settings(), words=WordSettings(background=str(own)))
    found = installation.check_data_file("background", settings)
    assert found.status == "fail"
    assert "words.background" in found.advice


def test_the_worst_finding_decides() -> None:
    ok, warn = Finding("a", "ok", ""), Finding("b", "warn", "")
    assert worst_status([]) == "ok"
    assert worst_status([ok, warn, ok]) == "warn"
    assert worst_status([Finding("c", "fail", ""), warn]) == "fail"


def test_a_state_that_is_not_made_yet_is_looked_for_in_its_folder(tmp_path: Path) -> None:
    settings = read_settings({"run.state": str(tmp_path / "new.state")}, {}, None).settings
    probes = files.file_probes(settings)
    found = {each.check: each for each in run_probes([*probes], seconds=30)}
    assert found["state folder"].status == "ok"
    assert "state" not in found
    assert "(state)" in found["disk"].message


def test_files_where_nobody_may_look_fail_with_advice_and_the_rest_is_checked(
    tmp_path: Path,
) -> None:
    # Root may enter every folder; a name that is too long stops it too.
    beyond = tmp_path / ("n" * 300)
    flags = {"run.state": str(beyond / "state"), "feeder.state": str(beyond / "feeds")}
    settings = read_settings(flags, {}, None).settings
    named = {"archive": beyond / "archive", "output": tmp_path / "events", "feeds": True}
    found = list(run_probes([*files.file_probes(settings, **named)], seconds=30))
    failed = {each.check for each in found if each.status == "fail" and each.advice}
    assert failed == {"state folder", "state", "archive", "feeds"}
    assert "(output)" in found[-1].message


def test_folders_on_one_disk_are_one_finding(tmp_path: Path) -> None:
    (one,) = files.check_disks({"state": tmp_path, "archive": tmp_path, "output": tmp_path / "no"})
    assert "(state, archive)" in one.message


def test_a_disk_that_takes_no_byte_more_fails_with_advice(tmp_path: Path) -> None:
    # As ServerProcess.fill_disk does: every writing to a file fails.
    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    done = subprocess.run(
        [sys.executable, "-m", "newsdedup", "doctor", "--json"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        preexec_fn=fill,
        text=True,
    )
    found = checks(done.stdout)["state folder"]
    assert found["status"] == "fail"
    assert "space" in found["advice"]


def test_a_check_that_hangs_fails_and_the_others_are_made_all_the_same() -> None:
    over = threading.Event()
    probes = [
        Probe("dead disk", over.wait, lambda _: [], "look at the disk"),
        Probe("live disk", lambda: "ok", lambda answer: [Finding("live", "ok", answer)], ""),
    ]
    dead, live = run_probes(probes, seconds=0)
    over.set()
    assert (dead.check, dead.status, dead.advice) == ("dead disk", "fail", "look at the disk")
    assert (live.check, live.message) == ("live", "ok")


def test_a_bug_in_a_check_is_no_finding() -> None:
    with pytest.raises(ZeroDivisionError):
        list(run_probes([Probe("bug", lambda: 1 // 0, lambda _: [], "")], seconds=30))


NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def stored_feeds(path: Path, *feeds: tuple[str, dict[str, object]]) -> None:
    with FeedState(path, locked=True) as state:
        state.subscribe([Subscription(address) for address, _ in feeds], at=NOW)
        for stored, (_, changes) in zip(state.feeds(), feeds, strict=True):
            feed = replace(stored, **{"next_at": NOW, **changes})
            state.commit(feed, delivered={}, listed=(), at=NOW)


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({}, "ok", "1 never visited"),
        ({"tried_at": NOW, "succeeded_at": NOW}, "ok", "0 never visited"),
        ({"added_at": NOW - timedelta(days=1), "next_at": NEVER}, "warn", "1 overdue"),
        ({"failures": 9, "tried_at": NOW, "succeeded_at": NOW - timedelta(days=5)}, "warn", "1 d"),
        ({"status": "gone", "next_at": NEVER}, "ok", "0 of them visited: 0 dead, 0 overdue"),
    ],
)
def test_feeds_that_are_dead_or_overdue_are_counted(
    tmp_path: Path, changes: dict[str, object], status: str, said: str
) -> None:
    path = tmp_path / "own.feeds"
    stored_feeds(path, ("https://visti.example/rss", changes))
    if "added_at" in changes:
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE feeds SET added_at = 0")
        connection.close()
    found = files.check_feeds(path, timedelta(minutes=5), at=NOW)
    assert (found.status, said in found.message) == (status, True), found.message
    assert (found.advice != "") == (status == "warn")


def test_a_file_of_feeds_is_examined_where_it_is_and_not_changed(tmp_path: Path) -> None:
    (tmp_path / "other.feeds").write_text("no feeds", "utf-8")
    FeedState(tmp_path / "newsdedup.feeds", locked=False).close()
    before = (tmp_path / "newsdedup.feeds").read_bytes()
    found = checks(newsdedup("doctor", "--json", cwd=tmp_path).stdout)["feeds"]
    assert (found["status"], found["advice"]) == ("warn", "newsdedup feeds add ADDRESS")
    assert (tmp_path / "newsdedup.feeds").read_bytes() == before
    for name in ("other.feeds", "missing.feeds"):
        assert files.check_feeds(tmp_path / name, timedelta(0), at=NOW).status == "fail"
    settings = read_settings({"feeder.state": str(tmp_path / "missing.feeds")}, {}, None).settings
    for named in (True, False):
        probes = files.file_probes(settings, feeds=named)
        found = {each.check for each in run_probes([*probes], seconds=30)}
        assert ("feeds" in found) == named
    assert not (tmp_path / "missing.feeds").exists()


def test_an_archive_is_examined_where_one_is_named(tmp_path: Path) -> None:
    open_archive_file(tmp_path / "news.archive").close()
    (tmp_path / "other.archive").write_text("no archive", "utf-8")
    for name, status in (("news", "ok"), ("other", "fail"), ("missing", "fail")):
        result = newsdedup("doctor", "--json", "--archive", f"{name}.archive", cwd=tmp_path)
        assert checks(result.stdout)["archive"]["status"] == status
        assert result.returncode == (ExitCode.OK if status == "ok" else ExitCode.FAILED)
