"""Processor time of a process, and which process serves an address; from /proc of Linux."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_LISTENING: Final = "0A"
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    """Return the processor seconds that a process has taken, all its threads; OSError without it.

    Those of its children do not count.
    """
    stat = (_PROC / str(pid) / "stat").read_text("ascii", errors="replace")
    # The name, which may hold anything, is in brackets; user and system time are fields 14 and 15.
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def find_listener(port: int) -> int | None:
    """Return the process of this machine that listens on a port.

    None if there is none, if it belongs to another user, or where there is no /proc.
    """
    wanted = {f"socket:[{inode}]" for inode in _listening_sockets(port)}
    for folder in _PROC.glob("[0-9]*/fd") if wanted else ():
        try:
            if any(str(file.readlink()) in wanted for file in folder.iterdir()):
                return int(folder.parent.name)
        except OSError:
            continue
    return None


def _listening_sockets(port: int) -> Iterator[str]:
    """Yield the inodes of the TCP sockets that listen on a port."""
    for name in ("tcp", "tcp6"):
        try:
            _, *lines = (_PROC / "net" / name).read_text("ascii").splitlines()
        except OSError:
            continue
        for line in lines:
            _, local, _, state, *rest = line.split()
            if state == _LISTENING and int(local.rpartition(":")[2], 16) == port:
                yield rest[5]
