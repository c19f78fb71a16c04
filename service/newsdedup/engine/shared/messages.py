"""What a worker asks the Redis store and tells it; the values between the two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from newsdedup.adapters.redis.codec import Row
from newsdedup.core.matching.prefix import IndexKeys
from newsdedup.core.model import ItemKey, Micros
from newsdedup.core.stories.records import Record
from newsdedup.core.window import Watermark

Sought = Literal["item", "leaders", "members", "followers"]


class Look(NamedTuple):
    """One look-up: an item or the followers of one by key, the others by filing."""

    sought: Sought
    key: ItemKey | None = None
    filing: IndexKeys = IndexKeys(())
    since: Micros | None = None
    """Members that are earlier are not asked for."""


class Place(NamedTuple):
    """Where a record is kept."""

    span: int
    ordinal: str


class Held(NamedTuple):
    """A record as the server keeps it."""

    record: Record
    bucket: int
    filing: IndexKeys
    place: Place
    rows: tuple[Row, ...] | None = None
    """What the ledger keeps of it; None if it was not asked for."""


class Search(NamedTuple):
    """What one look-up for an item cost."""

    candidates: int
    """Leaders that it found."""
    postings: int
    """Postings in the sets that the server asked for it."""


class Snapshot(NamedTuple):
    """A state of the namespace: the number and the token of its latest commit."""

    seq: int = 0
    tip: str = ""
    era: str = ""
    """The name of the time from one awakening of the namespace to the next."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The answers to some look-ups, in their order, all of one moment."""

    snapshot: Snapshot
    watermark: Watermark
    latest: str
    """The latest effective time of any record, in digits."""
    generation: int
    answers: Sequence[Sequence[Held]]
    read: Sequence[int]
    """How many postings stand in the sets asked for each of them."""

    def searches(self, looks: Sequence[Look]) -> list[Search]:
        """Return what the look-ups for leaders among these cost."""
        asked = zip(looks, self.answers, self.read, strict=True)
        return [Search(len(found), read) for look, found, read in asked if look.sought == "leaders"]


class Put(NamedTuple):
    """The new state of one record."""

    record: Record
    bucket: int
    before: Held | None
    rows: tuple[Row, ...] | None
    """What its ledger is to be; None leaves it as it is."""


class Outgoing(NamedTuple):
    """An event on its way: its payload and the bytes that were received."""

    payload: bytes
    received: bytes


@dataclass(frozen=True, slots=True)
class Commit:
    """What a worker wants stored, and all that it read to decide it."""

    seen: Snapshot
    """The earliest of the states that were read."""
    own: Sequence[str]
    """Tokens of the commits that this worker made since then."""
    looks: Sequence[Look]
    places: Sequence[Place]
    watermark: Watermark
    floor: int | None
    """The first bucket that has not expired."""
    puts: Sequence[Put]
    events: Sequence[Outgoing]
    positions: Mapping[str, int] = field(default_factory=dict)
    lessons: Sequence[bytes] = ()
    """What the items teach, for the log that all workers learn from."""


@dataclass(frozen=True, slots=True)
class Committed:
    """Where the records are now, and the outbox numbers of the events, each in their order."""

    token: str
    places: Sequence[Place]
    sent: Sequence[str]
