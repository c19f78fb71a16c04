"""What runs in a folder, written down for anyone who stops it later, from another process."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from servers.process import STOP_SECONDS, ServerFailed, ServerProcess, wait_until

NAME: Final = "servers.json"


def write(folder: Path, processes: Iterable[ServerProcess]) -> None:
    """Note processes with their folders, which are inside of this one."""
    noted = [[one.pid, str(one.folder)] for one in processes]
    (folder / NAME).write_text(json.dumps(noted), "utf-8")


def stop(folder: Path) -> None:
    """End what was noted, in order or by force, and remove what it left."""
    note = folder / NAME
    if not note.exists():
        raise ServerFailed(f"no servers were started in {folder}")
    noted: list[tuple[int, str]] = json.loads(note.read_text("utf-8"))
    for pid, inside in noted:
        send(signal.SIGTERM, pid, inside)
    with suppress(ServerFailed):
        wait_until(lambda: not any(runs(*one) for one in noted), what="ended", within=STOP_SECONDS)
    for pid, inside in noted:
        send(signal.SIGKILL, pid, inside)
    wait_until(lambda: not any(runs(*one) for one in noted), what="killed", within=STOP_SECONDS)
    for inside in {Path(inside).relative_to(folder).parts[0] for _, inside in noted}:
        with suppress(FileNotFoundError):
            shutil.rmtree(folder / inside)
    note.unlink()


def clear(folder: Path) -> None:
    """Remove all that is in a folder of ours."""
    for one in folder.iterdir():
        if one.is_dir():
            shutil.rmtree(one)
        else:
            one.unlink()


def send(number: signal.Signals, pid: int, inside: str) -> None:
    """Send a signal to the group of a process, if it is still the one that was noted."""
    if runs(pid, inside):
        with suppress(ProcessLookupError):
            os.killpg(pid, number)


def runs(pid: int, inside: str) -> bool:
    """Return whether a process runs whose command names the folder: numbers are used again."""
    return f"{inside}/" in command_of(pid)


def command_of(pid: int) -> str:
    """Return the command that a process runs, nothing if it is gone or not yet buried."""
    if Path("/proc/self/cmdline").exists():
        try:
            return Path(f"/proc/{pid}/cmdline").read_text("utf-8", errors="replace")
        except OSError:
            return ""
    ps = shutil.which("ps") or "/bin/ps"
    listed = [ps, "-ww", "-o", "command=", "-p", str(pid)]
    return subprocess.run(listed, capture_output=True, check=False, text=True).stdout
