"""The short form of scripts/chaos; docs/reliability.md has the long one."""

import msgspec
import pytest

from laws.streams import records_of
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.bootstrap.rules import item_analyzer, make_rule, stream_recorder
from newsdedup.config import Settings
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.synthetic.stream import generate_stream
from runners.blows import Blow
from runners.chaos import chaos
from runners.outcome import Expected, conflicting, outcome
from runners.stored_state import decide_anew
from runners.streaming import Event, Stream
from runners.struck_servers import struck_servers

BLOWS = {
    "faust": (
        Blow("stop", "worker"),
        Blow("cut", "redis"),  # then the stopped worker wakes
        Blow("kill", "worker"),
        Blow("replace", "redis"),
        Blow("part", "redis"),
        Blow("kill", "redis"),
    ),
    "aiokafka": (
        Blow("part", "broker"),
        Blow("fill", "redis"),  # then the worker that was cut off comes back
        Blow("turn", "clock"),
        Blow("fill", "broker"),
        Blow("kill", "worker"),
        Blow("kill", "broker"),
    ),
}


@pytest.mark.timeout(900)  # a wait that lasts too long ends before, with the logs of the workers
@pytest.mark.usefixtures("kafka_program", "redis_program", "faketime")
@pytest.mark.parametrize(("runner", "rule"), [("faust", "verified"), ("aiokafka", "terms")])
def test_workers_and_servers_that_are_struck_lose_nothing_and_contradict_themselves_nowhere(
    tmp_path, runner, rule
):
    blows = BLOWS[runner]
    items = [dict(planted.item) for planted in generate_stream(50 * (len(blows) + 1), seed=7)]
    with struck_servers(tmp_path / "servers", workers=2) as servers:
        stream = Stream(servers.kafka, servers.redis, tmp_path)
        found = chaos(stream, servers, items, blows, runner=runner, rule=rule, seed=7)
    assert found.sound, (found, stream.logs())
    assert found.verdicts == found.unique + found.rejudged


@pytest.mark.usefixtures("long")
def test_stored_entries_that_are_decided_anew_lead_to_the_stories_that_they_have():
    rule = make_rule(Settings())
    analyzer, store = item_analyzer(Settings()), MemoryStore(rule)
    recorder = stream_recorder(rule)
    engine = Deduplicate(rule=rule, store=store, ledger=MemoryLedger(), recorder=recorder)
    for planted in generate_stream(400):
        item = item_json.decode_item(msgspec.json.encode(planted.item))
        engine.publish(analyzer.analyze(item, b""))
    records = records_of(store)
    found = decide_anew(records, rule)
    assert {key: original for original, items in found.items() for key in items} == {
        record.key: record.original for record in records
    }


def judged(event_id: str, *, generation: int, title: str = "one") -> Event:
    dedup = {
        "event": "item.judged",
        "event_id": event_id,
        "item": {"source": "a", "id": "1"},
        "version": "v",
        "revision": {"epoch": generation << 32, "n": 0},
        "story": {"original": {"source": "a", "id": "1"}},
    }
    return Event(b"", {"dedup": dedup, "title": title}, {})


def test_a_revision_that_is_published_with_two_bodies_is_seen():
    one = judged("1", generation=1)
    assert conflicting([one, one]) == 0
    assert conflicting([one, judged("1", generation=1, title="two")]) == 2


def test_only_in_a_later_generation_may_a_version_have_another_first_verdict():
    expected = Expected(frozenset({("a", "1", "v")}), {("a", "1"): {("a", "1")}})
    again = outcome([judged("1", generation=1), judged("2", generation=2)], expected)
    assert (again.rejudged, again.doubled, again.sound) == (1, 0, True)
    twice = outcome([judged("1", generation=1), judged("2", generation=1)], expected)
    assert (twice.rejudged, twice.doubled, twice.sound) == (0, 1, False)
