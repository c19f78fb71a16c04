"""What Redis and the broker have done, from INFO of Redis and from /proc."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from redis.asyncio import RedisCluster

from newsdedup.adapters.redis.calls import Client
from newsdedup.bootstrap.workers import redis_client
from newsdedup.config import Settings
from newsdedup_lab.bench.processor_time import find_listener, processor_seconds


class ServerCosts(NamedTuple):
    """Sums since the servers were started, over the masters of a Redis Cluster."""

    redis_seconds: tuple[float, ...]
    """Processor seconds of each master."""
    redis_input: int
    """Bytes that Redis received; what replicas exchange does not count."""
    redis_output: int
    calls: int
    """Calls of functions in Redis: look-ups, commits, acknowledgements."""
    memory: int
    """Bytes in use now."""
    broker_seconds: float | None
    """Processor seconds of the broker; None if it does not run on this machine."""

    def since(self, earlier: "ServerCosts") -> "ServerCosts":
        """Return the costs since earlier ones; `memory` is what has been added."""
        pairs = zip(self.redis_seconds, earlier.redis_seconds, strict=True)
        broker = None
        if self.broker_seconds is not None and earlier.broker_seconds is not None:
            broker = self.broker_seconds - earlier.broker_seconds
        return ServerCosts(
            tuple(now - before for now, before in pairs),
            self.redis_input - earlier.redis_input,
            self.redis_output - earlier.redis_output,
            self.calls - earlier.calls,
            self.memory - earlier.memory,
            broker,
        )


class ServerMeter:
    """Reads the costs of the servers that settings name."""

    def __init__(self, settings: Settings) -> None:
        self._redis = redis_client(settings)
        port = settings.kafka.servers.partition(",")[0].rpartition(":")[2]
        self._broker = find_listener(int(port)) if port.isdecimal() else None

    async def read(self) -> ServerCosts:
        """Return the costs until now; raise RedisError if Redis does not answer."""
        nodes = await _info(self._redis)
        return ServerCosts(
            tuple(node["used_cpu_sys"] + node["used_cpu_user"] for node in nodes),
            sum(node["total_net_input_bytes"] - _replicated(node, "input") for node in nodes),
            sum(node["total_net_output_bytes"] - _replicated(node, "output") for node in nodes),
            sum(_calls(node) for node in nodes),
            sum(node["used_memory"] for node in nodes),
            None if self._broker is None else processor_seconds(self._broker),
        )

    async def aclose(self) -> None:
        """Close the connection."""
        await self._redis.aclose()


async def _info(client: Client) -> list[dict[str, Any]]:
    """Return the values of INFO of the server, or of each master of the cluster in one order."""
    if isinstance(client, RedisCluster):
        answers = await client.info("everything", target_nodes=RedisCluster.PRIMARIES)
        return [answers[name] for name in sorted(answers)]
    return [await client.info("everything")]


def _replicated(node: Mapping[str, Any], way: str) -> int:
    """Return the bytes of replication; 0 for a Redis that does not count them."""
    return int(node.get(f"total_net_repl_{way}_bytes", 0))


def _calls(node: Mapping[str, Any]) -> int:
    """Return how often functions were called."""
    names = ("cmdstat_fcall", "cmdstat_fcall_ro")
    return sum(int(node[name]["calls"]) for name in names if name in node)
