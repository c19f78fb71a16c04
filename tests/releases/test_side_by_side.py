"""Workers of two releases on one stream: forward, back and forward again, and killed meanwhile."""

from contextlib import ExitStack
from pathlib import Path

from newsdedup.synthetic.stream import generate_stream
from runners.blows import SESSION
from runners.chaos import await_progress, await_the_end
from runners.older_release import environment_of
from runners.outcome import outcome, undisturbed
from runners.processes import run
from runners.streaming import Stream, ended

REFUSED = 78


class TwoWorkers:
    """Two slots for workers on a stream, each with a worker of either release."""

    def __init__(self, stream: Stream, alive: ExitStack, packages: dict[str, Path | None]) -> None:
        self._stream, self._alive, self._packages = stream, alive, packages
        self._running = {}

    def start(self, slot: int, release: str) -> None:
        environ = environment_of(self._packages[release])
        worker = self._stream.worker(worker__session=SESSION, environ=environ)
        self._running[slot] = self._alive.enter_context(worker)

    def kill(self, slot: int) -> None:
        self._running[slot].kill()
        self._running[slot].wait()

    def end(self, slot: int) -> None:
        assert ended(self._running[slot]) == 0, self._stream.logs()

    def exit_code(self, slot: int) -> int:
        return self._running[slot].wait(120)


def test_workers_of_two_releases_give_each_item_one_verdict_on_the_way_there_and_back(
    kafka, redis, tmp_path, older
):
    items = [dict(planted.item) for planted in generate_stream(200, seed=11)]
    expected = undisturbed(items, tmp_path)
    stream = Stream(kafka, redis, tmp_path)
    parts = iter([items[at : at + 40] for at in range(0, 200, 40)])

    def produce() -> None:
        before = stream.length()
        stream.produce(next(parts))
        await_progress(stream, before + 10)

    with ExitStack() as alive:
        workers = TwoWorkers(stream, alive, {"older": older, "today": None})
        workers.start(0, "older")
        stream.await_namespace()
        workers.start(1, "today")
        produce()
        workers.kill(1)
        workers.start(1, "older")  # the way back
        produce()
        workers.end(0)
        workers.start(0, "today")
        produce()
        workers.kill(1)
        workers.start(1, "today")
        done = run("upgrade", cwd=tmp_path, **stream.environment())
        assert b"format 2 -> 5" in done.stdout, done.stderr
        workers.end(0)
        workers.start(0, "today")
        produce()
        workers.start(2, "older")
        assert workers.exit_code(2) == REFUSED
        assert "format 5" in stream.logs()
        produce()
        await_the_end(stream, expected)
        workers.end(0)
        workers.end(1)
    result = outcome(stream.read(stream.output), expected)
    assert result.sound, (result, stream.logs())
    assert result.rejudged == 0
