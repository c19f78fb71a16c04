"""A process that dies anywhere is continued as if nothing had happened."""

import json
import signal
from itertools import count
from pathlib import Path

import pytest

from newsdedup.synthetic.stream import demo_stream
from runners.processes import run, started

SMALL_BATCHES = {"NEWSDEDUP_RUN__BATCH": "16"}
POINTS = ["before_output", "after_output", "after_sync", "after_commit", "after_letters"]


@pytest.fixture(scope="module")
def items(tmp_path_factory) -> Path:
    """A stream with late originals, edits, redeliveries, and bad lines among them."""
    path = tmp_path_factory.mktemp("items") / "items.jsonl"
    lines = [json.dumps(planted.item, ensure_ascii=False) for planted in demo_stream()]
    for place in (3, 40, 150):
        lines.insert(place, "{bad json")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def collector_paused(items, tmp_path_factory) -> dict[str, bytes]:
    """What a run writes that nobody kills."""
    folder = tmp_path_factory.mktemp("collector_paused")
    done = run("run", items, "--to", "out.jsonl", "--quiet", cwd=folder, **SMALL_BATCHES)
    assert done.returncode == 0, done.stderr
    return written(folder)


def written(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("out.jsonl", "out.jsonl.dlq")}


def test_the_output_is_whole(items, collector_paused):
    assert collector_paused["out.jsonl"].count(b"\n") >= len(items.read_bytes().splitlines()) - 3
    assert collector_paused["out.jsonl.dlq"].count(b"\n") == 3


@pytest.mark.parametrize("nth", [1, 2, 9])
@pytest.mark.parametrize("point", POINTS)
def test_a_run_killed_at_a_failpoint_goes_on_as_if_it_had_not(
    items, collector_paused, tmp_path, point, nth
):
    command = ("run", items, "--to", "out.jsonl", "--quiet")
    died = run(*command, cwd=tmp_path, NEWSDEDUP_FAILPOINT=f"{point}:{nth}", **SMALL_BATCHES)
    assert died.returncode == -signal.SIGKILL
    done = run(*command, cwd=tmp_path, **SMALL_BATCHES)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == collector_paused


def test_a_run_killed_again_and_again_at_any_time_loses_and_doubles_nothing(
    items, collector_paused, tmp_path
):
    output = tmp_path / "out.jsonl"
    for attempt in count():
        assert attempt < 100
        process = started(
            "run", items, "--to", "out.jsonl", "--quiet", cwd=tmp_path, environ=SMALL_BATCHES
        )
        before = output.stat().st_size if output.exists() else 0
        while process.poll() is None:
            # Killed as soon as it has got on: wherever it is then.
            if output.exists() and output.stat().st_size > before + 60_000:
                process.kill()
        process.communicate()
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
    assert written(tmp_path) == collector_paused


def test_a_second_run_adds_nothing(items, collector_paused, tmp_path):
    for _ in range(2):
        done = run("run", items, "--to", "out.jsonl", "--quiet", cwd=tmp_path, **SMALL_BATCHES)
        assert done.returncode == 0, done.stderr
    assert written(tmp_path) == collector_paused


@pytest.mark.parametrize("batch", ["1", "7", "100000"])
def test_the_events_do_not_depend_on_the_batch_or_the_hash_seed(
    items, collector_paused, tmp_path, batch
):
    done = run(
        "run",
        items,
        "--to",
        "out.jsonl",
        "--quiet",
        cwd=tmp_path,
        NEWSDEDUP_RUN__BATCH=batch,
        PYTHONHASHSEED=batch[:1],
    )
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == collector_paused
