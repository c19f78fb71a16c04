"""A namespace in Redis: opening it, its eras, its stored offsets, clocks and counts, its memory.

A server that was restarted, or promoted from a replica, may have lost writes whose events are
published: its functions answer ASLEEP until a worker begins a new era, with a new generation. Law:
no worker follows an era whose generation it has seen in another era, as workers may have published
revisions of that generation which the server has lost.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple
from uuid import uuid4

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import ROLES, Keys, sets_per_span
from newsdedup.adapters.redis.namespace_format import NEWEST_FORMAT, UPGRADES, readable_format
from newsdedup.adapters.redis.spans import split_spans
from newsdedup.ports.errors import StateLost, StateMoved, StateUnusable

PERMISSIONS: Final = (
    "+fcall +function|load +xrange +xlen +xdel +xadd +hget +hmget +hset +hsetnx +hgetall +hdel "
    "+hexists +hincrby +hlen +smembers +smismember +sinter +sadd +srem +scard +pexpireat +unlink "
    "+lpush +ltrim +lrange +time +memory|usage +ping +hello +lindex +lpop +pexpiretime +expire"
)
"""Permissions of a worker in the form of ACL SETUSER; the keys are `~{NAMESPACE}:*`, with shards
also `~{NAMESPACE|*}:*`."""
CLUSTER_PERMISSIONS: Final = "+cluster|slots +command"
"""Further permissions that the client of a Redis Cluster needs."""
_INCARNATION_CHARS: Final = 8
_SAMPLED_SETS: Final = 64
"""How many sets of a role and span are measured; the others are assumed to have their mean size."""
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
    """Return the input offsets that workers stored with their commits, by partition name."""
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
    """Set stored offsets to 0, by partition name; commits only raise them."""
    if names:
        fields = [field for name in names for field in (name, 0)]
        await calls.command("HSET", keys.fixed[3], *fields)


class Era(NamedTuple):
    """The unique name of an era, and its generation."""

    name: str
    generation: int


NO_ERA: Final = Era("", -1)
"""Stands for no era: the worker has seen none yet."""


class EraTracker:
    """The latest era that one worker has seen."""

    def __init__(self, namespace: str, born: str) -> None:
        self._namespace = namespace
        self._born = born
        self.seen = NO_ERA

    def follow(self, era: Era, *, born: str) -> bool:
        """Return whether the worker may use the server's era; if False, it must begin a later one.

        Raise StateMoved once for each new era after the first, so that the worker starts again from
        the stored offsets, and StateLost if the namespace (`born`) was created anew.
        """
        if self._born and born != self._born:
            raise StateLost(
                f"redis has lost the state of namespace {self._namespace!r}; `newsdedup rebuild` "
                "restores it from the output topic"
            )
        before = self.seen
        if era == before:
            return True
        if era.generation <= before.generation:
            return False
        self.seen = era
        if before != NO_ERA:
            raise StateMoved(f"redis namespace {self._namespace!r} began a new generation")
        return True


async def begin_era(calls: Calls, keys: Keys, *, after: Era) -> None:
    """Begin an era of a later generation than `after`, unless another worker already has."""
    await calls.function("begin_era", keys.fixed[:1], [uuid4().hex, after.generation, after.name])


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

    @property
    def per_item(self) -> dict[str, float]:
        """Return bytes per item of postings, entries and verdicts, by these names."""
        count = max(1, self.items)
        kinds = {"postings": self.postings, "entries": self.entries, "verdicts": self.verdicts}
        return {kind: round(size / count, 1) for kind, size in kinds.items()}


async def measure_memory(
    calls: Calls, keys: Keys, *, sample: int = _SAMPLED_SETS
) -> NamespaceMemory:
    """Return the memory of a namespace, estimated from `sample` sets of each role and span."""
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
