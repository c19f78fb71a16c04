"""The command line as a shell starts it: a process and an environment of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from newsdedup.cli.app import app

NEWSDEDUP = str(Path(sys.executable).with_name("newsdedup"))
PLAIN = {"PATH": os.defpath, "LANG": "C.UTF-8", "COLUMNS": "120"}
if "PYTHONPATH" in os.environ:  # the package is tested where it stands
    PLAIN["PYTHONPATH"] = os.environ["PYTHONPATH"]


def newsdedup(
    *args: str, cwd: Path | None = None, **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run the installed command and return what it wrote to its pipes."""
    return subprocess.run(
        [NEWSDEDUP, *args],
        cwd=cwd,
        env=PLAIN | environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command, the groups of commands included, with its full name."""
    yield from _below("newsdedup", get_command(app))


def _below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for part, sub in getattr(command, "commands", {}).items():
        yield from _below(f"{name} {part}", sub)
