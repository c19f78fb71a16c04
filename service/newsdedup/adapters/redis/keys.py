"""Formats of a namespace in Redis, names of its keys, and the sets that hold its postings.

All keys of a namespace share one hash slot. With shards, those of home share one, and those of each
shard (docs/decisions/0014). A posting is the ordinal of a record in a plain set. Several terms
share a set, which spreads its overhead; the records found through another term are filtered out.
A sure key alone makes a candidate, so these have sets of their own, whose postings say by a tag of
eight bits which key they are of; else all records of these sets would be sent for nothing.

A namespace keeps the format it was made with until `newsdedup upgrade` raises it. Workers of this
release read the values of each format here and write those of the namespace; workers of an earlier
release know fewer, and refuse a later one when they open it.
"""

import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Literal, NamedTuple

import numpy as np
import xxhash

from newsdedup.core.matching.index_keys import HITS, IndexKeys
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import ItemKey, Micros
from newsdedup.core.stories.records import Record
from newsdedup.ports.errors import StateUnusable

UPGRADES: Final = {"2": "7", "3": "7", "5": "7", "4": "8", "6": "8"}
"""The formats that can be raised in place."""
Role = Literal["l", "m", "f", "p", "q"]
"""Sets of leaders by term, of members by term, of followers by leader; of leaders and of members by
sure key."""
ROLES: Final[tuple[Role, ...]] = ("l", "m", "f", "p", "q")
_ITEM_ROLE: Final = 0
ROLE_NUMBERS: Final[dict[Role, int]] = {"l": 1, "m": 2, "f": 3, "p": 4, "q": 5}
_SURE_ROLES: Final[dict[Role, Role]] = {"l": "p", "m": "q"}
"""Where a role files its sure keys, if they have tags."""
_LEADER_SHARES: Final[dict[Role, int]] = {"l": 1, "m": 4, "f": 4, "p": 2, "q": 8}
"""How many sets of leaders there are per set of each role: most items lead."""
_TAG_SHIFT: Final = 24
_ENOUGH: Final = 1 << 20
"""The weight of a set in which any record may be a candidate, more than is ever asked."""
TAGS: Final = 256
"""Tags that a posting by a sure key can have, from bits of the key that do not choose its set."""
_POSTINGS_PER_SET: Final = 8
"""Wanted postings of a set: fewer waste its overhead, more are read in vain."""
_POSTINGS_PER_ITEM: Final = 12
"""Postings of leaders by terms per item of a span, about; rule `terms` has fewer."""
_DIGEST_BYTES: Final = 12
"""As long as a field of 16 bytes, of which Redis takes four, can be."""
_BASE64: Final = string.digits + string.ascii_letters + "-_"
_BASE64_PAIRS: Final = tuple(high + low for high in _BASE64 for low in _BASE64)


class NamespaceFormat(NamedTuple):
    """What a format says about the values and fields of a namespace."""

    number: str
    compressed: bool
    """Whether records and rows are written compressed with a dictionary."""
    digests: bool
    """Whether the directory knows items by digests of their keys, which are shorter."""
    weighed: bool
    """Whether entries say what their keys are worth, by which candidates are found."""
    tagged: bool = False
    """Whether new postings by sure keys are in sets of their own, with tags."""
    has_untagged: bool = True
    """Whether there may be postings by sure keys in the sets of terms."""


FORMATS: Final = {
    "2": NamespaceFormat("2", compressed=False, digests=False, weighed=False),
    "3": NamespaceFormat("3", compressed=True, digests=False, weighed=False),
    "4": NamespaceFormat("4", compressed=True, digests=True, weighed=False),
    "5": NamespaceFormat("5", compressed=True, digests=False, weighed=True),
    "6": NamespaceFormat("6", compressed=True, digests=True, weighed=True),
    "7": NamespaceFormat("7", compressed=True, digests=False, weighed=True, tagged=True),
    "8": NamespaceFormat("8", compressed=True, digests=True, weighed=True, tagged=True),
    "9": NamespaceFormat(
        "9", compressed=True, digests=True, weighed=True, tagged=True, has_untagged=False
    ),
}
"""By number. What 2 and 3 become has no digests: the fields of its directory stay as they are."""
NEWEST_FORMAT: Final = FORMATS["9"]
"""That of new namespaces."""


def readable_format(namespace: str, number: str) -> NamespaceFormat:
    """Return a namespace's format by its stored number; raise StateUnusable if it is not read."""
    known = FORMATS.get(number)
    if known is not None:
        return known
    last = NEWEST_FORMAT.number
    if number.isdecimal() and int(number) > int(last):
        advice = "a later release of newsdedup made or upgraded it: use that one"
    else:
        advice = "choose another namespace, and restore it with `newsdedup rebuild`"
    raise StateUnusable(
        f"redis namespace {namespace!r} has format {number}; this version reads {min(FORMATS)} to "
        f"{last}: {advice}"
    )


