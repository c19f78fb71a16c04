"""How many helper processes a machine allows; the machines are folders and numbers."""

from pathlib import Path

import pytest

from newsdedup.bootstrap.machine import Machine, choose_helpers, read_machine

GB = 10**9


def machine_with(root: Path, files: dict[str, str]) -> Machine:
    """Return what is read of a machine whose files of the system are these."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "ascii")
    return read_machine(root)


@pytest.mark.parametrize(
    ("processors", "memory", "number"),
    [
        (1, 64 * GB, 0),
        (2, 64 * GB, 1),
        (2, GB, 1),
        (2, GB - 1, 0),
        (2, 0, 0),
        (6, 64 * GB, 5),
        (6, 3 * GB, 3),
        (64, 64 * GB, 8),
        (4, None, 3),
    ],
)
def test_a_helper_needs_a_processor_and_a_gigabyte(
    processors: int, memory: int | None, number: int
) -> None:
    assert choose_helpers(None, Machine(processors, memory)).number == number


@pytest.mark.parametrize("number", [0, 1, 20])
def test_a_configured_number_is_taken_as_it_is(number: int) -> None:
    assert choose_helpers(number, Machine(1, 0)).number == number


def test_the_reason_names_what_was_counted() -> None:
    assert choose_helpers(None, Machine(4, 2 * GB)).reason == "auto: 4 processors, 2.0 GB available"
    assert choose_helpers(None, Machine(1, None)).reason == "auto: 1 processor"
    assert choose_helpers(2, Machine(1, None)).reason == "as configured"


def test_a_machine_without_such_files_has_its_processors_and_unknown_memory(tmp_path: Path) -> None:
    read = read_machine(tmp_path)
    assert read.processors >= 1
    assert read.memory is None


def test_the_available_memory_is_that_of_the_machine(tmp_path: Path) -> None:
    meminfo = "MemTotal:       24 kB\nMemAvailable:    2000000 kB\n"
    assert machine_with(tmp_path, {"proc/meminfo": meminfo}).memory == 2_048_000_000


def test_the_limits_of_a_group_and_of_those_above_it_hold(tmp_path: Path) -> None:
    group = "sys/fs/cgroup/pod/worker"
    read = machine_with(
        tmp_path,
        {
            "proc/meminfo": "MemAvailable: 8000000 kB\n",
            "proc/self/cgroup": "0::/pod/worker\n",
            f"{group}/cpu.max": "max 100000\n",
            "sys/fs/cgroup/pod/cpu.max": "150000 100000\n",
            f"{group}/memory.max": "1000000000\n",
            f"{group}/memory.current": "700000000\n",
            f"{group}/memory.stat": "anon 100\ninactive_file 200000000\n",
            "sys/fs/cgroup/pod/memory.max": "max\n",
            "sys/fs/cgroup/pod/memory.current": "900000000\n",
        },
    )
    assert read == Machine(processors=1, memory=500_000_000)


def test_a_container_that_sees_the_path_of_its_host_is_read_at_the_mount(tmp_path: Path) -> None:
    read = machine_with(
        tmp_path,
        {
            "proc/self/cgroup": "0::/kubepods/pod1/container\n",
            "sys/fs/cgroup/memory.max": "900000000\n",
            "sys/fs/cgroup/memory.current": "100000000\n",
        },
    )
    assert read.memory == 800_000_000


def test_groups_of_version_1_are_read_by_controller(tmp_path: Path) -> None:
    memory = "sys/fs/cgroup/memory/docker/1"
    read = machine_with(
        tmp_path,
        {
            "proc/self/cgroup": "9:name=systemd:/\n4:memory:/docker/1\n3:cpu,cpuacct:/docker/1\n",
            "sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us": "100000\n",
            "sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            f"{memory}/memory.limit_in_bytes": "2000000000\n",
            f"{memory}/memory.usage_in_bytes": "500000000\n",
            f"{memory}/memory.stat": "total_inactive_file 100000000\n",
        },
    )
    assert read == Machine(processors=1, memory=1_600_000_000)


def test_a_group_beyond_its_limit_has_nothing_left(tmp_path: Path) -> None:
    read = machine_with(
        tmp_path,
        {
            "proc/self/cgroup": "0::/\n",
            "sys/fs/cgroup/memory.max": "100\n",
            "sys/fs/cgroup/memory.current": "200\n",
        },
    )
    assert read.memory == 0
