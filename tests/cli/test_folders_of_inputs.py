"""Folders as inputs: what is in them is read, or the reason is told."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from newsdedup.cli.exit_codes import ExitCode
from runners.processes import COMMAND, environment


@pytest.fixture
def forbidden(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with items, below it one that nobody may look into."""
    closed = tmp_path / "in" / "closed"
    closed.mkdir(parents=True)
    for folder in (closed.parent, closed):
        (folder / "items.jsonl").write_text(json.dumps({"title": "The tram line opened"}) + "\n")
    closed.chmod(0)
    yield closed.parent
    closed.chmod(0o700)


def by_an_ordinary_user(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Return a command that permissions bind: those of root do not."""
    if os.geteuid():
        start: list[str] = []
    else:
        # What may open any file gives that up in the child alone, and stays who it is: the
        # folders above are perhaps for nobody else.
        start = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
        start += ["--inh-caps", "-dac_override,-dac_read_search"]
    return subprocess.run(
        [*start, *COMMAND, *map(str, words)], capture_output=True, check=False, env=environment()
    )


@pytest.mark.parametrize("command", ["run", "dedup"])
def test_a_folder_that_cannot_be_looked_into_is_told(
    forbidden: Path, tmp_path: Path, command: str
) -> None:
    done = by_an_ordinary_user(command, forbidden, "--to", tmp_path / "out.jsonl")
    assert done.returncode == ExitCode.INPUT_MISSING, done.stderr
    assert f"{forbidden / 'closed'}: cannot be read: Permission denied".encode() in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