class SearchedSets(NamedTuple):
    """The sets that a look-up reads: some with the weight of a hit in each, some for one tag."""

    role: Role
    slots: Sequence[int]
    weights: Sequence[int]
    least: int = HITS
    """From what sum of weights on a record may be a candidate."""
    sure: "RecordSets | None" = None
    """Sets in which a posting with the tag may be of a candidate; None if no key is tagged."""
    surely: int = 0
    """With so many of these tags a posting is of one whatever came between."""

    def weighed_addresses(self) -> Iterator[tuple[int, int]]:
        """Yield each address that a look-up reads, with the weight of a filing there."""
        for slot, weight in zip(self.slots, self.weights, strict=True):
            yield set_address(ROLE_NUMBERS[self.role], slot), weight
        for address in () if self.sure is None else self.sure.addresses:
            yield address, self.least


class RecordSets(NamedTuple):
    """The sets of one role that hold a record."""

    role: Role
    slots: tuple[int, ...]
    tags: tuple[int, ...] = ()
    """The tag of its posting in each set; () in sets whose postings have none."""

    @property
    def addresses(self) -> list[int]:
        """Return the postings as numbers, by which commits are compared with look-ups."""
        number = ROLE_NUMBERS[self.role]
        if not self.tags:
            return [set_address(number, slot) for slot in self.slots]
        tagged = zip(self.slots, self.tags, strict=True)
        return [set_address(number, slot * TAGS + tag) for slot, tag in tagged]


