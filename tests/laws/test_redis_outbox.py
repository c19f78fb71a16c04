"""Between settling and publishing: no event is lost, whichever process dies."""

import pytest

from laws.redis_news import hours, item, judgements, originals, worker
from newsdedup import ItemKey
from newsdedup.adapters.formats.event_json import encode_event
from newsdedup.core.events import OriginalMoved, Retraction
from newsdedup.core.stories.commands import Retract

SAME = {1, 2, 3, 4}


@pytest.fixture
def shared_redis(laid_out):
    """Have all of this on one server, and in a cluster with shards."""
    return laid_out


@pytest.fixture
def keys(shared_redis):
    return shared_redis.keys()


def waiting(shared_redis, keys, **options):
    return shared_redis.run(shared_redis.outbox(keys).waiting(**options))


def test_the_events_of_a_worker_that_died_before_publishing_wait_for_any_other(shared_redis, keys):
    dead = worker(shared_redis, keys, name="dead")
    judged = shared_redis.run(dead.process([item("late", SAME, at=3), item("copy", SAME, at=4)]))
    judged.outcomes.extend(shared_redis.run(dead.process([item("first", SAME, at=1)])).outcomes)
    left = waiting(shared_redis, keys)
    assert [encode_event(one.event) for one in left] == [
        encode_event(event) for event in judged.events
    ]
    assert originals(one.event for one in left) == dict.fromkeys(("late", "copy", "first"), "first")


def test_an_item_delivered_again_gets_the_event_that_the_dead_worker_committed(shared_redis, keys):
    dead, heir = (worker(shared_redis, keys, name=name) for name in ("dead", "heir"))
    batch = [item("a", SAME), item("b", SAME, at=1), *hours(2, 30)]
    committed = shared_redis.run(dead.process(batch)).events
    again = shared_redis.run(heir.process(batch))
    assert [(e.payload, e.received) for e in again.events] == [
        (e.payload, e.received) for e in committed
    ]
    assert all(event.repeated for event in again.events)
    assert again.outbox_numbers == []


def test_what_was_published_waits_no_more_and_deleting_twice_changes_nothing(shared_redis, keys):
    served, outbox = worker(shared_redis, keys), shared_redis.outbox(keys)
    judged = shared_redis.run(served.process([item("a", SAME), item("b", SAME, at=1)]))
    assert shared_redis.run(outbox.count()) == 2
    for _ in range(2):
        shared_redis.run(outbox.published(judged.outbox_numbers[:1]))
        assert [one.number for one in waiting(shared_redis, keys)] == judged.outbox_numbers[1:]


def test_events_too_young_to_be_a_dead_workers_are_left_alone(shared_redis, keys):
    shared_redis.run(worker(shared_redis, keys).process([item("a", SAME)]))
    assert waiting(shared_redis, keys, older_than_ms=3_600_000) == []
    assert len(waiting(shared_redis, keys)) == 1


def test_the_outbox_holds_every_kind_of_event(shared_redis, keys):
    served = worker(shared_redis, keys)
    key = ItemKey("s", "b")
    result = shared_redis.run(
        served.process([item("b", SAME, at=3), item("a", SAME, at=1), Retract(key)])
    ).events
    left = [one.event for one in waiting(shared_redis, keys)]
    assert [event.payload for event in left] == [event.payload for event in result]
    kinds = {type(event.payload) for event in left}
    assert {Retraction, OriginalMoved} < kinds
    assert {said.event for said in judgements(left)} == {"item.judged", "verdict.corrected"}
