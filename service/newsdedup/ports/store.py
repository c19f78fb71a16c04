"""The records of the window, and what was received and published of them.

`Store` and `Ledger` are those of one process. `SharedStore` is shared by several workers: a commit
names everything that was read to decide it, and the store refuses it if that has changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from newsdedup.core.events import Event, Judgement
from newsdedup.core.matching.index_keys import IndexKeys
from newsdedup.core.matching.statistics_recorder import SharedStatisticsRecorder
from newsdedup.core.matching.stream_statistics import Observation
from newsdedup.core.model import ItemKey, Micros, Version
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record, RecordReader
from newsdedup.core.stories.window import Watermark


class Store(RecordReader, Protocol):
    """The records of the window, found by item key and by index keys.

    Laws, checked for every store by tests/laws/test_stores.py: those of RecordReader; after a
    decision is stored the next reads return its records; nothing expires before the window and
    the allowed lateness have passed.
    """

    def store(self, decision: Decision, *, bucket: int) -> None:
        """Write the records that a decision changes; new ones expire with the bucket."""
        ...

    def expire(self, *, before: int) -> None:
        """Drop the records of all buckets before this one."""
        ...

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket of the latest version of an item; raise KeyError if it is unknown."""
        ...


class Ledger(Protocol):
    """The received bytes and the last published judgement of every stored item version.

    Law: it holds every version that a record of the store knows.
    """

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:
        """Store the input bytes and the judgement of a version; return the judgement encoded.

        All versions of an item expire with the latest bucket given for any of them. A ledger that
        stores no bytes returns none; what is encoded here need not be encoded again to publish.
        """
        ...

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Replace the judgement of a stored version; return it encoded, as `write` does."""
        ...

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, Judgement]:
        """Return the input bytes and the latest judgement of a version.

        Raise LookupError if no such version is stored.
        """
        ...

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Drop the versions of an item that are not in `versions`; no record refers to them."""
        ...

    def erase(self, key: ItemKey) -> None:
        """Drop all versions of an item."""
        ...

    def expire(self, *, before: int) -> None:
        """Drop the versions written in buckets before this one."""
        ...


class LedgerRow(NamedTuple):
    """What was received and last published of one version of an item."""

    version: Version
    received: bytes
    published: bytes


LookupKind = Literal["item", "leaders", "members", "followers"]


class Lookup(NamedTuple):
    """One look-up: an item or the followers of one by its key, others by index keys (`filing`)."""

    kind: LookupKind
    key: ItemKey | None = None
    filing: IndexKeys = IndexKeys(())
    since: Micros | None = None
    """Members that are earlier are not looked up."""


class RecordSlot(NamedTuple):
    """Where a record is kept."""

    span: int
    ordinal: str


class StoredRecord(NamedTuple):
    """A record as the server keeps it."""

    record: Record
    bucket: int
    filing: IndexKeys
    """The index keys of its entry."""
    slot: RecordSlot
    rows: tuple[LedgerRow, ...] | None = None
    """What the ledger keeps of it; None if the look-up did not include that."""


class SearchCost(NamedTuple):
    """What one look-up for an item cost."""

    candidates: int
    """Leaders that it found."""
    postings: int
    """Postings in the sets that the server read for it."""


class StoreVersion(NamedTuple):
    """A state of the namespace: the number and the token of its latest commit."""

    seq: int = 0
    tip: str = ""
    era: str = ""
    """The name of the era, which ends when the server may have lost writes."""


@dataclass(frozen=True, slots=True)
class LookupResult:
    """The answers to some look-ups, in their order, all of one moment."""

    version: StoreVersion
    watermark: Watermark
    latest: Micros
    """The latest effective time of any record."""
    generation: int
    answers: Sequence[Sequence[StoredRecord]]
    read: Sequence[int]
    """For each look-up, how many postings the sets have that the server read for it."""
    sent: int
    """How many records the server sent, those included that answer no look-up."""

    def search_costs(self, looks: Sequence[Lookup]) -> list[SearchCost]:
        """Return the cost of each look-up for leaders among those answered here (`looks`)."""
        asked = zip(looks, self.answers, self.read, strict=True)
        return [
            SearchCost(len(found), read) for look, found, read in asked if look.kind == "leaders"
        ]


