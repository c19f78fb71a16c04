"""A worker sets aside the items for which a step raises a bug, and publishes all others."""

import json
import signal
from typing import Any

import pytest

from cli.in_process import run
from newsdedup.synthetic.stream import demo_stream
from runners.planted_bugs import QUOTED, TRIGGER, bug_environment
from runners.scraped import Probe
from runners.streaming import Stream, ended, stories, verdicts

BUG = 70
POSITIONS = (0, 5, 6, 40, 100)
CASES = [
    ("aiokafka", "decode", "500"),
    ("aiokafka", "compare", "1"),
    ("faust", "compare", "500"),
    ("faust", "render", "1"),
    ("aiokafka", "commit", "500"),
]
"""Both loops, small and large batches, and the commit; test_isolated_items.py has every step."""
ERUPTION = "Volcano erupts near the harbour, ash covers fields, ferries stop, thousands leave homes"
COUNTER = "newsdedup_internal_errors_total{"
Items = list[dict[str, Any]]


@pytest.fixture(scope="module")
def items() -> Items:
    """Sound items, with copies, edits and late originals among them."""
    return [dict(planted.item) for planted in demo_stream()][:120]


@pytest.fixture(scope="module")
def mixed(items) -> Items:
    """The sound items with marked copies, for which bugs raise, behind some of them."""
    found = []
    for index, item in enumerate(items):
        copy = {**item, "id": f"{item['id']}-{TRIGGER}", "title": f"{item['title']} {TRIGGER}"}
        found += [item, copy] if index in POSITIONS else [item]
    return found


@pytest.fixture(scope="module")
def undisturbed(items, tmp_path_factory):
    """The stories of an embedded run of the sound items."""
    folder = tmp_path_factory.mktemp("undisturbed")
    lines = "\n".join(json.dumps(item, ensure_ascii=False) for item in items)
    (folder / "items.jsonl").write_text(lines, "utf-8")
    done = run("run", "items.jsonl", "--to", "out.jsonl", "--rule", "terms", cwd=folder)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in (folder / "out.jsonl").read_bytes().splitlines()]
    return stories(latest_verdicts(events))


def latest_verdicts(events):
    latest = {}
    for one in events:
        said = one["dedup"]
        if said["event"] in ("item.judged", "verdict.corrected"):
            latest[said["item"]["source"], said["item"]["id"]] = said
    return latest


@pytest.fixture
def stream(kafka, redis, tmp_path) -> Stream:
    return Stream(kafka, redis, tmp_path, partitions=1)


def marked(items: Items) -> set[str]:
    return {item["id"] for item in items if TRIGGER in item["id"]}


def unique(items: Items) -> int:
    return len({(item["source"], item["id"]) for item in items})


def reasons(stream: Stream) -> list[str]:
    """Return the reasons of the dead letters of internal errors."""
    found = [one.headers for one in stream.read(stream.dead)]
    for one in found:
        assert one["newsdedup_code"] == b"internal_error"
    return [one["__connect.errors.exception.message"].decode() for one in found]


def counted(scraped: str) -> float:
    """Return how many internal errors a scrape tells of, in all stages."""
    lines = [line for line in scraped.splitlines() if line.startswith(COUNTER)]
    return sum(float(line.rpartition(" ")[2]) for line in lines)


def replay(stream: Stream) -> None:
    done = run("dlq", "replay", "topic:", cwd=stream.folder, **stream.environment())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_a_worker_sets_items_aside_that_raise_and_a_replay_brings_them_back(
    stream, items, mixed, undisturbed, case
):
    runner, bug, batch = case
    stream.produce(mixed)
    options = {"runner": runner, "worker__batch": batch}
    probe = Probe()
    port = str(probe.port)
    with stream.worker(environ=bug_environment(bug), worker__port=port, **options) as process:
        stream.judged(unique(items))
        stream.until(lambda found: len(found) == len(POSITIONS), topic=stream.dead)
        probe.until(
            "/metrics", lambda scraped: counted(scraped.text) == len(POSITIONS), stream=stream
        )
        assert ended(process) == 0, stream.logs()
    said = verdicts(stream.read(stream.output))
    assert marked(mixed).isdisjoint(name for _, name in said)
    assert stories(said) == undisturbed
    for reason in reasons(stream):
        assert reason.startswith("internal error: ValueError at newsdedup.")
        assert QUOTED not in reason
    replay(stream)
    with stream.worker(**options) as process:
        stream.judged(unique(mixed))
        assert ended(process) == 0, stream.logs()


