"""A state into which something has written from outside: reported, wherever it hits."""

import json
import random
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from cli.in_process import run
from newsdedup.adapters.sqlite.state import StateReader
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.cli.errors import ExitCode
from newsdedup.config import Settings
from newsdedup.ports.errors import StateUnusable
from newsdedup.synthetic.stream import demo_stream

PAGE = 4096
LINES = [json.dumps(planted.item, ensure_ascii=False) + "\n" for planted in demo_stream()][:80]


@pytest.fixture(scope="module")
def begun(tmp_path_factory) -> Path:
    """Return a folder with a run that has read the first half of a stream, and more to read."""
    folder = tmp_path_factory.mktemp("begun")
    (folder / "items.jsonl").write_text("".join(LINES[: len(LINES) // 2]), "utf-8")
    go_on(folder)
    # All of it comes once more, so that every row is asked for.
    (folder / "more.jsonl").write_text("".join(LINES), "utf-8")
    return folder


def go_on(folder: Path) -> Counter[str]:
    paths = RunPaths(to="-", state=folder / "state", dead=folder / "dead_letters")
    job = open_run(Settings(), paths)
    try:
        return sum(job.over([str(folder / "items.jsonl")]), Counter())
    finally:
        job.close()


def overwritten(state: Path, at: int) -> None:
    with state.open("r+b") as file:
        file.seek(at)
        junk = random.Random(at)  # noqa: S311 - it must be repeatable, not secret
        file.write(junk.randbytes(3 * PAGE))


@pytest.mark.usefixtures("long")
def test_wherever_a_state_is_overwritten_it_is_reported_or_not_noticed(
    begun: Path, tmp_path: Path
) -> None:
    messages: list[str] = []
    size = (begun / "state").stat().st_size
    for at in range(PAGE, size - 3 * PAGE, 4 * PAGE):
        shutil.copy(begun / "more.jsonl", tmp_path / "items.jsonl")
        shutil.copy(begun / "state", tmp_path / "state")
        overwritten(tmp_path / "state", at)
        try:
            go_on(tmp_path)
        except StateUnusable as error:
            messages.append(str(error))
        for name in ("state", "state-wal", "state-shm"):
            (tmp_path / name).unlink(missing_ok=True)
    assert len(messages) > 5
    assert [message for message in messages if "is damaged" not in message] == []


@pytest.mark.parametrize(
    "lost",
    [
        "DELETE FROM versions",
        "UPDATE versions SET published = x'00'",
        "UPDATE records SET record = x'c1'",
        "UPDATE lessons SET taught = x'c1'",
        "UPDATE meta SET value = '{' WHERE name = 'progress'",
    ],
)
def test_rows_that_are_lost_or_hold_something_else_are_reported(
    begun: Path, tmp_path: Path, lost: str
) -> None:
    shutil.copy(begun / "more.jsonl", tmp_path / "items.jsonl")
    shutil.copy(begun / "state", tmp_path / "state")
    with closing(sqlite3.connect(tmp_path / "state")) as connection, connection:
        assert connection.execute(lost).rowcount
    connection.close()
    done = run("run", "items.jsonl", "--state", "state", cwd=tmp_path)
    assert done.returncode == ExitCode.STATE_UNUSABLE, done.stderr
    assert b"damaged" in done.stderr
    assert b"Traceback" not in done.stderr


def test_commands_that_only_read_report_it_too(begun: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    shutil.copy(begun / "state", state)
    with StateReader(state) as reader:
        assert len(list(reader.records())) > 30
    overwritten(state, PAGE)
    done = run("stories", "list", state, cwd=tmp_path)
    assert done.returncode == ExitCode.STATE_UNUSABLE, done.stderr
    assert b"is damaged" in done.stderr