class RecordUpdate(NamedTuple):
    """The new state of one record."""

    record: Record
    bucket: int
    before: StoredRecord | None
    rows: tuple[LedgerRow, ...] | None
    """What its ledger is to be; None leaves it as it is."""


@dataclass(frozen=True, slots=True)
class Commit:
    """What a worker is to store, and all that it read to decide it."""

    based_on: StoreVersion
    """The earliest of the states that were read."""
    lookups: Sequence[Lookup]
    record_slots: Sequence[RecordSlot]
    watermark: Watermark
    floor: int | None
    """The first bucket that has not expired."""
    updates: Sequence[RecordUpdate]
    own_tokens: Sequence[str] = ()
    """Tokens of the commits that this worker made since then."""
    events: Sequence[Event] = ()
    """New events, for the outbox."""
    positions: Mapping[str, int] = field(default_factory=dict)
    observations: Sequence[Observation] = ()
    """For the log from which every worker counts the stream statistics."""


@dataclass(frozen=True, slots=True)
class CommitResult:
    """Where the records are now, and the outbox numbers of the events, each in their order."""

    token: str
    record_slots: Sequence[RecordSlot]
    outbox_numbers: Sequence[str]


class StateChanged(Exception):
    """Other workers have changed what was read, so that two answers contradict each other."""


class SharedStore(Protocol):
    """The records of one namespace, as one worker sees them.

    Laws, checked for every implementation by tests/laws/test_stores.py, test_lateness.py and
    test_redis_shards_laws.py: a look-up returns the records that `are_candidates` by their index
    keys, and no others; a commit is stored whole or not at all, and once, however often it is sent.
    """

    worker: str
    """The name of the worker, unique among all that share the namespace."""

    async def look(self, lookups: Sequence[Lookup]) -> LookupResult:
        """Return what is stored, for at most as many items as one call may ask for.

        Raise Unavailable if the server does not answer, StateMoved if it may have lost writes,
        StateChanged if other workers write so fast that no consistent answer is seen.
        """
        ...

    async def commit(self, commit: Commit) -> CommitResult | None:
        """Store a commit; return None if what it read has changed. Raise Unavailable as `look`."""
        ...

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, by the last look-up, a stored item may be at this time or later."""
        ...


class ObservationLog(Protocol):
    """The log by which the workers of a namespace learn from all items, in one order.

    A protocol, as the engine has no adapters. Implementation: RedisObservationLog
    (adapters/redis/store.py).
    """

    recorder: SharedStatisticsRecorder

    async def catch_up(self) -> None:
        """Count what any worker has logged since the last call; raise Unavailable if that fails."""
        ...

    def forget(self) -> None:
        """Drop all counts and begin at the start of the log: the server may have lost its end."""
        ...


class WaitingEvent(NamedTuple):
    """An event in the outbox and its number there."""

    number: str
    event: Event


class BatchLedger(Ledger, Protocol):
    """The Ledger of the items that one batch concerns; a protocol, as the engine has no adapters.

    Implementation: MemoryBatchLedger (adapters/memory/store.py).
    """

    def load(self, key: ItemKey, rows: Iterable[LedgerRow]) -> None:
        """Take the rows that the server holds of an item, unless rows of it are here already."""
        ...

    def knows(self, key: ItemKey) -> bool:
        """Return whether the rows of an item are here, so that none need be loaded.

        They are once they were loaded, even if there were none, or written, erased or reset here.
        """
        ...

    def reset(self, key: ItemKey) -> None:
        """Drop the rows of an item that has expired and comes again; `load` brings none back."""
        ...

    def changed(self, record: Record) -> tuple[LedgerRow, ...] | None:
        """Return the rows of a record to commit, None if unchanged; they count as committed now."""
        ...
