"""Whether newsdedup can work where it stands: folder, disk, terminal."""

import locale
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from newsdedup.cli.checks.findings import Finding
from newsdedup.config import Settings

LITTLE_SPACE = 2**30
NO_SPACE = 100 * 2**20
"""A state of 100,000 items with their events takes about as much."""


def surroundings(settings: Settings) -> Iterator[Finding]:
    """Yield what is around: a state without a path lies beside the output, so look here."""
    state = Path(settings.run.state) if settings.run.state else None
    folder = Path() if state is None else state.parent
    yield state_folder(folder)
    if state is not None and state.exists():
        yield state_file(state)
    if folder.is_dir():
        yield disk(folder, free=shutil.disk_usage(folder).free)
    yield terminal(locale.getencoding(), utf8_mode=sys.flags.utf8_mode == 1)


def state_folder(folder: Path) -> Finding:
    """Find out whether a state can be made in a folder, by making one."""
    from newsdedup.adapters.sqlite.state_file import lock_state, open_state  # noqa: PLC0415
    from newsdedup.ports.errors import SinkUnusable, StateUnusable  # noqa: PLC0415

    advice = "name a folder that can be written: --state or run.state"
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".newsdedup-doctor-") as made:
            state = Path(made) / "state.sqlite"
            os.close(lock_state(state))
            open_state(state, made_by="doctor").close()
    except (OSError, SinkUnusable, StateUnusable) as error:
        return Finding("state folder", "fail", f"{folder.absolute()}: {error}", advice)
    return Finding("state folder", "ok", f"{folder.absolute()} can hold a state")


def state_file(state: Path) -> Finding:
    """Find out whether a state can be read by this version."""
    from newsdedup.adapters.sqlite.state_file import open_for_reading  # noqa: PLC0415
    from newsdedup.ports.errors import StateUnusable  # noqa: PLC0415

    try:
        open_for_reading(state).close()
    except StateUnusable as error:
        return Finding("state", "fail", str(error), "use another --state, or --fresh")
    return Finding("state", "ok", f"{state} can be read")


def disk(folder: Path, *, free: int) -> Finding:
    """Find out whether there is room to grow."""
    said = f"{free / 2**30:.1f} GiB free in {folder.absolute()}"
    if free < NO_SPACE:
        return Finding("disk", "fail", said, "free some space, or keep the state elsewhere")
    if free < LITTLE_SPACE:
        return Finding("disk", "warn", said, "free some space before a long run")
    return Finding("disk", "ok", said)


def terminal(encoding: str, *, utf8_mode: bool) -> Finding:
    """Find out whether texts can be shown; pipes and files always get UTF-8."""
    where = "terminal" if sys.stdout.isatty() else "pipe or file"
    colour = "without colour" if os.environ.get("NO_COLOR") else "colour where it can be shown"
    said = f"{where}, {'UTF-8' if utf8_mode else encoding}, {colour}"
    if utf8_mode or encoding.lower().replace("-", "") == "utf8":
        return Finding("terminal", "ok", said)
    return Finding("terminal", "warn", said, "set LANG=C.UTF-8, or PYTHONUTF8=1")
