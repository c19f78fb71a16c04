"""A run that is stopped from outside says by its exit code what stopped it."""

import json
import signal
from time import monotonic, sleep

import pytest

from newsdedup.cli.errors import ExitCode
from runners.processes import run, started

pytestmark = pytest.mark.usefixtures("process")
DEADLINE = 60
"""Seconds."""


def item(number: int) -> bytes:
    said = {"source": "a.example", "id": str(number), "title": f"The tram line {number} opened"}
    return json.dumps(said | {"published_at": "2026-11-02T06:00Z"}).encode() + b"\n"


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [
        (signal.SIGTERM, ExitCode.TERMINATED, b"stopped by SIGTERM"),
        (signal.SIGINT, ExitCode.INTERRUPTED, b"interrupted"),
    ],
)
def test_a_stopped_run_ends_with_the_code_of_the_signal_and_goes_on_later(
    tmp_path, number, code, said
):
    output = tmp_path / "events.jsonl"
    with started("run", "-", "--to", "events.jsonl", cwd=tmp_path) as process:
        assert process.stdin is not None
        process.stdin.write(item(1))
        process.stdin.flush()
        until = monotonic() + DEADLINE
        while not (output.is_file() and output.stat().st_size) and monotonic() < until:
            sleep(0.01)
        process.send_signal(number)
        _, errors = process.communicate(timeout=DEADLINE)
    assert (process.returncode, said in errors) == (code, True), errors
    assert b"Traceback" not in errors
    again = run("run", "-", "--to", "events.jsonl", cwd=tmp_path, stdin=item(1) + item(2))
    assert again.returncode == ExitCode.OK
    # What comes through a pipe comes at least once.
    assert {json.loads(line)["id"] for line in output.read_bytes().splitlines()} == {"1", "2"}
