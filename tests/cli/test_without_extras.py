"""What needs no server needs no library of the service; what needs one says how to get it."""

import subprocess
import sys
from pathlib import Path

import pytest

from newsdedup.cli.errors import EXTRAS
from runners.processes import environment

pytestmark = pytest.mark.usefixtures("process")

WITHOUT = (
    "import sys\n"
    f"for name in {sorted(EXTRAS)!r}: sys.modules[name] = None\n"
    "from newsdedup.__main__ import main\n"
    "main()\n"
)


def run_without(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Return a command that has ended, in a Python that has none of the libraries."""
    command = [sys.executable, "-c", WITHOUT, *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, check=False, text=True, env=environment()
    )


def test_a_run_needs_no_library_of_the_service(tmp_path):
    (tmp_path / "items.jsonl").write_text('{"id": "1", "source": "a", "title": "Мост открыт"}\n')
    done = run_without("run", "items.jsonl", "--to", "out.jsonl", folder=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["worker", "rebuild", "tail"])
def test_a_command_of_the_service_says_what_to_install(tmp_path, command):
    done = run_without(command, folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "is not installed: scripts/install kafka" in done.stderr
