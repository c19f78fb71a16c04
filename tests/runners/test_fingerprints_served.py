"""Five methods alongside the rule in a worker: the evidence names them as an embedded run does."""

import json
from collections import Counter

from cli.in_process import run
from newsdedup.synthetic.stream import demo_stream
from runners.streaming import Stream, ended, verdicts

FIVE = "long_sent,minhash,simhash,three_plus_five,descr_words"


def test_a_worker_with_five_fingerprints_tells_what_an_embedded_run_tells(kafka, redis, tmp_path):
    items = [dict(planted.item) for planted in demo_stream()]
    lines = "\n".join(json.dumps(item, ensure_ascii=False) for item in items)
    (tmp_path / "items.jsonl").write_text(lines, "utf-8")
    settings = {"NEWSDEDUP_RULE__FINGERPRINTS": FIVE}
    done = run(
        "run", "items.jsonl", "--to", "out.jsonl", "--rule", "terms", cwd=tmp_path, **settings
    )
    assert done.returncode == 0, done.stderr
    stream = Stream(kafka, redis, tmp_path, partitions=1)
    stream.produce(items)
    with stream.worker(rule__fingerprints=FIVE) as process:
        stream.judged(len({(item["source"], item["id"]) for item in items}))
        assert ended(process) == 0, stream.logs()
    served = count_methods(verdicts(stream.read(stream.output)).values())
    written = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    embedded = [json.loads(line)["dedup"] for line in written]
    latest = {
        (said["item"]["source"], said["item"]["id"]): said for said in embedded if "item" in said
    }
    assert served == count_methods(latest.values())
    assert set(FIVE.split(",")) <= set(served)


def count_methods(judgements) -> Counter[str]:
    """Return how often each method stands in the evidence."""
    return Counter(
        name
        for said in judgements
        if said.get("matched") and said["matched"]["evidence"]
        for name in said["matched"]["evidence"]["fingerprints"]
    )
