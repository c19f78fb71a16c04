"""A rule on trial judges live items beside the real one; what is published stays the same."""

import re

from newsdedup.synthetic.stream import demo_stream
from runners.streaming import Stream, ended, verdicts


def test_a_shadow_rule_tells_where_it_differs_and_publishes_nothing(kafka, redis, tmp_path):
    items = [dict(planted.item) for planted in demo_stream()]
    unique = {(item["source"], item["id"]) for item in items}
    both = [Stream(kafka, redis, tmp_path) for _ in range(2)]
    for stream, shadow in zip(both, ("", "md5"), strict=True):
        stream.produce(items)
        with stream.worker(worker__shadow=shadow) as process:
            stream.judged(len(unique))
            assert ended(process) == 0, stream.logs()
    alone, beside = (verdicts(stream.read(stream.output)) for stream in both)
    assert {key: said["verdict"] for key, said in beside.items()} == {
        key: said["verdict"] for key, said in alone.items()
    }
    differs = set(re.findall(r"shadow_differs rule=md5 source='(.*?)' id='(.*?)'", both[1].logs()))
    assert differs
    assert differs < unique


def test_a_shadow_of_the_rule_itself_is_refused(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path)
    with stream.worker(worker__shadow="terms") as process:
        assert process.wait(60) == 2
    assert "expected another rule than rule.name" in stream.logs()
