"""The laws of RedisClocks, on one Redis and on a cluster of shards."""

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.namespace import PartitionClock, RedisClocks

AT = PartitionClock(1_700_000_000_000_000)


def test_what_was_reported_last_of_a_partition_is_seen_by_every_worker(laid_out):
    keys = laid_out.keys()
    one, other = (RedisClocks(Calls(laid_out.client, home=keys.fixed[0]), keys) for _ in "ab")
    assert laid_out.run(one.exchange({})) == {}
    laid_out.run(one.exchange({"news/0": PartitionClock(), "news/1": AT}))
    ended = PartitionClock(AT.low, waits=False)
    seen = laid_out.run(other.exchange({"news/1": ended}))
    assert {name: reported.clock for name, reported in seen.items()} == {
        "news/0": PartitionClock(),
        "news/1": ended,
    }
    assert laid_out.run(one.exchange({}))["news/1"].clock == ended


def test_the_age_of_a_report_grows_by_the_clock_of_the_server(laid_out):
    keys = laid_out.keys()
    clocks = RedisClocks(Calls(laid_out.client, home=keys.fixed[0]), keys)
    ages = [laid_out.run(clocks.exchange({"news/0": AT}))["news/0"].age]
    while ages[-1] <= 0.02:
        ages.append(laid_out.run(clocks.exchange({}))["news/0"].age)
    assert ages == sorted(ages)
    assert laid_out.run(clocks.exchange({"news/0": AT}))["news/0"].age <= ages[-1]
