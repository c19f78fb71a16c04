"""What this process may use of the machine, and how many helper processes that allows.

Linux tells it in files: the affinity of the process, the limits of its control groups (version 1
or 2, those of the groups above included), and the memory that is available.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

MEMORY_PER_HELPER = 10**9
"""Available bytes for each helper: it takes up to 250 MB, the rest is for the window."""
MOST_CHOSEN = 8
"""More helpers than that wait for the one process that decides (docs/decisions/0019)."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What a process may use."""

    processors: int
    memory: int | None
    """Available bytes; None where the system does not tell."""


class HelperChoice(NamedTuple):
    """How many helper processes there are, and why."""

    number: int
    reason: str


class _Group(NamedTuple):
    """The folders of the control groups of a process, one inside the other, by controller."""

    version: int
    controller: str
    folders: tuple[Path, ...]


def choose_helpers(configured: int | None, machine: Machine) -> HelperChoice:
    """Return the configured number of helpers, or what the machine allows if it is None.

    That is a helper for each processor but one, at most 8, and at most one for each GB of memory
    that is available, so none below 1 GB.
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

    `root` is the folder in which `proc` and `sys` lie. Limits that cannot be read do not count.
    """
    groups = list(_groups(root))
    quotas = [quota for group in groups for quota in _quotas(group)]
    rooms = [room for group in groups for room in _rooms(group)]
    available = _available_memory(root)
    if available is not None:
        rooms.append(available)
    return Machine(
        processors=max(1, min([_usable_processors(), *map(int, quotas)])),
        memory=max(0, min(rooms)) if rooms else None,
    )


def _usable_processors() -> int:
    """Return the number of processors that the process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _available_memory(root: Path) -> int | None:
    """Return the bytes that the machine can give without swapping, None if it does not tell."""
    for line in _read(root / "proc/meminfo").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    return None


def _groups(root: Path) -> Iterator[_Group]:
    """Yield the control groups of the process that limit processors or memory."""
    for line in _read(root / "proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        mount = root / "sys/fs/cgroup"
        if number == "0":
            yield _Group(2, "", _folders(mount, path))
        for controller in {"cpu", "memory"}.intersection(controllers.split(",")):
            yield _Group(1, controller, _folders(mount / controller, path))


def _folders(mount: Path, path: str) -> tuple[Path, ...]:
    """Return the folders of a group and of all that it is in.

    In a container the path may be that of the host: then only the mount itself exists.
    """
    inner = PurePosixPath(path.lstrip("/"))
    return tuple(mount / one for one in (inner, *inner.parents))


def _quotas(group: _Group) -> Iterator[float]:
    """Yield the processors to which a group and those above it are limited."""
    for folder in group.folders:
        if group.version == 2:
            quota, _, period = _read(folder / "cpu.max").partition(" ")
        else:
            quota, period = _read(folder / "cpu.cfs_quota_us"), _read(folder / "cpu.cfs_period_us")
        if quota.strip().isdigit() and period.strip().isdigit():
            yield int(quota) / max(1, int(period))


def _rooms(group: _Group) -> Iterator[int]:
    """Yield the bytes that a group and those above it still allow; cached files do not count."""
    limit_file, usage_file, cached = (
        ("memory.max", "memory.current", "inactive_file")
        if group.version == 2
        else ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
    )
    for folder in group.folders:
        limit, usage = _read(folder / limit_file).strip(), _read(folder / usage_file).strip()
        if not limit.isdigit() or not usage.isdigit():
            continue
        fields = dict(
            line.partition(" ")[::2] for line in _read(folder / "memory.stat").splitlines()
        )
        yield int(limit) - int(usage) + int(fields.get(cached, "0"))


def _read(path: Path) -> str:
    """Return the text of a file, empty if it cannot be read."""
    try:
        return path.read_text("ascii")
    except (OSError, ValueError):
        return ""
