"""An error that nobody foresaw ends a worker before it has acknowledged anything more."""

from newsdedup.synthetic.stream import demo_stream
from runners.streaming import Stream, ended, verdicts

BUG = 70


def test_an_unforeseen_error_ends_a_worker_and_the_next_one_completes(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path)
    items = [dict(planted.item) for planted in demo_stream()][:80]
    stream.produce(items)
    # While it ends slowly it must not take the events of its own batch for those of a dead worker.
    failing = {"failpoint": "after_index:1:raise", "worker__orphans": "1h"}
    with stream.worker(runner="aiokafka", **failing) as process:
        assert process.wait(120) == BUG, stream.logs()
    assert "this is a bug in newsdedup (RuntimeError)" in stream.logs()
    assert set(stream.committed()) == {None}
    assert stream.read(stream.output) == []
    with stream.worker(runner="aiokafka") as process:
        unique = {(item["source"], item["id"]) for item in items}
        assert set(verdicts(stream.judged(len(unique)))) == unique
        assert ended(process) == 0, stream.logs()
