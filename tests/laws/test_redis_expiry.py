"""What the window leaves behind: by the stream's time it is past, by the server's it is freed."""

import pytest

from laws.redis_news import hours, item, originals, worker
from laws.redis_shared import LIFE, shared_engine
from laws.test_lateness import HOUR, LATENESS, RULE
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.inspection import measure_memory
from newsdedup.adapters.redis.keys import Keys

SAME = {1, 2, 3, 4}
KEPT_HOURS = 60
"""More than window, lateness and two spans take together."""
MILLISECOND = 1_000
"""In microseconds."""


def names(shared_redis, keys: Keys) -> list[str]:
    found = shared_redis.run(scanned(shared_redis.client, keys))
    shards = [keys.of_shard(shard) for shard in range(keys.shards)]
    fixed = {name for each in (keys, *shards) for name in (*each.fixed, *each.pending)}
    return sorted(set(found) - fixed)


def postings(shared_redis, keys: Keys) -> dict[str, set[bytes]]:
    """Return the members of all sets."""
    client = shared_redis.client
    found = [
        name for name in names(shared_redis, keys) if shared_redis.run(client.type(name)) == b"set"
    ]
    return {name: shared_redis.run(client.smembers(name)) for name in found}


def clock(shared_redis, keys: Keys) -> int:
    """Return the milliseconds of the server, or of the master that has the meta data."""
    calls = Calls(shared_redis.client, home=keys.fixed[0])
    seconds, micros = shared_redis.run(calls.command("TIME"))
    return int(seconds) * 1_000 + int(micros) // MILLISECOND


def expiry(shared_redis, found: list[str]) -> dict[str, int]:
    """Return when keys expire, in milliseconds of the server."""
    asked = shared_redis.client.pexpiretime
    return {name: shared_redis.run(asked(name)) for name in found}


def live(shared_redis, keys: Keys) -> bytes:
    return shared_redis.run(shared_redis.client.hget(keys.fixed[0], "live"))


async def scanned(client, keys):
    patterns = (f"{{{keys.namespace}}}:*", f"{{{keys.namespace}|*}}:*")
    return [n.decode() for each in patterns async for n in client.scan_iter(match=each)]


@pytest.fixture
def shared_redis(laid_out):
    """Have all of this on one server, and in a cluster with shards."""
    return laid_out


@pytest.fixture
def keys(shared_redis):
    return shared_redis.keys()


def test_no_key_is_left_of_what_the_stream_has_left_behind(shared_redis, keys):
    served = worker(shared_redis, keys)
    shared_redis.run(served.process([item("old", SAME), item("copy", SAME, at=1), *hours(0, 10)]))
    before = names(shared_redis, keys)
    shared_redis.run(served.process(hours(10, 30)))
    assert set(before) & set(names(shared_redis, keys))
    for hour in range(30, KEPT_HOURS + 30):
        shared_redis.run(served.process(hours(hour, hour + 1)))
    assert not set(before) & set(names(shared_redis, keys))


def test_workers_free_what_each_of_them_filled(shared_redis):
    # So many sets that hardly two items share one.
    keys = shared_redis.keys(1 << 16)
    filling = worker(shared_redis, keys, name="filling")
    passing = worker(shared_redis, keys, name="passing")
    shared_redis.run(passing.process([item("first", {5, 6, 7, 8})]))
    shared_redis.run(filling.process(hours(0, 10)))
    before = names(shared_redis, keys)
    for hour in range(10, KEPT_HOURS + 30):
        shared_redis.run(passing.process(hours(hour, hour + 1)))
    assert len(set(before) & set(names(shared_redis, keys))) > len(before) // 2
    last = KEPT_HOURS + 30
    shared_redis.run(filling.process(hours(last, last + 1)))
    shared_redis.run(filling.process(hours(last + 1, last + 2)))
    assert not set(before) & set(names(shared_redis, keys))


