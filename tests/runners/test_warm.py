"""A process that is forked off a warm one does what a started one does."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from newsdedup.synthetic.stream import demo_stream
from runners.processes import COMMAND, environment, run, started
from runners.warm import WarmProcess, can_be_warm

COMMANDS = [
    (["--version"], b"", 0),
    (["run", "nowhere.jsonl", "--to", "-"], b"", 66),
    (["run", "--to"], b"", 2),
    (["run", "-", "--to", "-", "--state", ":memory:"], b'{"source": "a", "id": "1"}\n', 0),
    (["config", "show"], b"", 0),
]

pytestmark = pytest.mark.usefixtures("process")


@pytest.mark.parametrize(("command", "given", "code"), COMMANDS)
def test_it_reads_and_says_the_same_and_ends_alike(tmp_path, command, given, code):
    (tmp_path / "newsdedup.toml").write_text("[rule]\nlateness = '5h'\n", "utf-8")
    variables = {"NEWSDEDUP_RULE__NAME": "terms"}
    cold = subprocess.run(
        [*COMMAND, *command],
        cwd=tmp_path,
        env=environment(**variables),
        input=given,
        capture_output=True,
        check=False,
    )
    warm = run(*command, cwd=tmp_path, stdin=given, **variables)
    assert (warm.returncode, warm.stdout) == (cold.returncode, cold.stdout)
    # How fast it was may differ.
    assert warm.stderr.split(b";")[0] == cold.stderr.split(b";")[0]
    assert warm.returncode == code, warm.stderr


def test_it_is_a_child_with_a_folder_of_its_own_that_can_be_stopped_and_killed(tmp_path):
    with started("run", "-", "--to", "events.jsonl", cwd=tmp_path) as process:
        assert isinstance(process, WarmProcess)
        items = [one.item for one in demo_stream()][:1]
        process.stdin.write(repr(items).encode())
        process.stdin.flush()
        status = Path(f"/proc/{process.pid}/status").read_text("ascii")
        assert f"PPid:\t{os.getpid()}\n" in status
        assert Path(f"/proc/{process.pid}/cwd").readlink() == tmp_path
        process.send_signal(signal.SIGSTOP)
        assert os.waitpid(process.pid, os.WUNTRACED)[1] == 0x7F | signal.SIGSTOP << 8
        assert process.poll() is None
        process.kill()
        assert process.wait() == -signal.SIGKILL


def test_of_two_in_a_row_sets_are_in_another_order(tmp_path):
    first, second = (started("run", "-", "--to", "-", cwd=tmp_path) for _ in range(2))
    parents = set()
    for one in (first, second):
        with one:
            parents.add(Path(f"/proc/{one.pid}/environ").read_bytes())
            one.kill()
    assert len(parents) == 2


@pytest.mark.parametrize(
    ("variables", "warm"),
    [
        ({"NEWSDEDUP_RULE__NAME": "terms"}, True),
        ({"PLANTED_BUG": "decode", "PYTHONPATH": "elsewhere"}, True),
        ({"PYTHONPATH": "elsewhere"}, False),
        ({"LD_PRELOAD": "libfaketime.so"}, False),
        ({"PYTHONHASHSEED": "0"}, False),
    ],
)
def test_one_whose_variables_belong_to_a_start_is_started(variables, warm):
    assert can_be_warm(environment(**variables)) == warm
