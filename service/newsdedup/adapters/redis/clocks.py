"""The partition clocks of a namespace: one hash that all its workers write and read."""

from collections.abc import Mapping

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.ports.partition_clocks import PartitionClock, ReportedClock


class RedisClocks:
    """SharedClocks in Redis; the server adds its time to each clock that it stores."""

    def __init__(self, calls: Calls, keys: Keys) -> None:
        self._calls = calls
        self._key = keys.clocks

    async def exchange(self, own: Mapping[str, PartitionClock]) -> dict[str, ReportedClock]:
        """Store own clocks and return those of all workers by partition, in one step."""
        parts = [part for name, clock in own.items() for part in (name, _encode(clock))]
        now, flat = await self._calls.function("exchange_clocks", [self._key], parts)
        fields = zip(flat[::2], flat[1::2], strict=True)
        return {name.decode(): _decode(value.decode(), int(now)) for name, value in fields}


def _encode(clock: PartitionClock) -> str:
    low = "" if clock.low is None else str(clock.low)
    return f"{low}:{'waits' if clock.waits else 'end'}"


def _decode(value: str, now_ms: int) -> ReportedClock:
    """Return a clock as it is stored: when in milliseconds, its time, and whether records wait."""
    stored_ms, low, state = value.split(":")
    clock = PartitionClock(int(low) if low else None, waits=state == "waits")
    return ReportedClock(clock, max(0, now_ms - int(stored_ms)) / 1000)
