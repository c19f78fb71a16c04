"""Checks of the Redis servers for `newsdedup doctor`."""

from collections.abc import Mapping
from time import time
from typing import Any, Final, NamedTuple

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys

_Info = Mapping[str, str]
_SECTIONS: Final = ("server", "memory", "persistence")
_LAST_WRITES: Final = ("aof_last_write_status", "rdb_last_bgsave_status")
_SAFE_POLICY: Final = "noeviction"
"""The only eviction policy under which a full server drops no verdicts."""


class RedisFacts(NamedTuple):
    """Settings of a server, or the worst ones among the nodes that hold the namespace."""

    version: str
    policy: str
    """The eviction policy when memory is full."""
    memory_limit: int
    appends: bool
    """Whether the append-only file (AOF) is on."""
    made_by: str
    """The settings with which the namespace was created; empty if there is none."""
    format: str = ""
    """The format of the namespace, as its number; empty if there is none."""
    saves: bool = True
    """Whether the last writing to its disk went well, of the log or of a snapshot."""
    ahead_seconds: float = 0.0
    """How far the clock of the server is ahead of ours, to the time that an answer takes."""

    @property
    def major(self) -> int:
        """Return the major version."""
        return _major(self.version)


async def inspect_redis(calls: Calls, keys: Keys) -> RedisFacts:
    """Return the settings of the server; of several, as shards may have, the worst of each.

    Raise Unavailable or StateUnusable if one gives no answer.
    """
    shards = [keys.of_shard(shard) for shard in range(keys.shards) if keys.shards > 1]
    homes = [keys.fixed[0], *(each.fixed[0] for each in shards)]
    nodes = [await _read_info(calls.at(home)) for home in homes]
    made_by, written = await calls.command("HMGET", keys.fixed[0], "made_by", "format")
    limits = [int(node.get("maxmemory") or 0) for node in nodes]
    policies = sorted({node.get("maxmemory_policy", "") for node in nodes} - {_SAFE_POLICY})
    return RedisFacts(
        version=min((node.get("redis_version", "") for node in nodes), key=_major),
        policy=policies[0] if policies else _SAFE_POLICY,
        memory_limit=min((limit for limit in limits if limit), default=0),
        appends=all(node.get("aof_enabled") == "1" for node in nodes),
        made_by=(made_by or b"").decode(),
        format=(written or b"").decode(),
        saves=all(node.get(name) == "ok" for node in nodes for name in _LAST_WRITES),
        ahead_seconds=await _read_clock(calls),
    )


async def _read_clock(calls: Calls) -> float:
    """Return how many seconds the server's clock is ahead of ours."""
    asked = time()
    seconds, micros = await calls.command("TIME")
    return int(seconds) + int(micros) / 1e6 - (asked + time()) / 2


async def _read_info(calls: Calls) -> _Info:
    """Return the fields of INFO about server, memory and persistence."""
    fields: dict[str, str] = {}
    for name in _SECTIONS:
        fields |= _parse_info(await calls.command("INFO", name))
    return fields


def _major(version: str) -> int:
    """Return the first number of a version, 0 if it begins with none."""
    first = version.partition(".")[0]
    return int(first) if first.isdigit() else 0


def _parse_info(answer: Any) -> _Info:
    """Return the fields of an answer to INFO, which the cluster client leaves as bytes."""
    if isinstance(answer, Mapping):
        return {str(name): str(value) for name, value in answer.items()}
    lines = bytes(answer).decode().splitlines()
    pairs = (line.partition(":") for line in lines if ":" in line)
    return {name: value for name, _, value in pairs}
