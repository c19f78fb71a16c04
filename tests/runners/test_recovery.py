"""A process that dies anywhere is continued as if nothing had happened."""

import json
import signal
from contextlib import suppress
from itertools import count
from pathlib import Path
from subprocess import TimeoutExpired

import pytest

from cli.in_process import run
from newsdedup.synthetic.stream import demo_stream
from runners import processes

pytestmark = pytest.mark.usefixtures("process")

SMALL_BATCHES = {"NEWSDEDUP_RUN__BATCH": "8"}
POINTS = ["before_output", "after_output", "after_sync", "after_commit", "after_dead_letters"]


@pytest.fixture(scope="module")
def command(tmp_path_factory) -> tuple[str, ...]:
    """A run over a stream with late originals, edits, redeliveries, and bad lines among them."""
    path = tmp_path_factory.mktemp("items") / "items.jsonl"
    lines = [json.dumps(planted.item, ensure_ascii=False) for planted in demo_stream()][:120]
    for index in (3, 40, 100):
        lines.insert(index, "{bad json")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ("run", str(path), "--to", "out.jsonl", "--quiet")


def written(command, folder: Path, **variables: str) -> dict[str, bytes]:
    """Return what is in the files of a run when it has gone on to its end."""
    done = run(*command, cwd=folder, **(SMALL_BATCHES | variables))
    assert done.returncode == 0, done.stderr
    return {name: (folder / name).read_bytes() for name in ("out.jsonl", "out.jsonl.dlq")}


@pytest.fixture(scope="module")
def undisturbed(command, tmp_path_factory) -> dict[str, bytes]:
    """What a run writes that nobody kills."""
    whole = written(command, tmp_path_factory.mktemp("undisturbed"))
    assert whole["out.jsonl"].count(b"\n") >= 120
    assert whole["out.jsonl.dlq"].count(b"\n") == 3
    return whole


@pytest.mark.parametrize(("point", "nth"), [*((point, 9) for point in POINTS), (POINTS[1], 1)])
def test_a_run_killed_at_a_failpoint_goes_on_as_if_it_had_not(
    command, undisturbed, tmp_path, point, nth
):
    failing = SMALL_BATCHES | {"NEWSDEDUP_FAILPOINT": f"{point}:{nth}"}
    died = processes.run(*command, cwd=tmp_path, **failing)
    assert died.returncode == -signal.SIGKILL
    assert written(command, tmp_path) == undisturbed


def test_a_run_killed_again_and_again_at_any_time_loses_and_doubles_nothing(
    command, undisturbed, tmp_path
):
    output = tmp_path / "out.jsonl"
    for kills in count():
        assert kills < 100
        process = processes.started(*command, cwd=tmp_path, environ=SMALL_BATCHES)
        before = output.stat().st_size if output.exists() else 0
        while process.poll() is None:
            # Killed as soon as it has got on: wherever it is then.
            if output.exists() and output.stat().st_size > before + 50_000:
                process.kill()
            with suppress(TimeoutExpired):
                process.wait(0.01)
        process.communicate()
        if process.returncode == 0:
            assert kills > 2
            break
        assert process.returncode == -signal.SIGKILL
    assert written(command, tmp_path) == undisturbed


def test_a_second_run_adds_nothing(command, undisturbed, tmp_path):
    assert [written(command, tmp_path) for _ in range(2)] == [undisturbed] * 2


@pytest.mark.parametrize("batch", ["1", "7", "100000"])
def test_the_events_do_not_depend_on_the_batch(command, undisturbed, tmp_path, batch):
    assert written(command, tmp_path, NEWSDEDUP_RUN__BATCH=batch) == undisturbed


def test_the_events_do_not_depend_on_the_hash_seed(command, undisturbed, tmp_path):
    done = processes.run(*command, cwd=tmp_path, PYTHONHASHSEED="7", **SMALL_BATCHES)
    assert done.returncode == 0, done.stderr
    assert written(command, tmp_path) == undisturbed
