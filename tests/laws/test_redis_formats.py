"""Values of the release before are read, written as that one can read them, and upgraded."""

from dataclasses import replace

import pytest

from laws.redis_news import hours, item, judgements, originals, worker
from laws.streams import entry
from laws.test_redis_failures import SAME
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import FORMATS, NEWEST_FORMAT, UPGRADES
from newsdedup.adapters.redis.namespace import open_namespace, upgrade_namespace
from newsdedup.adapters.redis.spans import split_spans
from newsdedup.core.fingerprints.shingles import Megashingles
from newsdedup.core.matching.index_keys import IndexKeys
from newsdedup.core.matching.rules import MethodRule
from newsdedup.core.model import Fingerprint
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.store import Commit, Lookup, RecordUpdate

FRAME = b"\x28\xb5\x2f\xfd"


def signed(name: str, key: int) -> Record:
    """Return a leader that is found by this sure key alone."""
    one = entry(name, (), at=0)._replace(sketches=(Fingerprint((key,), b""),))
    return Record(one, leader=one.key)


def stored_rows(shared, keys):
    calls = Calls(shared.client, home=keys.fixed[0])
    live = split_spans(shared.run(calls.command("HGET", keys.fixed[0], "live")).decode())
    names = [keys.span_hashes(span)[2] for span in live]
    return [row for name in names for row in shared.run(calls.command("HVALS", name))]


def test_workers_of_two_formats_share_a_namespace_as_in_a_rolling_upgrade(shared_redis):
    keys = shared_redis.keys()
    before = worker(shared_redis, replace(keys, format=FORMATS["2"]), name="before")
    after = worker(shared_redis, replace(keys, format=FORMATS["3"]), name="after")
    plain = worker(shared_redis, shared_redis.keys(), name="plain")
    batches = [hours(0, 3), [item("a", SAME, at=3)], [item("b", SAME, at=4)]]
    batches += [[item("a", SAME, at=3, updated=5)], [item("first", SAME, at=2)], hours(3, 6)]
    shared, alone = [], []
    for number, batch in enumerate(batches):
        served = (before, after)[number % 2]
        shared += shared_redis.run(served.process(batch)).events
        alone += shared_redis.run(plain.process(batch)).events
    assert originals(shared) == originals(alone)
    assert [one.event_id for one in judgements(shared)] == [
        one.event_id for one in judgements(alone)
    ]
    kinds = {row.startswith(FRAME) for row in stored_rows(shared_redis, keys)}
    assert kinds == {True, False}


def test_a_worker_writes_in_the_format_of_its_namespace(shared_redis):
    old, new = shared_redis.keys(), shared_redis.keys()
    for keys, number in ((old, "2"), (new, NEWEST_FORMAT.number)):
        keys = replace(keys, format=FORMATS[number])  # noqa: PLW2901 - the same keys, written so
        shared_redis.run(worker(shared_redis, keys).process([item("a", SAME)]))
    assert [row.startswith(FRAME) for row in stored_rows(shared_redis, old)] == [True]
    assert [row.startswith(FRAME) for row in stored_rows(shared_redis, new)] == [False]


def test_a_namespace_keeps_its_format_until_it_is_upgraded(shared_redis):
    calls = Calls(shared_redis.client, home="{aged}:meta")
    run = shared_redis.run
    run(calls.command("HSET", "{aged}:meta", "format", "2"))
    assert run(open_namespace(calls, "aged", made_by="x")).keys.format == FORMATS["2"]
    assert run(upgrade_namespace(calls, "aged")) == ("2", "7")
    assert run(open_namespace(calls, "aged", made_by="x")).keys.format == FORMATS["7"]
    assert run(upgrade_namespace(calls, "aged")) == ("7", "7")
    fresh = run(open_namespace(calls, "fresh", made_by="x")).keys
    assert fresh.format == NEWEST_FORMAT


@pytest.mark.parametrize(("older", "newer"), [("3", "7"), ("4", "8"), ("5", "7"), ("6", "8")])
def test_sure_keys_are_found_before_and_after_an_upgrade(shared_redis, older, newer):
    assert UPGRADES[older] == newer
    keys, rule = shared_redis.keys(), MethodRule(Megashingles(), window=20)
    before = shared_redis.worker(replace(keys, format=FORMATS[older]), rule, name="before")
    after = shared_redis.worker(replace(keys, format=FORMATS[newer]), rule, name="after")
    asked = [Lookup("leaders", filing=IndexKeys((), (key,))) for key in (1, 2)]

    def names():
        found = shared_redis.run(after.look(asked)).answers
        return [sorted(one.record.key.id for one in answer) for answer in found]

    def write(store, *records, replaced=()):
        seen = shared_redis.run(store.look(()))
        old = {one.record.key: one for one in replaced}
        puts = [RecordUpdate(one, 0, old.get(one.key), None) for one in records]
        made = Commit(seen.version, (), (), Watermark(), None, puts)
        assert shared_redis.run(store.commit(made)) is not None

    write(before, signed("old", 1), signed("changed", 1))
    write(after, signed("new", 1))
    assert names() == [["changed", "new", "old"], []]
    (stored,) = shared_redis.run(after.look([Lookup("item", signed("changed", 1).key)])).answers[0]
    write(after, signed("changed", 2), replaced=[stored])
    assert names() == [["new", "old"], ["changed"]]


@pytest.mark.parametrize(("number", "advice"), [("99", "later release"), ("1", "rebuild")])
def test_a_format_of_another_release_is_refused_with_advice(shared_redis, number, advice):
    name = f"strange{number}"
    calls = Calls(shared_redis.client, home=f"{{{name}}}:meta")
    shared_redis.run(calls.command("HSET", f"{{{name}}}:meta", "format", number))
    with pytest.raises(StateUnusable, match=advice):
        shared_redis.run(open_namespace(calls, name, made_by="x"))
    with pytest.raises(StateUnusable, match=advice):
        shared_redis.run(upgrade_namespace(calls, name))


def test_a_namespace_that_is_not_there_cannot_be_upgraded(shared_redis):
    calls = Calls(shared_redis.client, home="{nowhere}:meta")
    with pytest.raises(StateUnusable, match="does not exist"):
        shared_redis.run(upgrade_namespace(calls, "nowhere"))
