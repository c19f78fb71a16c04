"""Commands whose caller has closed a standard stream."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from cli.in_process import run
from newsdedup.cli.errors import ExitCode
from runners.processes import COMMAND, environment

ITEM = {"id": "1", "title": "Council approves the new tram line"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "items.jsonl").write_text(json.dumps(ITEM) + "\n")
    return tmp_path


def shell(words: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Return what a shell makes of a command with redirections."""
    command = f'exec "$0" "$1" "$2" {words}'
    return subprocess.run(
        ["/bin/sh", "-c", command, *COMMAND],
        cwd=cwd,
        capture_output=True,
        check=False,
        timeout=300,
        env=environment(),
    )


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("run - <&-", ExitCode.INPUT_MISSING, "standard input: cannot be read"),
        ("dedup - --to r/ <&-", ExitCode.INPUT_MISSING, "standard input: cannot be read"),
        ("run items.jsonl >&-", ExitCode.IO_ERROR, "standard output: Bad file descriptor"),
        ("dedup items.jsonl --to - >&-", ExitCode.IO_ERROR, "standard output: Bad file"),
        ("config show >&-", ExitCode.IO_ERROR, "standard output: Bad file descriptor"),
        ("--help >&-", ExitCode.IO_ERROR, "Bad file descriptor"),
        ("run items.jsonl >/dev/full", ExitCode.IO_ERROR, "standard output: No space left"),
    ],
)
def test_a_closed_stream_is_reported(folder: Path, words: str, code: int, said: str) -> None:
    done = shell(words, folder)
    assert done.returncode == code, done.stderr
    assert f"newsdedup: {said}" in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.usefixtures("process")
def test_a_run_that_needs_no_stream_can_do_without(folder: Path) -> None:
    done = shell("run items.jsonl --to out.jsonl <&- >&- 2>&-", folder)
    assert done.returncode == ExitCode.OK
    [event] = (folder / "out.jsonl").read_bytes().splitlines()
    assert json.loads(event)["id"] == "1"


@pytest.mark.usefixtures("process")
def test_what_nobody_listens_to_does_not_get_into_the_data(folder: Path) -> None:
    done = shell("run items.jsonl 2>&-", folder)
    assert done.returncode == ExitCode.OK
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["1"]


def test_nothing_is_put_next_to_a_named_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("run", "items.jsonl", "--to", "pipe", cwd=folder).returncode == ExitCode.OK
        assert json.loads(os.read(reader, 1 << 16))["id"] == "1"
    finally:
        os.close(reader)
    assert sorted(path.name for path in folder.iterdir()) == ["items.jsonl", "pipe"]


def test_nothing_is_put_next_to_a_device(folder: Path) -> None:
    (folder / "items.jsonl").write_text(json.dumps(ITEM) + "\n{broken\n")
    before = set(Path("/dev").glob("null?*"))
    for _ in range(2):
        done = run("run", "items.jsonl", "--to", "/dev/null", "--json", cwd=folder)
        assert done.returncode == ExitCode.OK, done.stderr
        assert json.loads(done.stdout)["judged"] == 1
    assert set(Path("/dev").glob("null?*")) == before
    assert sorted(path.name for path in folder.iterdir()) == ["items.jsonl", "newsdedup.dlq.jsonl"]


@pytest.mark.usefixtures("process")
def test_an_event_that_an_unbuffered_pipe_takes_only_in_part_is_reported(folder: Path) -> None:
    item = {**ITEM, "text": "x" * 500_000}
    (folder / "items.jsonl").write_text(json.dumps(item) + "\n")
    with subprocess.Popen(
        [*COMMAND, "run", "items.jsonl"],
        cwd=folder,
        stdout=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.wait() == ExitCode.PIPE_CLOSED
