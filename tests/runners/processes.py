"""Real processes of the command line, with an environment of their own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from runners.warm import WarmProcess, can_be_warm

COMMAND = (sys.executable, "-m", "newsdedup")
OVERRIDES = "-dac_override,-dac_read_search"
"""What lets root open any file, taken away."""


def environment(**variables: str) -> dict[str, str]:
    """Return the environment without settings of anyone who runs the tests."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NEWSDEDUP")}
    return {**clean, "NO_COLOR": "1", **variables}


def run(
    *arguments: str | Path,
    cwd: Path,
    stdin: bytes | None = None,
    within: float = 300,
    **variables: str,
) -> subprocess.CompletedProcess[bytes]:
    """Return a command that has ended, whatever came of it."""
    environ = environment(**variables)
    command = [*COMMAND, *map(str, arguments)]
    with _kind(environ)(
        command,
        cwd=cwd,
        stdin=None if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ,
    ) as process:
        try:
            out, err = process.communicate(stdin, timeout=within)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def run_bound_by_permissions(
    *arguments: str | Path, cwd: Path
) -> subprocess.CompletedProcess[bytes]:
    """Return a command that has ended, and could open no file that its mode forbids.

    Root stays root, whose folders are perhaps for nobody else, but loses what overrides modes.
    """
    bounds = ["setpriv", "--bounding-set", OVERRIDES, "--inh-caps", OVERRIDES]
    return subprocess.run(
        [*([] if os.geteuid() else bounds), *COMMAND, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        check=False,
        timeout=300,
        env=environment(),
    )


def started(
    *arguments: str | Path,
    cwd: Path,
    environ: Mapping[str, str] | None = None,
    output: IO[bytes] | None = None,
    warm: bool = True,
) -> subprocess.Popen[bytes]:
    """Return a command that runs, its streams as pipes; all it says goes to `output`, if given.

    One that is not `warm` is started as users start it: its arguments and its environment can be
    seen by all who list processes.
    """
    variables = environment(**(environ or {}))
    return _kind(variables, warm=warm)(
        [*COMMAND, *map(str, arguments)],
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=output or subprocess.PIPE,
        stderr=output or subprocess.PIPE,
        env=variables,
    )


def _kind(environ: Mapping[str, str], *, warm: bool = True) -> type[subprocess.Popen[bytes]]:
    """Return what makes a process with an environment."""
    return WarmProcess if warm and can_be_warm(environ) else subprocess.Popen
