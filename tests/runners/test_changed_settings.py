"""Another rule or window for a stream that runs: a new namespace, rebuilt from its events."""

import json

import pytest

from newsdedup.synthetic.stream import demo_stream
from runners.processes import run
from runners.streaming import Stream, ended, verdicts

pytestmark = pytest.mark.usefixtures("process")


def judged_by(stream, items, **settings: str) -> None:
    """Let a worker judge all that was produced so far, and end."""
    with stream.worker(**settings) as process:
        stream.judged(len({(item["source"], item["id"]) for item in items}))
        assert ended(process) == 0, stream.logs()


def test_a_stream_goes_on_under_another_rule_with_the_window_that_it_had(kafka, redis, tmp_path):
    items = [dict(planted.item) for planted in demo_stream()]
    half = len(items) // 2
    stream = Stream(kafka, redis, tmp_path)
    stream.produce(items[:half])
    judged_by(stream, items[:half])
    before = verdicts(stream.read(stream.output))
    other = {"redis__namespace": f"{stream.name}b", "rule__name": "verified", "rule__window": "48h"}
    with stream.worker(**other | {"redis__namespace": stream.name}) as process:
        assert process.wait(120) == 78, stream.logs()
    done = run("rebuild", "--json", cwd=tmp_path, **stream.environment(**other))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["records"] == len(stream.read(stream.output))
    stream.produce(items[half:])
    judged_by(stream, items, **other)
    after = verdicts(stream.read(stream.output))
    # What was judged stays as it was until something new concerns it.
    unchanged = {key for key in before if after[key]["revision"] == before[key]["revision"]}
    assert len(unchanged) > len(before) / 2
    matched = {
        (one["matched"]["source"], one["matched"]["id"])
        for key, one in after.items()
        if key not in before and one.get("matched")
    }
    assert matched & set(before)
