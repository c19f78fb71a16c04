"""After Redis has lost everything the output topic restores verdicts, stories and texts."""

import json

import pytest

from newsdedup.synthetic.stream import demo_stream
from runners.processes import run
from runners.streaming import Stream, ended, stories, verdicts


@pytest.fixture(scope="module")
def items() -> list[dict]:
    return [dict(planted.item) for planted in demo_stream()]


def keys(items) -> set[tuple[str, str]]:
    return {(item["source"], item["id"]) for item in items}


def judged_by(stream, items, *, runner: str = "aiokafka") -> None:
    """Let a worker judge all that was produced so far, and end."""
    with stream.worker(runner=runner) as process:
        stream.judged(len(keys(items)))
        assert ended(process) == 0, stream.logs()


def lost(stream) -> None:
    """Let Redis forget the namespace of a stream, as if it had lost everything."""
    for key in stream.redis.ask("KEYS", f"{{{stream.name}}}:*"):
        stream.redis.ask("DEL", key)


def command(stream, *words: str):
    return run(*words, cwd=stream.folder, **stream.environment())


def test_a_worker_refuses_an_empty_state_until_it_is_rebuilt_and_then_goes_on(
    kafka, redis, tmp_path, items
):
    half = len(items) // 2
    plain, disturbed = (Stream(kafka, redis, folder(tmp_path, name)) for name in ("a", "b"))
    for stream in (plain, disturbed):
        stream.produce(items[:half])
        judged_by(stream, items[:half])
    before = {one.dedup["event_id"]: one.value for one in disturbed.read(disturbed.output)}
    lost(disturbed)
    for runner in ("faust", "aiokafka"):
        with disturbed.worker(runner=runner) as process:
            assert process.wait(120) == 78, disturbed.logs()
    assert "newsdedup rebuild" in disturbed.logs()
    done = command(disturbed, "rebuild", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["records"] == len(disturbed.read(disturbed.output))
    # The rebuilt one goes on under the other runner: neither keeps anything of its own.
    for stream, runner in ((plain, "aiokafka"), (disturbed, "faust")):
        stream.produce(items)
        judged_by(stream, items, runner=runner)
    events = disturbed.read(disturbed.output)
    final = verdicts(events)
    assert stories(final) == stories(verdicts(plain.read(plain.output)))
    assert {one.dedup["event_id"]: one.value for one in events}.items() >= before.items()
    # What was judged before comes again as the same event; what is new counts as newer.
    assert {
        final[key]["revision"]["epoch"] >> 32 for key in keys(items[half:]) - keys(items[:half])
    } == {1}
    bodies: dict[str, object] = {}
    for one in events:
        assert bodies.setdefault(one.dedup["event_id"], one.value) == one.value


def folder(path, name):
    (path / name).mkdir()
    return path / name


def test_a_state_that_is_not_empty_is_not_rebuilt(kafka, redis, tmp_path, items):
    stream = Stream(kafka, redis, tmp_path)
    stream.produce(items[:8])
    judged_by(stream, items[:8])
    done = command(stream, "rebuild")
    assert done.returncode == 78
    assert b"is not empty" in done.stderr