def test_a_worker_that_comes_later_frees_what_the_dead_have_filled(shared_redis, keys):
    shared_redis.run(worker(shared_redis, keys, name="dead").process(hours(0, 10)))
    before = names(shared_redis, keys)
    coming = worker(shared_redis, keys, name="coming")
    for hour in range(10, KEPT_HOURS + 30):
        shared_redis.run(coming.process(hours(hour, hour + 1)))
    assert not set(before) & set(names(shared_redis, keys))


def test_everything_but_the_four_fixed_keys_expires_by_the_servers_clock(shared_redis, keys):
    served = worker(shared_redis, keys)
    stream = [item("a", SAME), item("b", SAME, at=1), *hours(1, 40), item("a", {9}, updated=1)]
    shared_redis.run(served.process(stream))
    shared_redis.run(served.process([item("b", {11, 12, 13, 14}, at=39, updated=2)]))
    pttl = shared_redis.client.pttl
    left = {name: shared_redis.run(pttl(name)) for name in names(shared_redis, keys)}
    assert left
    assert {name for name, milliseconds in left.items() if milliseconds < 0} == set()


def test_old_news_that_are_replayed_do_not_expire_at_once(shared_redis, keys):
    # Items of 1970: their span begins to live when its first item comes in.
    served = worker(shared_redis, keys)
    shared_redis.run(served.process([item("a", SAME, at=-1_000)]))
    events = shared_redis.run(served.process([item("b", SAME, at=-999)])).events
    assert originals(events) == {"b": "a"}


def test_a_namespace_that_nobody_writes_frees_itself(shared_redis, keys):
    # A life of nothing is over at once.
    store = shared_redis.worker(keys, RULE, life=0)
    served = shared_engine(rule=RULE, store=store, lateness=LATENESS * HOUR)
    stream = [item("a", SAME), item("b", SAME, at=1), item("c", SAME, at=2)]
    shared_redis.run(served.process(stream))
    assert names(shared_redis, keys) == []
    events = shared_redis.run(served.process([item("d", SAME, at=2)])).events
    assert originals(events) == {"d": "d"}


def test_a_span_whose_keys_have_expired_is_looked_up_no_more(shared_redis, keys):
    # As releases before made one for all that was dated far ahead, which the stream never passes.
    served, far = worker(shared_redis, keys), 1 << 60
    shared_redis.run(served.process(hours(0, 2)))
    made = {"live": f"0,{far}", f"expires:{far}": clock(shared_redis, keys)}
    shared_redis.run(shared_redis.client.hset(keys.fixed[0], mapping=made))
    shared_redis.run(served.process(hours(2, 3)))
    assert live(shared_redis, keys) == b"0"
    copy = item("copy", set(range(6)), at=3)
    assert originals(shared_redis.run(served.process([copy])).events) == {"copy": "h0-0"}


def test_what_is_dated_ahead_lives_until_the_stream_has_come_there_and_as_long_again(
    shared_redis, keys
):
    served = worker(shared_redis, keys)
    shared_redis.run(served.process(hours(0, 2)))
    before, began = names(shared_redis, keys), clock(shared_redis, keys)
    shared_redis.run(served.process([item("ahead", SAME, at=70)]))
    ahead = expiry(shared_redis, sorted(set(names(shared_redis, keys)) - set(before)))
    # Its span begins less than 14 hours before the item.
    assert ahead
    assert min(ahead.values()) >= began + (LIFE + (70 - 14 - 1) * HOUR) // MILLISECOND


def test_a_first_item_dated_ahead_lives_as_long_as_any(shared_redis, keys):
    # Nobody knows yet how far ahead it is.
    began = clock(shared_redis, keys)
    shared_redis.run(worker(shared_redis, keys).process([item("ahead", SAME, at=70)]))
    ahead = expiry(shared_redis, names(shared_redis, keys))
    assert min(ahead.values()) >= began + (LIFE + 70 * HOUR) // MILLISECOND


