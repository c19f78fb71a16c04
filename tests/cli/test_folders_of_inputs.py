"""Folders as inputs: what is in them is read, or the reason is told."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from newsdedup.cli.errors import ExitCode
from runners.processes import run_bound_by_permissions

pytestmark = pytest.mark.usefixtures("process")


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


@pytest.mark.parametrize("command", ["run", "dedup"])
def test_a_folder_that_cannot_be_looked_into_is_told(
    forbidden: Path, tmp_path: Path, command: str
) -> None:
    done = run_bound_by_permissions(command, forbidden, "--to", "out.jsonl", cwd=tmp_path)
    assert done.returncode == ExitCode.INPUT_MISSING, done.stderr
    assert f"{forbidden / 'closed'}: cannot be read: Permission denied".encode() in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
