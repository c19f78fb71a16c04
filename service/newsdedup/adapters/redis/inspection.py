"""What a Redis says of itself, as far as a worker must rely on it."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys

_Info = Mapping[str, str]
_SECTIONS: Final = ("server", "memory", "persistence")
_SAFE_POLICY: Final = "noeviction"
"""The only policy that drops no verdicts when the memory is full."""


class RedisFacts(NamedTuple):
    """A server, or of a cluster the nodes that hold the namespace."""

    version: str
    policy: str
    """What it does when its memory is full."""
    memory_limit: int
    appends: bool
    """Whether it writes down every change (AOF)."""
    made_by: str
    """By which settings the namespace was made; empty if there is none yet."""

    @property
    def major(self) -> int:
        """Return the first number of its version."""
        return _major(self.version)


async def inspect_redis(calls: Calls, keys: Keys) -> RedisFacts:
    """Return what a server says; of several that hold shards what is worst.

    Raise Unavailable or StateUnusable if one says nothing.
    """
    shards = [keys.of_shard(shard) for shard in range(keys.shards) if keys.shards > 1]
    homes = [keys.fixed[0], *(each.fixed[0] for each in shards)]
    nodes = [await _node(calls.at(home)) for home in homes]
    made_by = await calls.command("HGET", keys.fixed[0], "made_by")
    limits = [int(node.get("maxmemory") or 0) for node in nodes]
    policies = sorted({node.get("maxmemory_policy", "") for node in nodes} - {_SAFE_POLICY})
    return RedisFacts(
        version=min((node.get("redis_version", "") for node in nodes), key=_major),
        policy=policies[0] if policies else _SAFE_POLICY,
        memory_limit=min((limit for limit in limits if limit), default=0),
        appends=all(node.get("aof_enabled") == "1" for node in nodes),
        made_by=(made_by or b"").decode(),
    )


async def _node(calls: Calls) -> _Info:
    sections = [_parse_info(await calls.command("INFO", name)) for name in _SECTIONS]
    return {name: value for said in sections for name, value in said.items()}


def _major(version: str) -> int:
    first = version.partition(".")[0]
    return int(first) if first.isdigit() else 0


def _parse_info(answer: Any) -> _Info:
    """Return the fields of an answer to INFO, which the client reads or leaves as it came."""
    if isinstance(answer, Mapping):
        return {str(name): str(value) for name, value in answer.items()}
    lines = bytes(answer).decode().splitlines()
    pairs = (line.partition(":") for line in lines if ":" in line)
    return {name: value for name, _, value in pairs}
