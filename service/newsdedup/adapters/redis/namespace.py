"""A namespace in Redis: opening it, its eras and generations, its stored offsets, its memory.

An era lasts from one awakening of a namespace to the next. A server that was restarted, or promoted
from a replica, may have lost writes whose events are published: its functions answer ASLEEP until a
worker begins a new era, with a new generation. Law: no worker follows an era whose generation it
has seen in another era, as that generation may have published revisions that are lost.
"""

from typing import Any, Final, NamedTuple
from uuid import uuid4

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.commit_encoding import split_spans
from newsdedup.adapters.redis.keys import ROLES, Keys, sets_per_span
from newsdedup.ports.errors import StateMoved, StateUnusable

_FORMAT: Final = "2"
"""Version of the layout of keys, records and rows; other versions are refused."""
PERMISSIONS: Final = (
    "+fcall +function|load +xrange +xlen +xdel +xadd +hget +hmget +hset +hsetnx +hgetall +hdel "
    "+hexists +hincrby +hlen +smembers +smismember +sinter +sadd +srem +scard +pexpireat +unlink "
    "+lpush +ltrim +lrange +time +memory|usage +ping +hello +lindex +lpop +pexpiretime"
)
"""Permissions of a worker in the form of ACL SETUSER; the keys are `~{NAMESPACE}:*`, with shards
also `~{NAMESPACE|*}:*`."""
CLUSTER_PERMISSIONS: Final = "+cluster|slots +command"
"""What the client of a Redis Cluster needs besides."""
_INCARNATION_CHARS: Final = 8
_SAMPLED_SETS: Final = 64
"""How many sets of a role and span are measured; the others are assumed to be like them."""


class OpenNamespace(NamedTuple):
    """A namespace that exists."""

    keys: Keys
    born: str
    """Chosen when the namespace is created; it differs if the namespace was lost meanwhile."""


async def open_namespace(
    calls: Calls,
    namespace: str,
    *,
    made_by: str,
    items_per_window: int = 500_000,
    shards: int = 1,
) -> OpenNamespace:
    """Load our functions and return a namespace, created if it does not exist.

    Raise StateUnusable if it was created with another format or other settings (`made_by`, which
    must include the number of shards): verdicts would not be consistent.
    """
    await calls.load()
    meta = Keys(namespace, 1).fixed[0]
    # A span is two thirds of a window.
    wanted = {
        "format": _FORMAT,
        "made_by": made_by,
        "sets": str(sets_per_span(items_per_window * 2 // 3 // shards)),
        "born": uuid4().hex,
    }
    for name, value in wanted.items():
        await calls.command("HSETNX", meta, name, value)
    values = [value.decode() for value in await calls.command("HMGET", meta, *wanted)]
    stored_format, stored_made_by, sets, born = values
    if stored_format != _FORMAT:
        raise StateUnusable(
            f"redis namespace {namespace!r} has format {stored_format}; "
            f"this version reads {_FORMAT}"
        )
    if stored_made_by != made_by:
        raise StateUnusable(
            f"redis namespace {namespace!r} was made with other settings:\n"
            f"  then: {stored_made_by}\n  now:  {made_by}\n"
            "choose another namespace, or let this one's window pass"
        )
    incarnation = "" if shards == 1 else born[:_INCARNATION_CHARS]
    return OpenNamespace(Keys(namespace, int(sets), shards, incarnation), born)


async def begin_generation(calls: Calls, keys: Keys, *, after: int = 0) -> int:
    """Begin and return a new generation, by which the revisions of all items grow.

    `after` is the highest generation ever published, which a server that lost its data has lost.
    """
    meta = keys.fixed[0]
    number = max(int(await calls.command("HGET", meta, "generation") or 0), after) + 1
    await calls.command("HSET", meta, "generation", number)
    return number


async def stored_positions(calls: Calls, keys: Keys) -> dict[str, int]:
    """Return the offsets stored with the latest commits, by the name of the partition."""
    stored: dict[bytes, bytes] = await calls.command("HGETALL", keys.fixed[3])
    return {name.decode(): int(value) for name, value in stored.items()}


class StateLost(StateUnusable):
    """The server has lost the whole namespace; `newsdedup rebuild` restores the published part."""

    def __init__(self, namespace: str) -> None:
        super().__init__(f"redis has lost namespace {namespace!r}: its verdicts must be rebuilt")


class Era(NamedTuple):
    """The name of an era, unique, and its generation."""

    name: str
    generation: int


NO_ERA: Final = Era("", -1)
"""Before the first era."""


class EraTracker:
    """The latest era that one worker has seen."""

    def __init__(self, namespace: str, born: str) -> None:
        self._namespace = namespace
        self._born = born
        self.seen = NO_ERA

    def follow(self, era: Era, *, born: str) -> bool:
        """Return whether to follow the server's era; if False, a later one must begin.

        Raise StateMoved once for each new era, StateLost if the namespace was created anew.
        """
        if self._born and born != self._born:
            raise StateLost(self._namespace)
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
    """Begin an era of a later generation than `after`, unless another worker has."""
    await calls.function("begin_era", keys.fixed[:1], [uuid4().hex, after.generation, after.name])


class NamespaceMemory(NamedTuple):
    """Items in a namespace, and the bytes of its keys as the server counts them."""

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
        """Return bytes per item by kind."""
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
    spans = [await _measure_span(at, one, span, sample) for at, one in parts for span in live]
    items, postings, entries, verdicts = map(sum, zip((0, 0, 0, 0), *spans, strict=True))
    return NamespaceMemory(items, postings, entries, verdicts, rest)


async def _measure_span(
    calls: Calls, keys: Keys, span: int, sample: int
) -> tuple[int, int, int, int]:
    """Return items and bytes of postings, entries and verdicts of one span in one slot."""
    records, directory, rows = keys.span_hashes(span)
    return (
        int(await calls.command("HLEN", records)),
        await _measure_postings(calls, keys, span, sample),
        await _measure_key(calls, records) + await _measure_key(calls, directory),
        await _measure_key(calls, rows),
    )


async def _measure_postings(calls: Calls, keys: Keys, span: int, sample: int) -> int:
    postings = 0
    for role in ROLES:
        count = keys.sets_of(role)
        slots = range(0, count, max(1, count // sample))
        sizes = [await _measure_key(calls, name) for name in keys.set_names(role, span, slots)]
        postings += sum(sizes) * count // len(slots)
    return postings


async def _measure_key(calls: Calls, key: str) -> int:
    answer: Any = await calls.command("MEMORY", "USAGE", key, "SAMPLES", _SAMPLED_SETS)
    return int(answer or 0)
