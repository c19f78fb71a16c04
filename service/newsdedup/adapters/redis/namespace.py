"""A namespace in Redis: opening it, its eras, its stored offsets, partition clocks and counts.

A server that was restarted, or promoted from a replica, may have lost writes whose events are
published: its functions answer ASLEEP until a worker begins a new era, with a new generation. Law:
no worker follows an era whose generation it has seen in another era, as workers may have published
revisions of that generation which the server has lost.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import uuid4

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import (
    NEWEST_FORMAT,
    UPGRADES,
    Keys,
    readable_format,
    sets_per_span,
)
from newsdedup.core.model import Micros
from newsdedup.ports.errors import StateUnusable

_INCARNATION_CHARS: Final = 8
_LATE_SECONDS: Final = 7 * 86_400
"""How long the counts of late items are kept after the last one."""


class LateItems(NamedTuple):
    """Where late items were read, and how late they were: "lateness" or "window"."""

    topic: str
    partition: str
    reason: str


class OpenNamespace(NamedTuple):
    """A namespace that `open_namespace` has found or made."""

    keys: Keys
    born: str
    """A random id set on creation; another one if the server has lost the namespace since."""


async def open_namespace(
    calls: Calls,
    namespace: str,
    *,
    made_by: str,
    items_per_window: int = 500_000,
    shards: int = 1,
    create: bool = True,
) -> OpenNamespace:
    """Load our functions and return a namespace, created if it does not exist.

    Raise StateUnusable if it was created with another format or other settings (`made_by`, which
    must include the number of shards): verdicts would not be consistent. Raise it, too, without
    `create` if it does not exist.
    """
    await calls.load()
    meta = Keys(namespace, 1).fixed[0]
    if not create and not await calls.command("HLEN", meta):
        raise StateUnusable(f"redis namespace {namespace!r} does not exist: no worker has made it")
    # A span is two thirds of a window.
    wanted = {
        "format": NEWEST_FORMAT.number,
        "made_by": made_by,
        "sets": str(sets_per_span(items_per_window * 2 // 3 // shards)),
        "born": uuid4().hex,
    }
    for name, value in wanted.items():
        await calls.command("HSETNX", meta, name, value)
    values = [value.decode() for value in await calls.command("HMGET", meta, *wanted)]
    stored_format, stored_made_by, sets, born = values
    written = readable_format(namespace, stored_format)
    if stored_made_by != made_by:
        raise StateUnusable(
            f"redis namespace {namespace!r} was made with other settings:\n"
            f"  then: {stored_made_by}\n  now:  {made_by}\n"
            "use the settings of then, or stop its workers and restore it as another namespace by "
            "`newsdedup rebuild --namespace NEW`"
        )
    incarnation = "" if shards == 1 else born[:_INCARNATION_CHARS]
    return OpenNamespace(Keys(namespace, int(sets), shards, incarnation, format=written), born)


async def upgrade_namespace(calls: Calls, namespace: str) -> tuple[str, str]:
    """Raise the format of a namespace as far as it can be in place; return its format before, now.

    Workers that start later write in the new format; workers of a release that does not know it
    refuse the namespace, and those that are running stop at the first value that is written in it.
    Raise StateUnusable if there is no such namespace, or its format is not readable.
    """
    meta = Keys(namespace, 1).fixed[0]
    stored = await calls.command("HGET", meta, "format")
    if stored is None:
        raise StateUnusable(f"redis namespace {namespace!r} does not exist: no worker has made it")
    before = readable_format(namespace, stored.decode()).number
    now = UPGRADES.get(before, before)
    if now != before:
        await calls.command("HSET", meta, "format", now)
    return before, now


async def begin_generation(calls: Calls, keys: Keys, *, after: int = 0) -> int:
    """Store and return a new generation, larger than the stored one and than `after`.

    The revisions of its events are then larger than all earlier ones; `after` is the largest
    generation in published events, for a server that lost its own. Read and write are two
    commands: no other worker may begin a generation meanwhile.
    """
    meta = keys.fixed[0]
    number = max(int(await calls.command("HGET", meta, "generation") or 0), after) + 1
    await calls.command("HSET", meta, "generation", number)
    return number


async def stored_positions(calls: Calls, keys: Keys) -> dict[str, int]:
    """Return the input offsets that workers stored, by "TOPIC/PARTITION"; or raise Unavailable."""
    stored: dict[bytes, bytes] = await calls.command("HGETALL", keys.fixed[3])
    return {name.decode(): int(value) for name, value in stored.items()}


async def count_late(calls: Calls, keys: Keys, counts: Mapping[LateItems, int]) -> None:
    """Add to the counts of items that came too late, which workers of a namespace keep together.

    A batch that is repeated counts again. Raise Unavailable if the server does not answer.
    """
    for items, count in counts.items():
        await calls.command("HINCRBY", keys.late, " ".join(items), count)
    await calls.command("EXPIRE", keys.late, _LATE_SECONDS)


async def late_counts(calls: Calls, keys: Keys) -> dict[LateItems, int]:
    """Return the counts of items that came too late; none once none has come for a week."""
    stored: dict[bytes, bytes] = await calls.command("HGETALL", keys.late)
    return {LateItems(*name.decode().rsplit(" ", 2)): int(n) for name, n in stored.items()}


async def reset_positions(calls: Calls, keys: Keys, names: Collection[str]) -> None:
    """Set the stored offsets of these "TOPIC/PARTITION" to 0, or raise Unavailable."""
    if names:
        fields = [field for name in names for field in (name, 0)]
        await calls.command("HSET", keys.fixed[3], *fields)


class Era(NamedTuple):
    """The unique name of an era, and its generation."""

    name: str
    generation: int


NO_ERA: Final = Era("", -1)
"""Stands for no era: the worker has seen none yet."""


async def begin_era(calls: Calls, keys: Keys, *, after: Era) -> None:
    """Begin an era of a later generation than `after`, unless another worker already has."""
    await calls.function("begin_era", keys.fixed[:1], [uuid4().hex, after.generation, after.name])


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
        parts: list[str] = []
        for name, clock in own.items():
            # "TIME:STATE"; the server puts the milliseconds before it.
            low = "" if clock.low is None else clock.low
            parts += [name, f"{low}:{'waits' if clock.waits else 'end'}"]
        now, flat = await self._calls.function("exchange_clocks", [self._key], parts)
        fields = zip(flat[::2], flat[1::2], strict=True)
        return {name.decode(): _decode(value.decode(), int(now)) for name, value in fields}


def _decode(value: str, now_ms: int) -> ReportedClock:
    """Return the clock in "MILLISECONDS:TIME:STATE", with its age in seconds at `now_ms`."""
    stored_ms, low, state = value.split(":")
    clock = PartitionClock(int(low) if low else None, waits=state == "waits")
    return ReportedClock(clock, max(0, now_ms - int(stored_ms)) / 1000)
