"""Checks of the Redis servers for `newsdedup doctor`; memory of servers and namespaces."""

from collections.abc import Iterable, Mapping
from time import time
from typing import Any, Final, NamedTuple

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import ROLES, Keys
from newsdedup.adapters.redis.spans import split_spans
from newsdedup.ports.errors import Unavailable

_Info = Mapping[str, str]
_SECTIONS: Final = ("server", "memory", "persistence")
_LAST_WRITES: Final = ("aof_last_write_status", "rdb_last_bgsave_status")
_SAMPLED_SETS: Final = 64
"""How many sets of a role and span are measured; the others are assumed to have their mean size."""
_SAFE_POLICY: Final = "noeviction"
"""The only eviction policy under which a full server drops no verdicts."""


class RedisMemory(NamedTuple):
    """The memory of a server; of several, of the one that is nearest to its limit."""

    policy: str = _SAFE_POLICY
    """The eviction policy when memory is full: one that evicts, if any of them does."""
    limit: int = 0
    """maxmemory in bytes; 0 for none."""
    used: int = 0
    """Bytes that count towards the limit: without buffers of replicas and the append-only file."""

    @property
    def full(self) -> float:
        """Return the used share of the limit; 0 without a limit."""
        return self.used / self.limit if self.limit else 0.0

    @property
    def evicts(self) -> bool:
        """Return whether a server drops keys when its memory is full."""
        return self.policy != _SAFE_POLICY


class RedisFacts(NamedTuple):
    """Settings of a server, or the worst ones among the nodes that hold the namespace."""

    version: str
    memory: RedisMemory
    appends: bool
    """Whether the append-only file (AOF) is on."""
    saves: bool = True
    """Whether the last writing to its disk went well, of the log or of a snapshot."""
    ahead_seconds: float = 0.0
    """How far the clock of the server is ahead of ours, to the time that an answer takes."""
    refusal: str = ""
    """Why a server takes no writes, as a replica or one that lacks replicas; empty if all do."""

    @property
    def major(self) -> int:
        """Return the first number of the version, 0 if it begins with none."""
        return _major(self.version)


async def inspect_redis(calls: Calls, keys: Keys) -> RedisFacts:
    """Return the settings of the server; of several, as shards may have, the worst of each.

    Raise Unavailable or StateUnusable if one gives no answer.
    """
    nodes = [await _read_info(calls.at(home), *_SECTIONS) for home in homes_of(keys)]
    return RedisFacts(
        version=min((node.get("redis_version", "") for node in nodes), key=_major),
        memory=_worst_memory(nodes),
        appends=all(node.get("aof_enabled") == "1" for node in nodes),
        saves=all(node.get(name) == "ok" for node in nodes for name in _LAST_WRITES),
        ahead_seconds=await read_redis_clock(calls),
        refusal=next(
            filter(None, [await _refusal(calls.at(home), home) for home in homes_of(keys)]), ""
        ),
    )


async def _refusal(calls: Calls, home: str) -> str:
    """Return why the server of a key takes no writes, "" if it does; nothing is written."""
    try:
        await calls.command("UNLINK", f"{home}:doctor")
    except Unavailable as error:
        return str(error)
    return ""


async def inspect_memory(calls: Calls, keys: Keys) -> RedisMemory:
    """Return the memory of the servers that hold a namespace.

    Raise Unavailable if one gives no answer, StateUnusable if this user may not run INFO.
    """
    return _worst_memory([await _read_info(calls.at(home), "memory") for home in homes_of(keys)])


async def read_redis_clock(calls: Calls) -> float:
    """Return how many seconds the server's clock is ahead of ours; negative if it is behind."""
    before = time()
    seconds, micros = await calls.command("TIME")
    return int(seconds) + int(micros) / 1e6 - (before + time()) / 2


def homes_of(keys: Keys) -> list[str]:
    """Return a key in each hash slot of a namespace: that of home, and those of its shards."""
    shards = range(keys.shards) if keys.shards > 1 else ()
    return [keys.fixed[0], *(keys.of_shard(shard).fixed[0] for shard in shards)]


def _worst_memory(nodes: Iterable[_Info]) -> RedisMemory:
    """Return the memory of the fullest node, with an eviction policy that evicts if one does."""
    memories = [
        RedisMemory(
            node.get("maxmemory_policy", ""),
            int(node.get("maxmemory") or 0),
            int(node.get("used_memory") or 0) - int(node.get("mem_not_counted_for_evict") or 0),
        )
        for node in nodes
    ]
    fullest = max(memories, key=lambda one: (one.full, one.limit > 0, -one.limit))
    evicting = sorted(one.policy for one in memories if one.evicts)
    return fullest._replace(policy=evicting[0] if evicting else _SAFE_POLICY)


async def _read_info(calls: Calls, *sections: str) -> _Info:
    """Return the fields of some sections of INFO, whose answer the cluster client leaves bytes."""
    answer: Any = await calls.command("INFO", *sections)
    if not isinstance(answer, Mapping):
        lines = bytes(answer).decode().splitlines()
        answer = dict(line.split(":", 1) for line in lines if ":" in line)
    return {str(field): str(value) for field, value in answer.items()}


def _major(version: str) -> int:
    """Return the first number of a version, 0 if it is none."""
    first = version.partition(".")[0]
    return int(first) if first.isdigit() else 0


class NamespaceMemory(NamedTuple):
    """The number of items in a namespace, and the bytes of its keys by kind (MEMORY USAGE)."""

    items: int
    postings: int
    entries: int
    """Records and the directory of their items."""
    verdicts: int
    """Received items and published verdicts."""
    rest: int
    """Log, outbox and meta data, whose size does not depend on the window."""


async def measure_memory(
    calls: Calls, keys: Keys, *, sample: int = _SAMPLED_SETS
) -> NamespaceMemory:
    """Return the memory of a namespace, estimated from `sample` sets of each role and span.

    Raise Unavailable or StateUnusable if a server gives no answer.
    """
    live = split_spans((await calls.command("HGET", keys.fixed[0], "live") or b"").decode())
    rest = sum([await _measure_key(calls, key) for key in (*keys.fixed, *keys.pending)])
    parts = [(calls, keys)]
    if keys.shards > 1:
        shards = [keys.of_shard(shard) for shard in range(keys.shards)]
        parts = [(calls.at(one.fixed[0]), one) for one in shards]
        rest += sum([await _measure_key(at, key) for at, one in parts for key in one.fixed[:2]])
    items = postings = entries = verdicts = 0
    for at, one in parts:
        for span in live:
            records, directory, rows = one.span_hashes(span)
            items += int(await at.command("HLEN", records))
            postings += await _measure_postings(at, one, span, sample)
            entries += await _measure_key(at, records) + await _measure_key(at, directory)
            verdicts += await _measure_key(at, rows)
    return NamespaceMemory(items, postings, entries, verdicts, rest)


async def _measure_postings(calls: Calls, keys: Keys, span: int, sample: int) -> int:
    """Return the bytes of a span's sets, estimated from about `sample` sets of each role."""
    postings = 0
    for role in ROLES:
        count = keys.sets_of(role)
        slots = range(0, count, max(1, count // sample))
        sizes = [await _measure_key(calls, name) for name in keys.set_names(role, span, slots)]
        postings += sum(sizes) * count // len(slots)
    return postings


async def _measure_key(calls: Calls, key: str) -> int:
    """Return the bytes of a key as Redis estimates them, 0 if it does not exist."""
    answer: Any = await calls.command("MEMORY", "USAGE", key, "SAMPLES", _SAMPLED_SETS)
    return int(answer or 0)
