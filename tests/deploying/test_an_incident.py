"""Redis is flushed under load: an alert finds it, the doctor tells it, its command mends it.

With `-s` this prints the transcript that docs/operations.md shows.
"""

import shlex
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from deploying.alert_stage import Stage, alert_stage
from newsdedup.synthetic.stream import generate_stream
from runners.outcome import first_verdicts, outcome, undisturbed
from runners.processes import run
from servers.fixtures import running
from servers.process import wait_until
from servers.redis_server import RedisServer

ALERT = "NewsdedupDown"
SHARE = 20
PATIENCE_SECONDS = 300


class Transcript:
    """What was seen and done, with the seconds since the beginning."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._began = time.monotonic()

    def note(self, text: str) -> None:
        """Print what was seen, names of this run replaced by those of a system."""
        for name, plain in (
            (f"{self._stage.stream.name}.", "news."),
            (self._stage.stream.name, "newsdedup"),
        ):
            text = text.replace(name, plain)
        indented = text.replace("\n", "\n       ")
        print(f"{time.monotonic() - self._began:5.1f}  {indented}")  # noqa: T201 - asked for by -s

    def run(self, *words: str) -> tuple[int, str]:
        """Run a command with the settings of the workers; return its exit code and output."""
        settings = self._stage.stream.environment()
        done = run(*words, cwd=self._stage.folder, **settings)
        out = done.stdout.decode() or done.stderr.decode()
        shown = [line for line in out.splitlines() if not line.startswith(("ok ", "warn"))]
        shown = [line for line in shown if "kafka-configs.sh" not in line]
        self.note(
            "\n".join([f"$ newsdedup {shlex.join(words)}", *shown, f"exit {done.returncode}"])
        )
        return done.returncode, out


@contextmanager
def load(stage: Stage, items: list[dict]) -> Iterator[None]:
    """Write items to the input in parts alongside a block; return when all are written."""

    def write() -> None:
        for first in range(0, len(items), SHARE):
            stage.stream.produce(items[first : first + SHARE])

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        yield
        writing.result()


@pytest.mark.usefixtures("redis_program")
def test_a_flushed_redis_is_found_by_an_alert_and_mended_by_what_the_doctor_names(
    prometheus, kafka, tmp_path
):
    folder = tmp_path / "redis"
    folder.mkdir()
    redis = RedisServer(folder)
    items = [dict(planted.item) for planted in generate_stream(600, seed=11)]
    expected = undisturbed(items, tmp_path)
    with running(redis, folder), alert_stage(prometheus, kafka, redis, tmp_path) as stage:
        transcript = Transcript(stage)
        with load(stage, items):
            events = stage.stream.until(lambda found: len(first_verdicts(found)) >= 100)
            redis.ask("FLUSHALL")
            transcript.note(f"FLUSHALL, after {len(first_verdicts(events))} verdicts, under load")
            wait_until(lambda: stage.firing(ALERT), what="the alert", within=PATIENCE_SECONDS)
            transcript.note(f"{ALERT} fires")
        said = (tmp_path / "worker.log").read_text("utf-8").partition("newsdedup: redis")
        transcript.note("the worker's last words: " + "".join(said[1:]).strip())
        code, advice = transcript.run("doctor", "--worker")
        assert code == 1
        command = advice.partition("newsdedup rebuild ")[2].partition("`")[0]
        assert said[2].partition("newsdedup rebuild ")[2].partition("`")[0] == command
        assert transcript.run("rebuild", *shlex.split(command))[0] == 0
        assert transcript.run("doctor", "--worker")[0] == 0
        stage.worker.restart()
        transcript.note("the worker is started, and ready")
        stage.stream.until(lambda found: expected.versions <= set(first_verdicts(found)))
        wait_until(lambda: stage.clear(ALERT), what="the alert is clear", within=PATIENCE_SECONDS)
        wait_until(stage.stream.all_stored, what="all is stored", within=PATIENCE_SECONDS)
        found = outcome(stage.stream.read(stage.stream.output), expected)
        transcript.note(
            f"{ALERT} is clear; produced={found.produced} unique={found.unique} lost={found.lost} "
            f"conflicting={found.conflicting} doubled={found.doubled} "
            f"otherwise={found.otherwise}"
        )
        assert found.sound, found
