"""Work per item over Redis grows with the window no faster than is known: counts, not times."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import pytest

from lab.growing_window import (
    CONSTANT,
    LINEAR,
    SQUARE_ROOT,
    TIMES,
    analyzed_stream,
    most,
    rule_named,
)
from laws.redis_shared import Shared, shared_engine
from newsdedup.core.moments import HOUR
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.shared.engine import SharedEngine
from servers.redis_server import RedisServer

BATCH = 32
"""One chunk of the engine: a look-up and a commit."""


class RedisWork(NamedTuple):
    """What an item caused in the mean."""

    postings: float
    """In the sets that were asked for leaders."""
    records: float
    """Leaders that were found."""
    round_trips: float
    """Calls of our functions."""
    bytes: float
    """That the server received and sent."""


class Counter:
    """Decides items over Redis and counts what that takes of the server."""

    def __init__(self, shared: Shared, redis: RedisServer, rule: str) -> None:
        self._shared = shared
        self._redis = redis
        chosen = rule_named(rule)
        store = shared.worker(shared.keys(sets=1024), chosen, life=300 * HOUR)
        self._engine: SharedEngine = shared_engine(rule=chosen, store=store)

    def judge(self, items: Sequence[Analyzed]) -> RedisWork:
        """Decide the items in batches; return the work per item."""
        calls, sent = self._calls(), self._bytes()
        costs = []
        for begin in range(0, len(items), BATCH):
            batch = items[begin : begin + BATCH]
            costs += self._shared.run(self._engine.process(batch)).search_costs
        return RedisWork(
            fmean(cost.postings for cost in costs),
            fmean(cost.candidates for cost in costs),
            (self._calls() - calls) / len(items),
            (self._bytes() - sent) / len(items),
        )

    def _calls(self) -> int:
        return int(self._redis.info("commandstats").get("cmdstat_fcall", {"calls": 0})["calls"])

    def _bytes(self) -> int:
        stats = self._redis.info("stats")
        return int(stats["total_net_input_bytes"] + stats["total_net_output_bytes"])


@pytest.mark.parametrize("rule", ["terms", "verified"])
def test_work_per_item_over_redis_grows_no_faster_than_the_window_allows(
    rule: str,
    shared_alone: Shared,
    redis: RedisServer,
) -> None:
    """Each kind of work has its power of the window.

    Postings and leaders found: linear, as in memory. Round trips: constant, for all look-ups of a
    chunk go together with what they find. Bytes: an item, its record and its event are constant,
    and the records that it finds are those that the worker has written; of each it is told length
    and stamp.
    """
    items = analyzed_stream()
    counter = Counter(shared_alone, redis, rule)
    filled, part = len(items) // TIMES, len(items) // TIMES // 4
    counter.judge(items[: filled - part])
    small = counter.judge(items[filled - part : filled])
    counter.judge(items[filled:-filled])
    large = counter.judge(items[-filled:])
    growth = RedisWork(*(after / before for after, before in zip(large, small, strict=True)))
    assert growth.postings < most(LINEAR)
    assert growth.records < most(LINEAR)
    assert growth.round_trips < most(CONSTANT)
    assert growth.bytes < most(SQUARE_ROOT)
    assert large.round_trips < 4 / BATCH, "a batch is looked up and committed at once"
