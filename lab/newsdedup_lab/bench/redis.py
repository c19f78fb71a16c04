"""Speed of the index in Redis, compared with datasketch's index in the same server."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from time import perf_counter
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

from newsdedup.adapters.redis.inspection import measure_memory
from newsdedup.adapters.redis.keys import base36
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.bootstrap.workers import namespace_session, shared_engine
from newsdedup.config import Settings
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.collector import collector_paused
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.bench.own_servers import delete_namespace
from newsdedup_lab.bench.peers import PeerChoice
from newsdedup_lab.bench.quantiles import quantile
from newsdedup_lab.bench.redis_growth import (
    MEMORY_SAMPLE,
    bytes_per_item,
    judging_rate,
    look_up_times,
    redis_growth,
)
from newsdedup_lab.bench.redis_peer import RedisPeer, sketch_items
from newsdedup_lab.bench.repeats import repeat_measurement
from newsdedup_lab.bench.stage_rates import ReportStage
from newsdedup_lab.collections.items import Collection

_PEER: Final = "datasketch"
"""The only peer that has a storage in Redis."""
_PEER_ITEMS = 1_000
_TIMED_LOOK_UPS = 2_000
"""Look-ups that are timed, one at a time."""
_NAME_PREFIX: Final = "~"
"""What the names of measured namespaces begin with, so that they are nobody else's."""


def bench_redis(
    collection: Collection,
    settings: Settings,
    *,
    growth: Sequence[int] = (),
    peers: PeerChoice,
    repeats: int = 1,
    say: ReportStage,
) -> dict[str, object]:
    """Return rates, look-up times and memory of the index in Redis, and rates of datasketch there.

    Analysis is not timed: the engine is given signatures, and looks up, decides and stores each
    item with its events; datasketch, if it is among the peers, is given sketches, and is queried
    and then filled. The window is widened to the span of the collection. Each repeat measures all
    of that; the result has the medians. With sizes in `growth` the index is also measured with so
    many items, once. The measurements use a random namespace, which is deleted at the end.
    """
    say(f"analyzing {len(collection.items):,} items")
    analyzer = item_analyzer(settings)
    pairs = zip(collection.items, collection.received, strict=True)
    with collector_paused():
        arrivals = [analyzer.analyze(item, received) for item, received in pairs]
    own = replace(
        in_own_namespace(settings),
        rule=replace(settings.rule, window=max(settings.rule.window, window_of(collection))),
    )
    sketches = None
    if _PEER in peers.present:
        say("sketching for datasketch")
        sketches = sketch_items(collection.items[:_PEER_ITEMS])
    result = repeat_measurement(
        lambda: asyncio.run(_measure(own, arrivals, sketches, say=say)), repeats=repeats
    )
    result["peers_absent"] = [name for name in peers.absent if name == _PEER]
    if growth:
        result["growth"] = asyncio.run(_measure_growth(own, arrivals, sorted(growth), say=say))
    return result


def in_own_namespace(settings: Settings) -> Settings:
    """Return the settings with a random namespace as long as theirs: every key repeats its name."""
    name = _NAME_PREFIX + base36(uuid4().int)[1 : max(4, len(settings.redis.namespace))]
    return replace(settings, redis=replace(settings.redis, namespace=name))


def window_of(collection: Collection) -> timedelta:
    """Return the span of the publication times and a day more; 0 if no item is dated.

    With this window no item of the collection expires; the peer expires none either.
    """
    days = [item.published_at for item in collection.items if item.published_at is not None]
    return max(days) - min(days) + timedelta(days=1) if days else timedelta(0)


async def _measure(
    settings: Settings,
    arrivals: Sequence[Analyzed],
    sketches: Sequence[Any] | None,
    *,
    say: ReportStage,
) -> dict[str, object]:
    """Measure the index with all items, then datasketch with its sketches, if there are any.

    Return rates in items per second, look-up times in milliseconds, and bytes per item. The
    namespace is deleted at the end, also after an error.
    """
    async with namespace_session(settings) as opened:
        engine = shared_engine(settings, opened)
        try:
            say("the index in Redis")
            rate = await judging_rate(engine, arrivals)
            say("look-ups, one at a time")
            times = await look_up_times(engine, arrivals[-_TIMED_LOOK_UPS:])
            memory = await measure_memory(opened.calls, opened.keys, sample=MEMORY_SAMPLE)
            peers = {} if sketches is None else _measure_peer(settings, sketches, say=say)
        finally:
            await delete_namespace(opened.calls, settings.redis.namespace)
    return {
        "items": len(arrivals),
        "rule": settings.rule.name,
        "redis": round(rate, 1),
        "peers": {name: round(peer.rate, 1) for name, peer in peers.items()},
        "peer_found": {name: peer.candidates for name, peer in peers.items()},
        "peer_items": len(sketches or ()),
        "ratios": {f"redis_vs_{name}": round(rate / peer.rate, 2) for name, peer in peers.items()},
        "p50_ms": quantile(times, 0.5),
        "p99_ms": quantile(times, 0.99),
        "bytes_per_item": round(sum(bytes_per_item(memory).values()), 1),
        "bytes": bytes_per_item(memory),
        "kept": memory.items,
    }


async def _measure_growth(
    settings: Settings, arrivals: Sequence[Analyzed], sizes: Sequence[int], *, say: ReportStage
) -> list[dict[str, object]]:
    """Return the list of measurements that `redis_growth` yields; pass each to `say`, too."""
    grown = []
    say(f"the index in Redis with up to {sizes[-1]:,} items")
    async for measurements in redis_growth(settings, arrivals, sizes):
        say(f"{measurements}")
        grown.append(measurements)
    return grown


class PeerResult(NamedTuple):
    """Items per second of the peer, and for how many it found a candidate."""

    rate: float
    candidates: int


def _measure_peer(
    settings: Settings, sketches: Sequence[Any], *, say: ReportStage
) -> dict[str, PeerResult]:
    """Query and insert the sketches in a RedisPeer, one by one and in one session; return both.

    Raise SettingsInvalid if the settings name a cluster, TLS or a user, which are not supported
    here.
    """
    address = urlsplit(settings.redis.url)
    if settings.redis.cluster or address.scheme != "redis" or settings.redis.username:
        raise SettingsInvalid("bench --redis needs a Redis of its own, without TLS and users")
    say(f"datasketch over Redis, {len(sketches):,} items")
    results = {}
    for way in ("datasketch_redis", "datasketch_redis_buffered"):
        name = f"{settings.redis.namespace}-{way}"
        peer = RedisPeer(address.hostname or "", address.port or 6379, name=name)
        insert = peer.buffered if way.endswith("buffered") else peer.one_by_one
        try:
            began = perf_counter()
            found = insert(sketches)
            results[way] = PeerResult(len(sketches) / (perf_counter() - began), found)
        finally:
            peer.close()
    return results
