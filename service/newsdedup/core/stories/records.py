"""The record of an item in the window, what a decision reads of the store, and its overlay.

Nothing is written to the store before the decision is complete.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from newsdedup.core.matching.index_keys import candidate_test
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey, Match, Micros, StoryId, Verdict, Version

UNNAMED = StoryId("")

HIGHEST = 10
"""The highest grade: a member that matches its leader by it adds no wording to its story."""


def grade(score: float) -> int:
    """Return a score in tenths, by which leaders are preferred.

    By hundredths copies of two leaders that tell one event would be scattered over both stories.
    """
    return round(10 * score)


@dataclass(frozen=True, slots=True)
class EditorFlags:
    """What editors have set on an item; of several commands on one matter the latest counts."""

    alone_at: Micros | None = None
    """Since when the item joins no story by itself."""
    links: tuple[tuple[ItemKey, Micros], ...] = ()
    """Items whose stories are one with this item's, and since when."""
    pinned_at: Micros | None = None
    """Since when the item is the original of its story."""


class Record(NamedTuple):
    """The state of one item: its versions, its story, and what was last published of it.

    A named tuple and no dataclass: each decision makes several, and `_replace` takes a fifth of
    the time of `dataclasses.replace`.
    """

    entry: Entry
    """The version that represents the item: the oldest one that matches the current one."""
    past: tuple[Entry, ...] = ()
    """The other known versions, by stamp; bounded."""
    current: Version | None = None
    """The newest version, if it is not the entry's."""
    leader: ItemKey | None = None
    """Whom it follows; itself if it leads; None while it waits to be judged."""
    match: Match | None = None
    """How it matches its leader, or the item that `similar` names."""
    similar: ItemKey | None = None
    """If it leads, the earlier item that it is similar to. If it follows, the variant of its story
    that it matches as well as its leader, or better than any leader."""
    name: StoryId = UNNAMED
    """The name of the story it leads, before an editor's merges."""
    story: StoryId = UNNAMED
    original: ItemKey | None = None
    """The original of its story."""
    revision: int = 0
    """How many events were published of it."""
    edit: EditorFlags | None = None
    life: int = 0
    """The bucket in which the item was admitted: it may leave the window and come again."""
    retracted: bool = False
    """Whether its source withdrew it: then only its name and revision are kept."""
    edited: bool = False
    """Whether an editor may have said something about it or one of its followers."""

    @property
    def key(self) -> ItemKey:
        """Return the identity of the item."""
        return self.entry.key

    @property
    def leads(self) -> bool:
        """Return whether the item leads a story."""
        return self.leader == self.entry.key

    @property
    def is_variant(self) -> bool:
        """Return whether it is a member that tells the story in words of its own.

        Later items are compared with it as with leaders. It matches its leader, but not in nearly
        the same words, and better than it matches any earlier variant: so a story has few of them.
        """
        if self.leads or self.leader is None or self.similar is not None or self.match is None:
            return False
        return grade(self.match.score) < HIGHEST

    @property
    def is_compared(self) -> bool:
        """Return whether later items are compared with it: it leads, or it is a variant."""
        return self.leads or self.is_variant

    @property
    def matched(self) -> ItemKey | None:
        """Return the item that its match is with; None if it matches none."""
        return self.similar if self.leads or self.similar is not None else self.leader

    @property
    def verdict(self) -> Verdict:
        """Return "original" if the item is the original of its story, else "duplicate"."""
        return "original" if self.original == self.entry.key else "duplicate"

    @property
    def newest(self) -> Version:
        """Return the newest known version of the item, which need not be the one of its entry."""
        return self.entry.version if self.current is None else self.current

    @property
    def versions(self) -> frozenset[Version]:
        """Return all known versions of the item."""
        return frozenset((self.entry.version, *(past.version for past in self.past)))

    def version(self, version: Version) -> Entry:
        """Return the entry of a version; raise StopIteration if the record has no such one."""
        return next(entry for entry in (self.entry, *self.past) if entry.version == version)

    def knows(self, version: Version) -> bool:
        """Return whether the record has this version of the item; a retracted item has none."""
        return not self.retracted and version in self.versions

    def same_versions(self, before: "Record") -> bool:
        """Return whether neither a new version nor a retraction came since an earlier state."""
        return (self.entry, self.past, self.retracted) == (
            before.entry,
            before.past,
            before.retracted,
        )


