"""Whatever is asked for, what a command reads is never written by it."""

import fcntl
import gzip
import json
import os
import subprocess
from pathlib import Path
from typing import IO

import pytest

from cli.in_process import run
from newsdedup.cli.errors import ExitCode
from runners.processes import COMMAND, environment

LINES = b'{"id": "1", "title": "The tram line opened"}\n{broken\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an input under several names."""
    (tmp_path / "arch").mkdir()
    (tmp_path / "arch" / "a.jsonl").write_bytes(LINES)
    (tmp_path / "items.jsonl").write_bytes(LINES)
    (tmp_path / "items.jsonl.gz").write_bytes(gzip.compress(LINES))
    (tmp_path / "symbolic.jsonl").symlink_to("items.jsonl")
    os.link(tmp_path / "items.jsonl", tmp_path / "hard.jsonl")
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        ("run items.jsonl --to items.jsonl --fresh", "--to"),
        ("run items.jsonl --to items.jsonl", "--to"),
        ("run items.jsonl --to arch/../items.jsonl --fresh", "--to"),
        ("run items.jsonl --to symbolic.jsonl --fresh", "--to"),
        ("run items.jsonl --to hard.jsonl --fresh", "--to"),
        ("run items.jsonl.gz --to items.jsonl.gz --fresh", "--to"),
        ("run arch --to arch/a.jsonl --fresh", "--to"),
        ("run items.jsonl --to o.jsonl --dlq items.jsonl --fresh", "--dlq"),
        ("run items.jsonl --to o.jsonl --dlq items.jsonl", "--dlq"),
        ("run items.jsonl --dlq hard.jsonl", "--dlq"),
        ("run items.jsonl --to o.jsonl --state items.jsonl --fresh", "--state"),
        ("dlq replay items.jsonl --to items.jsonl", "--to"),
        ("dedup items.jsonl --to hard.jsonl", "--to"),
        ("background build items.jsonl --to items.jsonl", "--to"),
        ("background build arch --to arch/a.jsonl", "--to"),
        ("lab score --items items.jsonl --pairs arch/a.jsonl --errors items.jsonl", "--errors"),
        ("lab score --items items.jsonl --pairs arch/a.jsonl --errors arch/a.jsonl", "--errors"),
        ("lab fit --items items.jsonl --pairs arch/a.jsonl --to arch/a.jsonl", "--to"),
        ("lab compare items.jsonl --out r --summary symbolic.jsonl", "--summary"),
    ],
)
def test_an_input_is_never_overwritten(folder: Path, words: str, flag: str) -> None:
    before = contents(folder)
    done = run(*words.split(), cwd=folder)
    assert done.returncode == ExitCode.OUTPUT_UNUSABLE, done.stderr
    assert done.stderr.endswith(
        f"is an input and would be overwritten: name another {flag}\n".encode()
    )
    assert contents(folder) == before


@pytest.mark.usefixtures("process")
def test_a_file_that_the_shell_opened_is_an_input_too(folder: Path) -> None:
    with (folder / "items.jsonl").open("rb") as file:
        code = reading(file, "run", "-", "--to", "hard.jsonl", "--fresh", cwd=folder)
    assert code == ExitCode.OUTPUT_UNUSABLE
    assert (folder / "items.jsonl").read_bytes() == LINES


def reading(stdin: IO[bytes], *words: str, cwd: Path) -> int:
    """Return the exit code of a command that reads an open file."""
    return subprocess.call([*COMMAND, *words], cwd=cwd, stdin=stdin, env=environment())


@pytest.mark.parametrize(
    "flags",
    ["--to out.jsonl --dlq out.jsonl", "--to s --state s --dlq d", "--dlq s --state ./s"],
)
def test_one_file_cannot_be_two_outputs(folder: Path, flags: str) -> None:
    before = contents(folder)
    done = run("run", "items.jsonl", *flags.split(), cwd=folder)
    assert done.returncode == ExitCode.OUTPUT_UNUSABLE
    assert b"name two files" in done.stderr
    assert contents(folder) == before


def test_devices_may_be_named_as_often_as_one_likes(folder: Path) -> None:
    words = ("run", "/dev/null", "--to", "/dev/null", "--dlq", "/dev/null", "--state", "s")
    assert run(*words, cwd=folder).returncode == ExitCode.OK


def test_fresh_empties_no_file_that_contains_something_else_than_dead_letters(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine\n")
    words = ("run", "items.jsonl", "--to", "out.jsonl", "--fresh", "--dlq")
    done = run(*words, "notes.txt", cwd=folder)
    assert done.returncode == ExitCode.OUTPUT_UNUSABLE
    assert b"something else than dead letters" in done.stderr
    assert (folder / "notes.txt").read_text() == "mine\n"
    assert not (folder / "out.jsonl").exists()
    for _ in range(2):
        assert run(*words, "dead_letters", cwd=folder).returncode == ExitCode.OK
        [dead_letter] = (folder / "dead_letters").read_text().splitlines()
        assert json.loads(dead_letter)["line"] == 2


@pytest.mark.parametrize(
    "words",
    [
        "lab score --items items.jsonl --pairs arch/a.jsonl --errors",
        "lab fit --items items.jsonl --pairs arch/a.jsonl --to",
        "lab compare items.jsonl --out r --summary",
        "background build items.jsonl --to",
    ],
)
@pytest.mark.parametrize("path", ["arch", "none/out"])
def test_where_nothing_can_be_written_nothing_is_done(folder: Path, words: str, path: str) -> None:
    before = contents(folder)
    done = run(*words.split(), path, cwd=folder)
    assert done.returncode == ExitCode.OUTPUT_UNUSABLE, done.stderr
    assert f"{path}: cannot be written".encode() in done.stderr
    assert contents(folder) == before


@pytest.mark.parametrize("state", ["events.jsonl.state", "news.state"])
@pytest.mark.parametrize(
    "words", ["archive --to news.archive --export events.jsonl", "dedup arch --to events.jsonl"]
)
def test_no_table_replaces_the_events_of_a_run(folder: Path, state: str, words: str) -> None:
    made = ("--to", "events.jsonl", "--state", state, "--archive", "news.archive")
    assert run("run", "items.jsonl", *made, cwd=folder).returncode == ExitCode.OK
    events = (folder / "events.jsonl").read_bytes()
    with (folder / "events.jsonl").open("rb") as file:
        # A file that no state alongside names is known while its run has it open.
        if words.startswith("dedup") and state == "news.state":
            fcntl.flock(file, fcntl.LOCK_EX)
        done = run(*words.split(), cwd=folder)
    assert done.returncode in (ExitCode.OUTPUT_UNUSABLE, ExitCode.BUSY), done.stderr
    assert b"events.jsonl" in done.stderr
    assert (folder / "events.jsonl").read_bytes() == events