@dataclass(frozen=True, slots=True)
class Keys:
    """The key names of a namespace, of its home or of one shard."""

    namespace: str
    sets: int
    """Sets of leaders in a span: a power of two, fixed when the namespace is created."""
    shards: int = 1
    incarnation: str = ""
    """Part of the keys of shards: those of an earlier namespace of this name are not read."""
    shard: int | None = None
    """The shard that these keys are of; None for home, and for a namespace without shards."""
    format: NamespaceFormat = NEWEST_FORMAT

    def __post_init__(self) -> None:
        """Raise ValueError for a name that changes the hash slot, or a wrong number of sets."""
        if not self.namespace or set(self.namespace) & set("{}"):
            raise ValueError(f"{self.namespace!r} can be no namespace: it is empty or has braces")
        if self.sets < 1 or self.sets & (self.sets - 1):
            raise ValueError(f"{self.sets} sets: it must be a power of two")

    @property
    def prefix(self) -> str:
        """Return the prefix of all these keys: the hash tag, in shards with the incarnation."""
        if self.shard is None:
            return f"{{{self.namespace}}}"
        return f"{{{self.namespace}|{self.shard}}}:{self.incarnation}"

    @property
    def fixed(self) -> tuple[str, str, str, str, str]:
        """Return the keys of meta data, commit log, outbox, positions and the log of observations.

        A shard has only meta data and an undo log; the other three keys are its meta data, too.
        """
        prefix, meta = self.prefix, f"{self.prefix}:meta"
        if self.shard is not None:
            return (meta, f"{prefix}:undo", meta, meta, meta)
        streams = (f"{prefix}:outbox", f"{prefix}:positions", f"{prefix}:lessons")
        return (meta, f"{prefix}:log", *streams)

    @property
    def clocks(self) -> str:
        """Return home's key of the partition clocks; it expires when no worker reports them."""
        return f"{self.prefix}:clocks"

    @property
    def late(self) -> str:
        """Return home's key of the counts of late items; it expires when none came for a week."""
        return f"{self.prefix}:late"

    @property
    def pending(self) -> tuple[str, ...]:
        """Return home's keys of the commits that each shard has to apply; () without shards."""
        shards = range(self.shards) if self.shards > 1 else ()
        return tuple(f"{self.prefix}:owed:{shard}" for shard in shards)

    def of_shard(self, shard: int) -> "Keys":
        """Return the key names of a shard of this namespace."""
        return replace(self, shard=shard)

    def shard_of(self, key: ItemKey) -> int:
        """Return the number of the shard that stores an item."""
        # The low bits choose sets.
        return (hash_item_key(key) >> 32) % self.shards

    def span_hashes(self, span: int) -> tuple[str, str, str]:
        """Return the keys of a span's records, directory and ledger rows."""
        prefix = self.prefix
        return (f"{prefix}:records:{span}", f"{prefix}:items:{span}", f"{prefix}:rows:{span}")

    def item_field(self, key: ItemKey) -> bytes:
        """Return an item's field in the directory: its encoded key, or a digest that is shorter."""
        encoded = _encode_item_key(key)
        if not self.format.digests:
            return encoded
        # Nobody can choose the ids of items so that their digests are equal.
        return blake2b(encoded, digest_size=_DIGEST_BYTES).digest()

    def set_names(self, role: Role, span: int, slots: Iterable[int]) -> list[str]:
        """Return the keys of sets of a role and span.

        They are short, as most sets hold little: 15 bytes where the namespace has four characters.
        The role, in upper case, separates the two numbers.
        """
        front = f"{self.prefix}:{base36(span)}{role.upper()}"
        return [front + base64_digits(slot) for slot in slots]

    def sets_of(self, role: Role) -> int:
        """Return how many sets of a role each span has."""
        return max(1, self.sets // _LEADER_SHARES[role])

    def search_sets(self, filing: IndexKeys, role: Role) -> SearchedSets:
        """Return the sets that a look-up of these keys reads, and the weight of a hit in each.

        Two keys in one set weigh as much as both: a record with both keys is in the set only once.
        """
        mask, least = self.sets_of(role) - 1, filing.floor
        weights: dict[int, int] = {}
        for key, worth in filing.weighed().items():
            weights[key & mask] = weights.get(key & mask, 0) + worth
        if self.format.has_untagged:
            for key in filing.alone:
                weights[key & mask] = _ENOUGH
        slots, worths = list(weights), list(weights.values())
        if not self.format.tagged:
            return SearchedSets(role, slots, worths, least)
        surely = len(self._sure_sets(filing.sure, role).tags)
        return SearchedSets(role, slots, worths, least, self._sure_sets(filing.alone, role), surely)

    def record_sets(self, record: Record, rule: Rule) -> tuple[RecordSets, ...]:
        """Return the sets that hold a record, in one RecordSets for each role; () if withdrawn."""
        if record.leader is None:
            return ()
        filing = rule.index_keys(record.entry)
        if record.leads:
            return self._key_sets(filing, "l")
        compared = self._key_sets(filing, "l") if record.is_variant else ()
        followers = RecordSets("f", (self.followers(record.leader),))
        return (*compared, *self._key_sets(filing, "m"), followers)

    def followers(self, leader: ItemKey) -> int:
        """Return the number of the set that holds a leader's followers."""
        return hash_item_key(leader) & self.sets_of("f") - 1

    def _key_sets(self, filing: IndexKeys, role: Role) -> tuple[RecordSets, ...]:
        """Return the role's sets for these index keys, each once, and those of the sure keys."""
        mask, sure = self.sets_of(role) - 1, self.format.tagged
        keys = filing.counted if sure else (*filing.counted, *filing.alone)
        sets = RecordSets(role, tuple(dict.fromkeys([key & mask for key in keys])))
        return (sets, self._sure_sets(filing.alone, role)) if sure else (sets,)

    def _sure_sets(self, keys: Sequence[int], role: Role) -> RecordSets:
        """Return a role's sets for keys of which one may be enough, each posting once."""
        into = _SURE_ROLES[role]
        mask = self.sets_of(into) - 1
        postings = dict.fromkeys([(key & mask, key >> _TAG_SHIFT & TAGS - 1) for key in keys])
        slots, tags = zip(*postings, strict=True) if postings else ((), ())
        return RecordSets(into, slots, tags)


def sets_per_span(items: int) -> int:
    """Return how many sets of leaders a span of so many items needs: a power of two."""
    wanted = max(1, items * _POSTINGS_PER_ITEM // _POSTINGS_PER_SET)
    return max(1024, 1 << (wanted - 1).bit_length())


@lru_cache(maxsize=64)
def base36(number: int) -> str:
    """Return an integer in base 36, with digits and lower-case characters."""
    return np.base_repr(number, 36).lower()


def base64_digits(number: int) -> str:
    """Return a natural number in base 64, with three digits or more."""
    front = base64_digits(number >> 18) if number >> 18 else ""
    return front + _BASE64_PAIRS[number >> 6 & 4095] + _BASE64[number & 63]


def set_address(role: int, slot: int) -> int:
    """Return role and number of a set as one number, which the doubles of Lua hold exactly."""
    return role << 40 | slot


def item_address(key: ItemKey) -> int:
    """Return the address of an item: a commit is refused if another worker has admitted it."""
    return set_address(_ITEM_ROLE, hash_item_key(key) & 0xFFFFFFFF)


def _encode_item_key(key: ItemKey) -> bytes:
    """Return "LENGTH:SOURCEID" as bytes; the length of the source separates it from the id."""
    return f"{len(key.source)}:{key.source}{key.id}".encode("utf-8", "surrogatepass")


def hash_item_key(key: ItemKey) -> int:
    """Return 64 bits of hash of an item's key."""
    return xxhash.xxh3_64_intdigest(_encode_item_key(key))


def time_digits(at: int) -> str:
    """Return a time as 20 digits that sort as it does."""
    return f"{at + (1 << 62):020d}"


def time_of(digits: str) -> Micros:
    """Return the time that `time_digits` wrote; for "" one that is earlier than any item."""
    return int(digits or 0) - (1 << 62)
