"""Opening a namespace: who made it, how it is laid out, and how much memory it takes."""

from typing import Any, Final, NamedTuple
from uuid import uuid4

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.commit_encoding import split_spans
from newsdedup.adapters.redis.keys import ROLES, Keys, sets_per_span
from newsdedup.ports.errors import StateMoved, StateUnusable

_FORMAT: Final = "2"
"""Changes with the layout of keys, records or rows: what another format wrote is not read."""
PERMISSIONS: Final = (
    "+fcall +function|load +xrange +xlen +xdel +xadd +hget +hmget +hset +hsetnx +hgetall +hdel "
    "+hexists +hincrby +hlen +smembers +smismember +sinter +sadd +srem +scard +pexpireat +unlink "
    "+lpush +ltrim +lrange +time +memory|usage +ping +hello +lindex +lpop +pexpiretime"
)
"""All that a worker does, as ACL SETUSER takes it; the keys are `~{NAMESPACE}:*`, with shards also
`~{NAMESPACE|*}:*`."""
CLUSTER_PERMISSIONS: Final = "+cluster|slots +command"
"""What the client of a Redis Cluster asks beside it, to learn which node serves what."""
_INCARNATION_CHARS: Final = 8
"""Letters that keep apart what two namespaces of one name put into their shards."""
_SAMPLED_SETS: Final = 64
"""Sets of a role and span that are weighed; the rest are taken to be like them."""


class OpenNamespace(NamedTuple):
    """A namespace as it was found."""

    keys: Keys
    born: str
    """Told once when the namespace is made: another one after everything was lost."""


class NamespaceMemory(NamedTuple):
    """What a namespace takes, in bytes by the server's own count."""

    items: int
    postings: int
    entries: int
    """Records and the directory of their items."""
    verdicts: int
    """What was received and published."""
    rest: int
    """Log, outbox, meta data: bounded, whatever the window holds."""

    @property
    def per_item(self) -> dict[str, float]:
        """Return bytes per kept item by kind."""
        count = max(1, self.items)
        kinds = {"postings": self.postings, "entries": self.entries, "verdicts": self.verdicts}
        return {kind: round(size / count, 1) for kind, size in kinds.items()}


async def open_namespace(
    calls: Calls,
    namespace: str,
    *,
    made_by: str,
    items_per_window: int = 500_000,
    shards: int = 1,
) -> OpenNamespace:
    """Return a namespace after loading our functions; the first to come lays it out.

    Raise StateUnusable where other settings or another format made it: its verdicts would not be
    those that are promised. The number of shards must be told in `made_by`.
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
    names = ("format", "made_by", "sets", "born")
    found = [value.decode() for value in await calls.command("HMGET", meta, *names)]
    if found[0] != _FORMAT:
        raise StateUnusable(
            f"redis namespace {namespace!r} has format {found[0]}; this version reads {_FORMAT}"
        )
    if found[1] != made_by:
        raise StateUnusable(
            f"redis namespace {namespace!r} was made with other settings:\n"
            f"  then: {found[1]}\n  now:  {made_by}\n"
            "choose another namespace, or let this one's window pass"
        )
    born = found[3]
    life = "" if shards == 1 else born[:_INCARNATION_CHARS]
    return OpenNamespace(Keys(namespace, int(found[2]), shards, life), born)


async def begin_generation(calls: Calls, keys: Keys, *, after: int = 0) -> int:
    """Return the number of the generation that begins: revisions of all items grow by it.

    `after` is the highest that was ever published: a server that lost everything lost that too.
    """
    meta = keys.fixed[0]
    number = max(int(await calls.command("HGET", meta, "generation") or 0), after) + 1
    await calls.command("HSET", meta, "generation", number)
    return number


async def stored_positions(calls: Calls, keys: Keys) -> dict[str, int]:
    """Return the positions of the sources that were stored with the latest commits."""
    stored: dict[bytes, bytes] = await calls.command("HGETALL", keys.fixed[3])
    return {name.decode(): int(value) for name, value in stored.items()}


async def measure_memory(
    calls: Calls, keys: Keys, *, sample: int = _SAMPLED_SETS
) -> NamespaceMemory:
    """Return what a namespace takes; sets are sampled, so that a large one is weighed in time."""
    live = split_spans((await calls.command("HGET", keys.fixed[0], "live") or b"").decode())
    rest = sum([await _measure_key(calls, key) for key in (*keys.fixed, *keys.pending)])
    parts = [(calls, keys)]
    if keys.shards > 1:
        of = [keys.of_shard(shard) for shard in range(keys.shards)]
        parts = [(calls.at(one.fixed[0]), one) for one in of]
        rest += sum([await _measure_key(at, key) for at, one in parts for key in one.fixed[:2]])
    weighed = [await _measure_span(at, one, span, sample) for at, one in parts for span in live]
    items, postings, entries, verdicts = map(sum, zip((0, 0, 0, 0), *weighed, strict=True))
    return NamespaceMemory(items, postings, entries, verdicts, rest)


async def _measure_span(
    calls: Calls, keys: Keys, span: int, sample: int
) -> tuple[int, int, int, int]:
    """Return items and bytes of postings, entries and verdicts in one span and slot."""
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
        numbers = range(0, count, max(1, count // sample))
        weights = [await _measure_key(calls, name) for name in keys.set_names(role, span, numbers)]
        postings += sum(weights) * count // len(numbers)
    return postings


async def _measure_key(calls: Calls, key: str) -> int:
    answer: Any = await calls.command("MEMORY", "USAGE", key, "SAMPLES", _SAMPLED_SETS)
    return int(answer or 0)


class StateLost(StateUnusable):
    """The server has lost a namespace: what was published may be restored, not what is kept."""

    def __init__(self, namespace: str) -> None:
        super().__init__(f"redis has lost namespace {namespace!r}: its verdicts must be rebuilt")


class Era(NamedTuple):
    """An era as meta data tell it."""

    name: str
    generation: int


NO_ERA: Final = Era("", -1)
"""Before all eras."""


class EraTracker:
    """What one worker has seen of them."""

    def __init__(self, namespace: str, born: str) -> None:
        self._namespace = namespace
        self._born = born
        """What the namespace was when it was opened; another one has lost all that was kept."""
        self.seen = NO_ERA
        """The latest that was seen."""

    def follow(self, era: Era, *, born: str) -> bool:
        """Return whether an era may be followed; if not, another one must begin after it.

        Raise StateMoved where it is another one than before, StateLost where the namespace is.
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
    """Let an era of a later generation begin, unless one has."""
    await calls.function("begin", keys.fixed[:1], [uuid4().hex, after.generation, after.name])
