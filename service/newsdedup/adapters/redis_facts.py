"""What a Redis says of itself, as far as a worker must rely on it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from newsdedup.adapters.redis_calls import Calls
from newsdedup.adapters.redis_keys import Keys

Said = Mapping[str, str]


class RedisFacts(NamedTuple):
    """A server, or of a cluster the node that holds the namespace's meta data."""

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
        first = self.version.partition(".")[0]
        return int(first) if first.isdigit() else 0


async def redis_facts(calls: Calls, namespace: str) -> RedisFacts:
    """Return what a server says; raise Unavailable or StateUnusable if it says nothing."""
    server = info(await calls.command("INFO", "server"))
    memory = info(await calls.command("INFO", "memory"))
    stored = info(await calls.command("INFO", "persistence"))
    made_by = await calls.command("HGET", Keys(namespace, 1).fixed[0], "made_by")
    return RedisFacts(
        version=server.get("redis_version", ""),
        policy=memory.get("maxmemory_policy", ""),
        memory_limit=int(memory.get("maxmemory") or 0),
        appends=stored.get("aof_enabled") == "1",
        made_by=(made_by or b"").decode(),
    )


def info(answer: Any) -> Said:
    """Return the fields of an answer to INFO, which the client reads or leaves as it came."""
    if isinstance(answer, Mapping):
        return {str(name): str(value) for name, value in answer.items()}
    lines = bytes(answer).decode().splitlines()
    pairs = (line.partition(":") for line in lines if ":" in line)
    return {name: value for name, _, value in pairs}