def test_a_span_with_too_little_time_left_for_what_comes_now_lives_anew(shared_redis):
    # As a release before has left those that began ahead of the stream.
    keys = shared_redis.keys(1024)
    served, meta = worker(shared_redis, keys), keys.fixed[0]
    shared_redis.run(served.process(hours(0, 2)))
    before, began = names(shared_redis, keys), clock(shared_redis, keys)
    (span,) = live(shared_redis, keys).decode().split(",")
    shared_redis.run(shared_redis.client.hset(meta, f"expires:{span}", began + 60_000))
    shared_redis.run(served.process(hours(2, 4)))
    new = expiry(shared_redis, sorted(set(names(shared_redis, keys)) - set(before)))
    assert min(new.values()) >= began + LIFE // MILLISECOND


def test_sets_that_are_filled_further_live_anew_with_their_span(shared_redis, keys):
    served, meta = worker(shared_redis, keys), keys.fixed[0]
    shared_redis.run(served.process([item("a", {1, 2, 3, 4, 5, 6})]))
    before, began = postings(shared_redis, keys), clock(shared_redis, keys)
    for name in names(shared_redis, keys):
        shared_redis.run(shared_redis.client.pexpireat(name, began + 600_000))
    (span,) = live(shared_redis, keys).decode().split(",")
    shared_redis.run(shared_redis.client.hset(meta, f"expires:{span}", began + 600_000))
    # So many that some come to the shard of the first one.
    others = [item(f"b{n}", {1, 2, 3, 9 * n + 7, 9 * n + 8}, at=1) for n in range(12)]
    shared_redis.run(served.process(others))
    after = postings(shared_redis, keys)
    grown = [name for name, members in after.items() if members != before.get(name)]
    assert set(grown) & set(before)
    assert min(expiry(shared_redis, grown).values()) >= began + LIFE // MILLISECOND


def test_dates_far_ahead_share_one_span(shared_redis, keys):
    served = worker(shared_redis, keys)
    shared_redis.run(served.process(hours(0, 2)))
    wild = [item(f"w{n}", {100 * n + i for i in range(6)}, at=1_000 * n) for n in range(1, 40)]
    near = [item(f"n{n}", {9_000 + 10 * n + i for i in range(6)}, at=2) for n in range(1, 40)]
    for one, other in zip(wild, near, strict=True):
        shared_redis.run(served.process([one, other]))
    copy = item("copy", {3_900 + i for i in range(6)}, at=39_001)
    outcome = shared_redis.run(served.process([copy]))
    assert originals(outcome.events) == {"copy": "w39"}
    assert len(live(shared_redis, keys).split(b",")) <= 4


def test_what_is_dated_far_ahead_adds_no_span_for_good(shared_redis, keys):
    served = worker(shared_redis, keys)
    shared_redis.run(served.process([*hours(0, 2), item("far", SAME, at=100_000)]))
    for hour in range(2, 400, 12):
        shared_redis.run(served.process(hours(hour, hour + 1)))
        assert len(live(shared_redis, keys).split(b",")) <= 5
    spans = [int(span) for span in live(shared_redis, keys).split(b",")]
    assert max(spans) <= 400 // 13


def test_a_story_far_ahead_that_goes_on_is_not_lost_with_the_span_in_which_it_began(
    shared_redis, keys
):
    served, story = worker(shared_redis, keys), []
    shared_redis.run(served.process(hours(0, 2)))
    for hour in range(2, 180, 12):
        # Each is earlier than those before, which are corrected.
        story.append(f"far{hour}")
        stream = [*hours(hour, hour + 1), item(story[-1], SAME, at=100_000 - len(story))]
        events = originals(shared_redis.run(served.process(stream)).events)
        assert {name: events.get(name) for name in story} == dict.fromkeys(story, story[-1])


def test_memory_is_reported_by_kind(shared_redis):
    keys = shared_redis.keys(1024)
    calls = Calls(shared_redis.client, home=keys.fixed[0])
    assert shared_redis.run(measure_memory(calls, keys)).items == 0
    shared_redis.run(worker(shared_redis, keys).process(hours(0, 10)))
    taken = shared_redis.run(measure_memory(calls, keys))
    assert taken.items == 30
    assert min(taken.postings, taken.verdicts) > 0
    assert 0 < taken.entries < 1_000 * taken.items
