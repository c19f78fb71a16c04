"""The partition clocks of a namespace: one hash that all its workers write and read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.core.model import Micros


@dataclass(frozen=True, slots=True)
class PartitionClock:
    """How far a partition is in event time."""

    low: Micros | None = None
    """All that is earlier is judged; None if nothing is known of what waits in the partition."""
    waits: bool = True
    """Whether records wait in it; False once it is read to its end and all of it is judged."""


UNKNOWN: Final = PartitionClock()


class ReportedClock(NamedTuple):
    """The clock that a worker reported last, and how many seconds ago by the server's clock."""

    clock: PartitionClock
    age: float


class RedisClocks:
    """The clocks of all partitions, each with the server's time at which it was reported.

    Law, checked by tests/laws/test_shared_clocks.py: what was reported last of a partition is seen
    by all workers of the namespace from then on, with its age.
    """

    def __init__(self, calls: Calls, keys: Keys) -> None:
        self._calls = calls
        self._key = keys.clocks

    async def exchange(self, own: Mapping[str, PartitionClock]) -> dict[str, ReportedClock]:
        """Report the clocks of own partitions, by name, and return those of all, in one step.

        Raise Unavailable if the server does not answer.
        """
        parts = [part for name, clock in own.items() for part in (name, _encode(clock))]
        now, flat = await self._calls.function("exchange_clocks", [self._key], parts)
        fields = zip(flat[::2], flat[1::2], strict=True)
        return {name.decode(): _decode(value.decode(), int(now)) for name, value in fields}


def _encode(clock: PartitionClock) -> str:
    """Return "TIME:STATE" of a clock; the server puts the milliseconds before it."""
    low = "" if clock.low is None else str(clock.low)
    return f"{low}:{'waits' if clock.waits else 'end'}"


def _decode(value: str, now_ms: int) -> ReportedClock:
    """Return the clock in "MILLISECONDS:TIME:STATE", with its age in seconds at `now_ms`."""
    stored_ms, low, state = value.split(":")
    clock = PartitionClock(int(low) if low else None, waits=state == "waits")
    return ReportedClock(clock, max(0, now_ms - int(stored_ms)) / 1000)