@pytest.mark.parametrize(("runner", "batch"), [("aiokafka", "500"), ("faust", "1")])
def test_an_event_that_cannot_be_encoded_comes_out_after_a_replay(
    stream, items, mixed, runner, batch
):
    stream.produce(mixed)
    options = {"runner": runner, "worker__batch": batch}
    with stream.worker(environ=bug_environment("encode"), **options) as process:
        stream.until(lambda found: len(found) >= len(POSITIONS), topic=stream.dead)
        stream.judged(unique(items))
        assert ended(process) == 0, stream.logs()
    assert {reason.rpartition(" ")[2] for reason in reasons(stream)} == {"(encode)"}
    replay(stream)
    with stream.worker(**options) as process:
        stream.judged(unique(mixed))
        assert ended(process) == 0, stream.logs()


@pytest.mark.parametrize(
    "case",
    [("faust", "render", "500", "isolating:1"), ("aiokafka", "decide", "1", "isolating:3")],
    ids="-".join,
)
def test_a_worker_killed_while_it_isolates_loses_and_contradicts_nothing(
    stream, items, mixed, undisturbed, case
):
    runner, bug, batch, point = case
    stream.produce(mixed)
    options = {"runner": runner, "worker__batch": batch, "environ": bug_environment(bug)}
    with stream.worker(failpoint=point, **options) as process:
        assert process.wait(120) == -signal.SIGKILL, stream.logs()
    with stream.worker(**options) as process:
        stream.judged(unique(items))
        stream.adopted()
        stream.until(lambda found: len(named(found)) == len(POSITIONS), topic=stream.dead)
        assert ended(process) == 0, stream.logs()
    events = stream.read(stream.output)
    assert stories(verdicts(events)) == undisturbed
    bodies = {}
    for one in events:
        assert bodies.setdefault(one.dedup["event_id"], one.value) == one.value


def named(dead_letters) -> set[tuple[str, str]]:
    return {(one.value["source"], one.value["id"]) for one in dead_letters}


def test_a_stored_entry_that_raises_is_named_and_costs_no_item(stream, items):
    leader = {**items[50], "id": TRIGGER, "title": ERUPTION, "text": f"{ERUPTION}."}
    copies = [{**leader, "id": f"copy {number}"} for number in range(3)]
    stream.produce([*items[:60], leader])
    with stream.worker() as process:
        stream.judged(unique([*items[:60], leader]))
        assert ended(process) == 0, stream.logs()
    stream.produce([*copies, *items[60:]])
    with stream.worker(environ=bug_environment("compare"), worker__batch="500") as process:
        stream.judged(unique([*items, leader, *copies]))
        assert ended(process) == 0, stream.logs()
    assert stream.read(stream.dead) == []
    assert f"entry_set_aside source={leader['source']!r} id={TRIGGER!r}" in stream.logs()


@pytest.mark.parametrize("runner", ["aiokafka", "faust"])
def test_a_bug_that_each_item_meets_ends_a_worker_and_loses_nothing(stream, items, runner):
    stream.produce(items)
    options = {"runner": runner, "worker__batch": "500", "worker__orphans": "1h"}
    with stream.worker(environ=bug_environment("everywhere"), **options) as process:
        assert process.wait(120) == BUG, stream.logs()
    assert "this is a bug in newsdedup (TooManyInternalErrors)" in stream.logs()
    assert "it is not the records" in stream.logs()
    # A batch before the twentieth failure was acknowledged, with its dead letters.
    assert len(stream.read(stream.dead)) < 20
    replay(stream)
    with stream.worker(**options) as process:
        assert len(verdicts(stream.judged(unique(items)))) == unique(items)
        assert ended(process) == 0, stream.logs()
