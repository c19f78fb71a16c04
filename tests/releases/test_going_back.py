"""The release before goes on with what this one has written, or refuses it in words."""

from pathlib import Path

import pytest

from cli.in_process import run
from newsdedup.cli.errors import ExitCode
from releases.invented_items import recorded_items
from releases.test_recorded_files import write_items
from runners import processes
from runners.older_release import environment_of

pytestmark = pytest.mark.usefixtures("process")
RUN = ("run", "items.jsonl", "--to", "events.jsonl", "--quiet")


def of_older(package: Path, folder: Path, *arguments: str):
    """Return a command of the release before that has ended."""
    return processes.run(*arguments, cwd=folder, **environment_of(package))


def is_refused(done, *, saying: bytes = b"later version of newsdedup: upgrade") -> bool:
    """Return whether a command has refused a file of a later version, and said so."""
    assert done.returncode in (ExitCode.OK, ExitCode.STATE_UNUSABLE), done.stderr
    if done.returncode:
        assert saying in done.stderr
    return bool(done.returncode)


def test_a_run_of_the_release_before_goes_on_with_a_state_of_this_one(older, tmp_path: Path):
    items = recorded_items()
    write_items(tmp_path / "items.jsonl", items[:4])
    assert run(*RUN, cwd=tmp_path).returncode == ExitCode.OK
    before = (tmp_path / "events.jsonl").read_bytes()
    write_items(tmp_path / "items.jsonl", items[4:])
    said = b"this version of newsdedup reads up to 2: upgrade newsdedup"
    if not is_refused(of_older(older, tmp_path, *RUN), saying=said):
        after = (tmp_path / "events.jsonl").read_bytes()
        assert after.startswith(before)
        alone = ("run", "items.jsonl", "--to", "alone.jsonl", "--quiet")
        assert run(*alone, cwd=tmp_path).returncode == ExitCode.OK
        assert after == (tmp_path / "alone.jsonl").read_bytes()


def test_archives_and_feeds_of_this_release_are_read_by_the_one_before_or_refused(
    older, tmp_path: Path
):
    write_items(tmp_path / "items.jsonl", recorded_items())
    assert run(*RUN, "--archive", "news.archive", cwd=tmp_path).returncode == ExitCode.OK
    add = ("feeds", "add", "https://visti.example/rss.xml", "--unchecked")
    assert run(*add, cwd=tmp_path).returncode == ExitCode.OK
    before = {name: (tmp_path / name).read_bytes() for name in ("news.archive", "newsdedup.feeds")}
    archive = ("archive", "events.jsonl", "--to", "news.archive", "--quiet", "--check")
    if is_refused(of_older(older, tmp_path, *archive)):
        assert (tmp_path / "news.archive").read_bytes() == before["news.archive"]
    listed = of_older(older, tmp_path, "feeds", "list")
    if is_refused(listed):
        assert (tmp_path / "newsdedup.feeds").read_bytes() == before["newsdedup.feeds"]
    else:
        assert b"https://visti.example/rss.xml" in listed.stdout
