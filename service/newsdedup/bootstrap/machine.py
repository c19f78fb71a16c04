"""What this process may use of the machine, and how many helper processes that allows.

Linux says so in files: the affinity of the process, the limits of its control groups (version 1
or 2, those of the groups above included), and the memory that is available.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

MEMORY_PER_HELPER = 10**9
"""Available bytes for each helper: it takes up to 250 MB, the rest is for the window."""
MOST_CHOSEN = 8
"""More helpers than that wait for the one process that decides (docs/decisions/0019)."""
_MEMORY_FILES = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Of control groups of version 2 and 1: files of limit and usage, and the field of cached files."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The processors and the memory that a process may use."""

    processors: int
    memory: int | None
    """Available bytes; None where the system does not say."""


class HelperChoice(NamedTuple):
    """How many helper processes there are, and why."""

    number: int
    reason: str


def choose_helpers(configured: int | None, machine: Machine) -> HelperChoice:
    """Return the configured number of helpers, or what the machine allows if it is None.

    That is one for each processor but one, at most 8, and at most one for each GB of available
    memory, so none below 1 GB.
    """
    if configured is not None:
        return HelperChoice(configured, "as configured")
    processors, memory = machine.processors, machine.memory
    number = max(0, min(processors - 1, MOST_CHOSEN))
    reason = f"{processors} processors" if processors != 1 else "1 processor"
    if memory is None:
        return HelperChoice(number, f"auto: {reason}")
    return HelperChoice(
        min(number, memory // MEMORY_PER_HELPER),
        f"auto: {reason}, {memory / 10**9:.1f} GB available",
    )


def read_machine(root: Path = Path("/")) -> Machine:
    """Return the processors and the memory that this process may use.

    `root` is the folder that has `proc` and `sys`. Limits that cannot be read are ignored.
    """
    folders = list(_group_folders(root))
    affine = hasattr(os, "sched_getaffinity")
    usable = len(os.sched_getaffinity(0)) if affine else os.cpu_count() or 1
    rooms = [*_rooms(folders), *_available_memory(root)]
    return Machine(
        processors=max(1, min([usable, *map(int, _quotas(folders))])),
        memory=max(0, min(rooms)) if rooms else None,
    )


def _available_memory(root: Path) -> Iterator[int]:
    """Yield the available bytes of the machine (MemAvailable), nothing if that is not known."""
    for line in _read(root / "proc/meminfo").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            yield int(value.split()[0]) * 1024


def _group_folders(root: Path) -> Iterator[Path]:
    """Yield the folders of the control groups of this process, and of their parent groups.

    In a container the path may be that of the host: then only the mount itself exists.
    """
    mount = root / "sys/fs/cgroup"
    for line in _read(root / "proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        mounts = [mount / one for one in ("cpu", "memory") if one in controllers.split(",")]
        inner = PurePosixPath(path.lstrip("/"))
        for each in [mount] if number == "0" else mounts:
            yield from (each / one for one in (inner, *inner.parents))


def _quotas(folders: Iterable[Path]) -> Iterator[float]:
    """Yield the processors that each control group allows; groups without a limit are skipped."""
    for folder in folders:
        quota, _, period = _read(folder / "cpu.max").partition(" ")
        if not quota:
            quota, period = _read(folder / "cpu.cfs_quota_us"), _read(folder / "cpu.cfs_period_us")
        if quota.strip().isdigit() and period.strip().isdigit():
            yield int(quota) / max(1, int(period))


def _rooms(folders: Iterable[Path]) -> Iterator[int]:
    """Yield the bytes that each control group still allows; cached files count as free."""
    for folder in folders:
        for limit_file, usage_file, cached in _MEMORY_FILES:
            limit, usage = _read(folder / limit_file).strip(), _read(folder / usage_file).strip()
            if limit.isdigit() and usage.isdigit():
                lines = _read(folder / "memory.stat").splitlines()
                fields = dict(line.partition(" ")[::2] for line in lines)
                yield int(limit) - int(usage) + int(fields.get(cached, "0"))


def _read(path: Path) -> str:
    """Return the text of a file, "" if it cannot be read."""
    try:
        return path.read_text("ascii")
    except (OSError, ValueError):
        return ""
