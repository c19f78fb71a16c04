"""How the keys of a namespace in Redis are named, and which sets hold which postings.

All keys of a namespace share one hash slot; where it has shards, those of home do, and those of
each shard (docs/decisions/0014). A posting is the ordinal of a record in a plain set; terms share
sets, so that a set holds several postings and its overhead is spread. Whoever is found through
another term of the same set is told apart by the records themselves.
"""

import string
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, NamedTuple

import xxhash

from newsdedup.core.matching.prefix import HITS, IndexKeys
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey, Micros
from newsdedup.core.stories.records import Record

Role = Literal["l", "m", "f"]
"""Sets of leaders by terms, of members by terms, of followers by their leader."""

ROLES: Final[tuple[Role, ...]] = ("l", "m", "f")
_ITEM_ROLE: Final = 0
ROLE_NUMBERS: Final = {"l": 1, "m": 2, "f": 3}
_LEADER_SHARES: Final[dict[Role, int]] = {"l": 1, "m": 4, "f": 4}
"""How many sets of leaders there are for one set of each role: most items lead."""
_POSTINGS_PER_SET: Final = 16
"""Postings that a set should hold: fewer waste its overhead, more are read in vain."""
_POSTINGS_PER_ITEM: Final = 6
"""About so many postings of leaders a span has for each of its items."""
_BASE36: Final = string.digits + string.ascii_lowercase
_BASE64: Final = _BASE36 + string.ascii_uppercase + "-_"
_BASE64_PAIRS: Final = tuple(high + low for high in _BASE64 for low in _BASE64)


class WeightedSets(NamedTuple):
    """Sets to be read together, and how much being in each of them weighs."""

    slots: list[int]
    weights: list[int]


class RecordSets(NamedTuple):
    """Sets of one role in which one record stands."""

    role: Role
    slots: tuple[int, ...]

    @property
    def addresses(self) -> list[int]:
        """Return one number for each set, by which commits tell what they filed."""
        role = set_address(ROLE_NUMBERS[self.role], 0)
        return [role | slot for slot in self.slots]


