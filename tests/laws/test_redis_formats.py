"""Values of the release before are read, written as that one can read them, and upgraded."""

from dataclasses import replace

import pytest

from laws.redis_news import hours, item, judgements, originals, worker
from laws.test_redis_failures import SAME
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import FORMATS, NEWEST_FORMAT
from newsdedup.adapters.redis.namespace import open_namespace, upgrade_namespace
from newsdedup.adapters.redis.spans import split_spans
from newsdedup.ports.errors import StateUnusable

FRAME = b"\x28\xb5\x2f\xfd"


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
    assert run(upgrade_namespace(calls, "aged")) == ("2", "5")
    assert run(open_namespace(calls, "aged", made_by="x")).keys.format == FORMATS["5"]
    assert run(upgrade_namespace(calls, "aged")) == ("5", "5")
    fresh = run(open_namespace(calls, "fresh", made_by="x")).keys
    assert fresh.format == NEWEST_FORMAT


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
