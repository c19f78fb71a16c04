"""What the workers of a namespace teach each other is what one worker alone would have learned."""

from collections.abc import Iterable, Sequence

import msgspec
import pytest

from core.test_phrase_counts import all_uses
from laws.redis_sharded import kept, of_home, put_back
from laws.redis_shared import shared_engine
from laws.test_redis_failures import reached, server
from newsdedup import NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.namespace import begin_generation
from newsdedup.adapters.redis.store import RedisObservationLog
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.events import Event
from newsdedup.core.matching.statistics_recorder import SharedStatisticsRecorder, StatisticsRecorder
from newsdedup.core.matching.stream_statistics import BUCKET
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.engine.deduplicate import LATENESS, Deduplicate
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import StateMoved
from newsdedup.synthetic.stream import generate_stream

RULE = make_rule(Settings())
STEP = 32
ITEMS = 3 * BUCKET


@pytest.fixture(scope="module")
def arrivals() -> Sequence[Analyzed]:
    analyzer = item_analyzer(Settings())
    reported = []
    for planted in generate_stream(items=ITEMS, seed=5):
        item = item_json.decode_item(msgspec.json.encode(planted.item))
        if isinstance(item, NewsItem):
            reported.append(analyzer.analyze(item))
    return reported


def worker(shared, keys: Keys, *, name: str = "worker") -> SharedEngine:
    store = shared.worker(keys, RULE, name=name)
    observations = RedisObservationLog(store.calls, keys, SharedStatisticsRecorder(RULE))
    return shared_engine(rule=RULE, store=store, lateness=LATENESS, observations=observations)


def steps(arrivals: Sequence[Analyzed], size: int = STEP) -> Iterable[Sequence[Analyzed]]:
    return (arrivals[first : first + size] for first in range(0, len(arrivals), size))


def payloads(events: Iterable[Event]) -> list[object]:
    return [event.payload for event in events]


def counted(served: SharedEngine) -> tuple[object, ...]:
    observations = served.observations.recorder.statistics
    return (
        observations.number,
        observations.closed_buckets,
        all_uses(observations._young),
        all_uses(observations._old),
        observations.shifts,
    )


def test_two_workers_judge_as_one_that_learned_by_itself(shared_redis, arrivals):
    keys = shared_redis.keys(1024)
    workers = [worker(shared_redis, keys, name=name) for name in ("first", "second")]
    recorder = StatisticsRecorder(RULE)
    alone = Deduplicate(
        rule=RULE,
        store=MemoryStore(RULE),
        ledger=MemoryLedger(),
        lateness=LATENESS,
        recorder=recorder,
    )
    # One by one: an observation of a batch is known from the next batch on.
    for number, batch in enumerate(steps(arrivals, 1)):
        events = shared_redis.run(workers[number % 2].process(batch)).events
        expected = [event for one in batch for event in alone.publish(one)]
        assert payloads(events) == payloads(expected)
    for one in workers:
        shared_redis.run(one.observations.catch_up())
    assert counted(workers[0]) == counted(workers[1])
    assert (
        workers[0].observations.recorder.statistics.closed_buckets
        == recorder.statistics.closed_buckets
        > 0
    )


def test_an_entry_freezes_what_the_log_says_by_then(arrivals):
    shared, alone = SharedStatisticsRecorder(RULE), StatisticsRecorder(RULE)
    entries = [entry_of(one, at=number) for number, one in enumerate(arrivals)]
    for number, entry in enumerate(entries):
        for asked in (entry, entries[0], entry):
            assert shared.freeze(asked) == alone.freeze(asked)
        observation = alone.statistics.observe(entry, ())
        alone.statistics.add(observation)
        shared.add_logged(observation, number=number)
    assert shared.freeze(entries[0]) != entries[0]
    shared.reset()
    assert shared.freeze(entries[0]) == StatisticsRecorder(RULE).freeze(entries[0])


def test_a_worker_that_comes_later_reads_all_observations(shared_redis, arrivals):
    keys = shared_redis.keys(1024)
    first = worker(shared_redis, keys)
    for batch in steps(arrivals[:BUCKET]):
        shared_redis.run(first.process(batch))
    later = worker(shared_redis, keys, name="later")
    shared_redis.run(later.observations.catch_up())
    shared_redis.run(first.observations.catch_up())
    assert counted(later) == counted(first)


def test_an_item_that_comes_again_teaches_nothing(shared_redis, arrivals):
    keys = shared_redis.keys(1024)
    one = worker(shared_redis, keys)
    for _ in range(2):
        shared_redis.run(one.process(arrivals[:STEP]))
    shared_redis.run(one.observations.catch_up())
    assert one.observations.recorder.statistics.number == len(
        {(a.item.key, a.document.version) for a in arrivals[:STEP]}
    )


@pytest.mark.usefixtures("redis_program")
def test_after_a_restart_of_the_server_the_log_is_read_anew(tmp_path, arrivals):
    with (
        server(tmp_path, settings={"appendonly": "no"}) as lost,
        reached(lost.url, timeout_seconds=5) as shared,
    ):
        keys = shared.keys(1024)
        one = worker(shared, keys)
        shared.run(one.process(arrivals[:STEP]))
        lost.ask("SAVE")
        shared.run(one.process(arrivals[STEP : 2 * STEP]))
        shared.run(one.observations.catch_up())
        lost.kill()
        lost.start()
        with pytest.raises(StateMoved):
            shared.run(one.process(arrivals[STEP : 2 * STEP]))
        shared.run(one.process(arrivals[STEP : 2 * STEP]))
        shared.run(one.observations.catch_up())
        other = worker(shared, keys, name="other")
        shared.run(other.observations.catch_up())
        assert counted(one) == counted(other)


def test_a_run_that_begins_after_a_loss_reads_the_log_anew(shared_redis, arrivals):
    # The partitions are dealt anew: the loss is noticed there, and not by a batch.
    keys, run = shared_redis.keys(1024), shared_redis.run
    one = worker(shared_redis, keys)
    run(one.begin())
    run(one.process(arrivals[:STEP]))
    before = kept(shared_redis, of_home(keys))
    run(one.process(arrivals[STEP : 2 * STEP]))
    run(one.observations.catch_up())
    put_back(shared_redis, of_home(keys), before)
    run(begin_generation(Calls(shared_redis.client, home=keys.fixed[0]), keys))
    with pytest.raises(StateMoved):
        run(one.look(()))
    run(one.begin())
    run(one.process(arrivals[2 * STEP : 2 * STEP + 8]))
    run(one.observations.catch_up())
    other = worker(shared_redis, keys, name="other")
    run(other.observations.catch_up())
    assert counted(one) == counted(other)