@dataclass(frozen=True, slots=True)
class Keys:
    """The names of one namespace; the number of sets is a power of two and never changes."""

    namespace: str
    sets: int
    shards: int = 1
    incarnation: str = ""
    """Told once when a namespace is made: what an earlier one left in the shards is not read."""
    shard: int | None = None
    """The shard that these keys are of; None for home, and where there is but one."""

    def __post_init__(self) -> None:
        """Refuse what would leave the hash slot or the form of the sets."""
        if not self.namespace or set(self.namespace) & set("{}"):
            raise ValueError(f"{self.namespace!r} can be no namespace: it is empty or has braces")
        if self.sets < 1 or self.sets & (self.sets - 1):
            raise ValueError(f"{self.sets} sets: it must be a power of two")

    @property
    def prefix(self) -> str:
        """Return what all of these keys begin with: the hash tag, and in shards the life."""
        if self.shard is None:
            return f"{{{self.namespace}}}"
        return f"{{{self.namespace}|{self.shard}}}:{self.incarnation}"

    @property
    def fixed(self) -> tuple[str, str, str, str, str]:
        """Return the keys of meta data, log, outbox, positions and lessons.

        A shard has meta data and what undoes its latest commits; the former fills the other places.
        """
        tag = self.prefix
        if self.shard is not None:
            meta = f"{tag}:meta"
            return (meta, f"{tag}:undo", meta, meta, meta)
        return (
            f"{tag}:meta",
            f"{tag}:log",
            f"{tag}:outbox",
            f"{tag}:positions",
            f"{tag}:lessons",
        )

    @property
    def pending(self) -> tuple[str, ...]:
        """Return home's keys of what each shard is owed."""
        shards = range(self.shards) if self.shards > 1 else ()
        return tuple(f"{self.prefix}:owed:{shard}" for shard in shards)

    def of_shard(self, shard: int) -> "Keys":
        """Return the keys of a shard."""
        return replace(self, shard=shard)

    def shard_of(self, key: ItemKey) -> int:
        """Return the shard in which an item is kept."""
        # The low bits choose sets.
        return (item_hash(key) >> 32) % self.shards

    def span_hashes(self, span: int) -> tuple[str, str, str]:
        """Return the keys of a span's records, directory and rows."""
        tag = self.prefix
        return (f"{tag}:records:{span}", f"{tag}:items:{span}", f"{tag}:rows:{span}")

    def set_names(self, role: Role, span: int, slots: Iterable[int]) -> list[str]:
        """Return the keys of several sets of a role and span.

        Short ones, as most sets hold little: 16 bytes with the end mark of a string, where the
        namespace has four letters. The capital letter parts the two numbers.
        """
        front = f"{self.prefix}:{base36(span)}{role.upper()}"
        return [front + base64_digits(slot) for slot in slots]

    def sets_of(self, role: Role) -> int:
        """Return how many sets of a role each span has."""
        return max(1, self.sets // _LEADER_SHARES[role])

    def slot(self, key: int, role: Role) -> int:
        """Return the number of the set that holds a key's postings."""
        return key & self.sets_of(role) - 1

    def search_sets(self, filing: IndexKeys, role: Role) -> WeightedSets:
        """Return the sets to be read for a look-up.

        Two keys in one set weigh twice, as whoever has both stands there once only.
        """
        mask = self.sets_of(role) - 1
        if not filing.sure:
            slots = [key & mask for key in filing.counted]
            if len(set(slots)) == len(slots):
                return WeightedSets(slots, [1] * len(slots))
        weights: dict[int, int] = {}
        for key in filing.counted:
            weights[key & mask] = weights.get(key & mask, 0) + 1
        for key in filing.sure:
            weights[key & mask] = HITS
        return WeightedSets(list(weights), list(weights.values()))

    def record_sets(self, record: Record, rule: Rule) -> tuple[RecordSets, ...]:
        """Return in which sets a record stands."""
        if record.leader is None:
            return ()
        filing = rule.index_keys(record.entry)
        if record.leads:
            return (RecordSets("l", self._slots(filing, "l")),)
        return (
            RecordSets("m", self._slots(filing, "m")),
            RecordSets("f", (self.followers(record.leader),)),
        )

    def followers(self, leader: ItemKey) -> int:
        """Return the number of the set that holds a leader's followers."""
        return self.slot(item_hash(leader), "f")

    def _slots(self, filing: IndexKeys, role: Role) -> tuple[int, ...]:
        mask = self.sets_of(role) - 1
        return tuple(dict.fromkeys([key & mask for key in (*filing.counted, *filing.sure)]))


def sets_per_span(items: int) -> int:
    """Return how many sets a span of so many items should have."""
    wanted = max(1, items * _POSTINGS_PER_ITEM // _POSTINGS_PER_SET)
    return max(1024, 1 << (wanted - 1).bit_length())


@lru_cache(maxsize=64)
def base36(number: int) -> str:
    """Return a number in figures and small letters, for names."""
    if number < 0:
        return "-" + base36(-number)
    return (base36(number // 36) if number >= 36 else "") + _BASE36[number % 36]


def base64_digits(number: int) -> str:
    """Return a natural number in three letters or more of 64 kinds, for names."""
    front = base64_digits(number >> 18) if number >> 18 else ""
    return front + _BASE64_PAIRS[number >> 6 & 4095] + _BASE64[number & 63]


def set_address(role: int, slot: int) -> int:
    """Return one number for a set, exact in a double as Lua has them."""
    return role << 40 | slot


def item_address(key: ItemKey) -> int:
    """Return the address at which two workers that admit one item notice each other."""
    return set_address(_ITEM_ROLE, item_hash(key) & 0xFFFFFFFF)


def item_field(key: ItemKey) -> bytes:
    """Return an identity as a field of the directory, told apart by its lengths."""
    return f"{len(key.source)}:{key.source}{key.id}".encode("utf-8", "surrogatepass")


def item_hash(key: ItemKey) -> int:
    """Return 64 bits of an identity."""
    return xxhash.xxh3_64_intdigest(item_field(key))


def order_digits(entry: Entry) -> str:
    """Return the effective time as digits that sort as it does."""
    return time_digits(entry.effective_at)


def time_digits(at: int) -> str:
    """Return a time as 20 digits that sort as it does."""
    return f"{at + (1 << 62):020d}"


def time_of(digits: str) -> Micros:
    """Return the time that time_digits wrote, earlier than any item for the empty string."""
    return int(digits or 0) - (1 << 62)
