"""Sets that are too long to be read as a whole lose nobody, and find nobody else."""

from random import Random

import pytest

from laws.redis_shared import Shared
from laws.streams import RULE, entry
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.store import RedisStore
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark
from newsdedup.ports.store import Commit, Lookup, RecordUpdate

FREQUENT, RARE = range(1, 9), range(100, 400)
PROBES = 64


def drawn(number, rng):
    """Return an entry of frequent and rare terms; some are so short that one key finds them."""
    terms = [*rng.sample(FREQUENT, rng.randint(1, 4)), *rng.sample(RARE, rng.randint(0, 4))]
    return entry(f"n{number}", terms, at=number)


async def file(store: RedisStore, records):
    for first in range(0, len(records), 100):
        puts = [RecordUpdate(record, 0, None, None) for record in records[first : first + 100]]
        seen = await store.look(())
        commit = Commit(seen.version, (), (), Watermark(), None, puts)
        assert await store.commit(commit) is not None


def names(records):
    return sorted(record.key.id for record in records)


@pytest.mark.parametrize("sets", [8, 1024])
def test_leaders_and_members_in_long_sets_are_found_and_no_others(
    shared_redis: Shared, redis, sets
):
    rng = Random(2026)  # noqa: S311 - drawn alike each time, not to keep a secret
    drawings = [drawn(number, rng) for number in range(600)]
    records = [
        Record(one, leader=one.key if number % 3 else drawings[0].key)
        for number, one in enumerate(drawings)
    ]
    keys: Keys = shared_redis.keys(sets)
    store = shared_redis.worker(keys, RULE)
    shared_redis.run(file(store, records))
    redis.ask("CONFIG", "RESETSTAT")

    for probe in (drawn(number, rng) for number in range(PROBES)):
        filing = RULE.index_keys(probe)
        looks = [Lookup("leaders", filing=filing), Lookup("members", filing=filing)]
        leaders, members = shared_redis.run(store.look(looks)).answers
        met = [one for one in records if are_candidates(filing, RULE.index_keys(one.entry))]
        assert names(one.record for one in leaders) == names(one for one in met if one.leads)
        assert names(one.record for one in members) == names(one for one in met if not one.leads)

    asked = redis.ask("INFO", "commandstats")
    assert "cmdstat_sinter" in asked
    assert ("cmdstat_smismember" in asked) == (sets > len(FREQUENT))


def test_equal_look_ups_of_one_call_read_each_set_once(shared_redis: Shared, redis):
    copies = [entry(f"c{number}", [1, 2, 3, 4, 5, 6], at=number) for number in range(12)]
    store = shared_redis.worker(shared_redis.keys(1024), RULE)
    shared_redis.run(file(store, [Record(one, leader=copies[0].key) for one in copies]))
    filing = RULE.index_keys(copies[0])
    redis.ask("CONFIG", "RESETSTAT")
    looks = [Lookup("members", filing=filing, since=since) for since in range(1, 12)]
    answers = shared_redis.run(store.look(looks)).answers
    assert [len(found) for found in answers] == [12 - since for since in range(1, 12)]
    asked = redis.ask("INFO", "commandstats")["cmdstat_smembers"]
    assert 0 < asked["calls"] <= len(filing.counted)
