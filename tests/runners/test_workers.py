"""What every worker promises, whatever drives it: tested on a real Kafka and a real Redis."""

import json
import signal

import pytest

from cli.in_process import run
from newsdedup.synthetic.stream import demo_stream
from runners.streaming import Stream, ended, stories, verdicts

RUNNERS = ["faust", "aiokafka"]
POINTS = [("faust", "after_index"), ("aiokafka", "after_publish"), ("faust", "before_commit")]


@pytest.fixture(scope="module")
def items() -> list[dict]:
    """Items with copies, updates, edits, redeliveries and late originals among them."""
    return [dict(planted.item) for planted in demo_stream()]


@pytest.fixture(scope="module")
def undisturbed(items, tmp_path_factory):
    """The stories of an embedded run over the same items."""
    folder = tmp_path_factory.mktemp("undisturbed")
    lines = "\n".join(json.dumps(item, ensure_ascii=False) for item in items)
    (folder / "items.jsonl").write_text(lines, "utf-8")
    done = run("run", "items.jsonl", "--to", "out.jsonl", "--rule", "terms", cwd=folder)
    assert done.returncode == 0, done.stderr
    return stories_of((folder / "out.jsonl").read_text("utf-8").splitlines())


def stories_of(lines):
    latest = {}
    for line in lines:
        said = json.loads(line)["dedup"]
        if said["event"] in ("item.judged", "verdict.corrected"):
            latest[said["item"]["source"], said["item"]["id"]] = said
    return stories(latest)


@pytest.fixture
def stream(kafka, redis, tmp_path) -> Stream:
    return Stream(kafka, redis, tmp_path)


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_worker_ends_in_the_stories_of_an_embedded_run(stream, items, undisturbed, runner):
    stream.produce(items)
    unique = len({(item["source"], item["id"]) for item in items})
    with stream.worker(runner=runner) as process:
        stream.judged(unique)
        assert ended(process) == 0, stream.logs()
    assert stories(verdicts(stream.read(stream.output))) == undisturbed


@pytest.mark.parametrize(("runner", "point"), POINTS)
def test_a_worker_killed_at_a_failpoint_loses_nothing(stream, items, undisturbed, runner, point):
    stream.produce(items)
    unique = len({(item["source"], item["id"]) for item in items})
    with stream.worker(runner=runner, failpoint=f"{point}:2") as process:
        assert process.wait(120) == -signal.SIGKILL, stream.logs()
    with stream.worker(runner=runner) as process:
        stream.judged(unique)
        stream.adopted()
        assert ended(process) == 0, stream.logs()
    events = stream.read(stream.output)
    assert stories(verdicts(events)) == undisturbed
    bodies = {}
    for one in events:
        assert bodies.setdefault(one.dedup["event_id"], one.value) == one.value