class RecordReader(Protocol):
    """What a decision reads: the stored records of the window.

    Laws, checked for every store by tests/laws/test_stores.py: `leaders` and `members` return the
    records of that role that `are_candidates` by their index keys, and no others, so that a rule
    reaches the same verdicts over every store (posting lists too long to be read are counted);
    `known` and `followers` are exact. Variants are found among the leaders and among the members.
    """

    def known(self, key: ItemKey) -> Record | None:
        """Return the record of an item, None if nothing is stored of it."""

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders and variants, earlier or later, that share enough keys with an entry.

        They are not ordered.
        """

    def members(self, near: Entry) -> Sequence[Record]:
        """Return the followers, not earlier than an entry, that share enough keys with it."""

    def followers(self, leader: ItemKey) -> Sequence[Record]:
        """Return the records that follow a leader, unordered."""


class Overlay:
    """The stored records, overlaid with what the decision in progress has decided so far."""

    def __init__(self, store: RecordReader) -> None:
        self._store = store
        self._before: dict[ItemKey, Record] = {}
        self._after: dict[ItemKey, Record] = {}
        self._compared: dict[ItemKey, Record] = {}
        """Those of `_after` with which later items are compared: few of a large cascade."""

    def put(self, record: Record) -> None:
        """Set the state of a record as this decision leaves it so far."""
        self._after[record.key] = record
        if record.is_compared:
            self._compared[record.key] = record
        else:
            self._compared.pop(record.key, None)

    def before(self, key: ItemKey) -> Record | None:
        """Return the stored state of an item, if this decision has read it, else None."""
        return self._before.get(key)

    def now(self, key: ItemKey) -> Record | None:
        """Return the decided state of an item, else its stored one if it was read, else None."""
        return self._after.get(key) or self._before.get(key)

    def decided(self) -> list[Record]:
        """Return the records with a decided state, in the total order."""
        return sorted(self._after.values(), key=lambda record: record.entry.order)

    def known(self, key: ItemKey) -> Record | None:
        """Return the present state of an item, read from the store if need be; None if unknown."""
        if key not in self._after and key not in self._before:
            stored = self._store.known(key)
            if stored is not None:
                self.remember([stored])
        return self.now(key)

    def leaders(self, near: Entry, rule: Rule) -> list[Record]:
        """Return the present leaders and variants near an entry, without its own item."""
        answer = self._store.leaders(near)
        own, after = near.key, self._after
        # The store does not know what this decision has changed so far.
        finds = candidate_test(rule.index_keys(near))
        return [
            *(record for record in answer if record.key not in after and record.key != own),
            *(
                record
                for record in self._compared.values()
                if record.key != own and finds(rule.index_keys(record.entry))
            ),
        ]

    def members(self, near: Entry) -> list[Record]:
        """Return the present followers near an entry that are not earlier than it, unordered."""
        return [
            record
            for record in self._present(self._store.members(near))
            if record.leader is not None and not record.leads and record.entry.order >= near.order
        ]

    def followers(self, leader: ItemKey) -> list[Record]:
        """Return the present followers of a leader, without itself, unordered; remember them."""
        present = self._present(self.remember(self._store.followers(leader)))
        return [one for one in present if one.leader == leader and one.key != leader]

    def remember(self, records: Sequence[Record]) -> Sequence[Record]:
        """Remember the stored state of records that the decision reads first; return them all."""
        for record in records:
            if record.key not in self._after:
                self._before.setdefault(record.key, record)
        return records

    def _present(self, answer: Sequence[Record]) -> Iterable[Record]:
        """Return the present state of the given stored records, then all other decided records."""
        return ({record.key: record for record in answer} | self._after).values()


def without_leader(record: Record) -> Record:
    """Return the record without leader, match and link, to be judged again."""
    return record._replace(leader=None, match=None, similar=None)
