"""The records of the window in memory: the default store, and the oracle of all others."""

from collections import deque
from collections.abc import Iterable, Sequence

from newsdedup.adapters.memory.postings import Postings
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey, Micros
from newsdedup.core.stories.publication import Settlement
from newsdedup.core.stories.records import Record

FREED_PER_STEP = 16
"""Expired records freed per stored decision: more than arrive, too few to be felt."""


class MemoryStore:
    """A Store whose indexes refer to records by ordinals, their numbers in order of arrival."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._ordinals: dict[ItemKey, int] = {}
        self._records: dict[int, Record] = {}
        self._buckets: dict[int, int] = {}
        self._followers: dict[ItemKey, set[int]] = {}
        self._leaders = Postings()
        self._members = Postings()
        self._filed: dict[int, list[int]] = {}
        """By bucket the ordinals of the records that expire with it."""
        self._dead: deque[list[int]] = deque()
        """The ordinals of expired buckets whose records are not freed yet."""
        self._floor = -(1 << 62)
        self._next = 0
        self._latest: Micros = -(1 << 62)
        """The latest time of any record: most arrivals need not look for later members."""

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self._ordinals)

    @property
    def skipped(self) -> int:
        """Return how many posting lists were too long to be read: matches may have been missed."""
        return self._leaders.hot_skipped + self._members.hot_skipped

    def known(self, key: ItemKey) -> Record | None:
        """Return the record of an item, None if nothing is stored of it."""
        ordinal = self._ordinals.get(key)
        return self._records[ordinal] if ordinal is not None and self._alive(ordinal) else None

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders that share enough keys with an entry, unordered."""
        return self._near(self._leaders, near)

    def count_postings(self, near: Entry) -> int:
        """Return how many postings a look-up for the leaders near an entry reads."""
        return self._leaders.count(self._rule.index_keys(near))

    def members(self, near: Entry) -> Sequence[Record]:
        """Return the members of stories, not earlier than an entry, that share enough keys."""
        if near.effective_at > self._latest:
            return []
        order = near.order
        return [one for one in self._near(self._members, near) if one.entry.order >= order]

    def followers(self, leader: ItemKey) -> Sequence[Record]:
        """Return the records that follow a leader, unordered."""
        return [self._records[o] for o in self._followers.get(leader, ()) if self._alive(o)]

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket with which an item expires: that of its latest version."""
        return self.place(key)[1]

    def place(self, key: ItemKey) -> tuple[int, int]:
        """Return the ordinal and the bucket of an item."""
        ordinal = self._ordinals[key]
        return ordinal, self._buckets[ordinal]

    def records(self) -> Iterable[tuple[Record, int]]:
        """Return every record with its bucket."""
        alive = (o for o in self._ordinals.values() if self._alive(o))
        return [(self._records[o], self._buckets[o]) for o in alive]

    def store(self, settlement: Settlement, *, bucket: int) -> None:
        """Write the records that a decision changes; new ones expire with the bucket."""
        for record in settlement.changed:
            self.put(record, bucket=bucket)
        self._free()

    def put(self, record: Record, *, bucket: int) -> None:
        """Write a record in place of its former state; a new one expires with the bucket.

        A new version of a known item moves it to a later bucket.
        """
        ordinal = self._ordinals.get(record.key)
        if ordinal is not None and not self._alive(ordinal):
            self._drop(ordinal)
            ordinal = None
        if ordinal is None:
            self.restore(record, ordinal=self._next, bucket=bucket)
        else:
            before = self._records[ordinal]
            self._replace(before, record, ordinal)
            self._records[ordinal] = record
            if bucket > self._buckets[ordinal] and not record.same_versions(before):
                self._buckets[ordinal] = bucket
                self._filed.setdefault(bucket, []).append(ordinal)
            self._latest = max(self._latest, record.entry.effective_at)

    def restore(self, record: Record, *, ordinal: int, bucket: int) -> None:
        """Add a record under an unused ordinal; it expires with the bucket."""
        self._ordinals[record.key] = ordinal
        self._buckets[ordinal] = bucket
        self._records[ordinal] = record
        self._filed.setdefault(bucket, []).append(ordinal)
        self._file(record, ordinal)
        self._next = max(self._next, ordinal + 1)
        self._latest = max(self._latest, record.entry.effective_at)

    def expire(self, *, before: int) -> None:
        """Drop the records of all buckets before this one; their memory is freed bit by bit."""
        if before <= self._floor:
            return
        self._floor = before
        for bucket in sorted(bucket for bucket in self._filed if bucket < before):
            self._dead.append(self._filed.pop(bucket))

    def _free(self) -> None:
        """Remove up to 16 expired records, so that expiry never pauses the stream."""
        for _ in range(FREED_PER_STEP):
            if not self._dead:
                return
            ordinal = self._dead[0].pop()
            # A later version may have moved it to a bucket that is not expired.
            if ordinal in self._buckets and not self._alive(ordinal):
                self._drop(ordinal)
            if not self._dead[0]:
                self._dead.popleft()

    def _near(self, postings: Postings, near: Entry) -> list[Record]:
        """Return the records in some postings that share enough keys with an entry."""
        records, buckets, floor = self._records, self._buckets, self._floor
        ordinals = postings.find(self._rule.index_keys(near))
        return [records[o] for o in ordinals if buckets[o] >= floor]

    def _alive(self, ordinal: int) -> bool:
        return self._buckets[ordinal] >= self._floor

    def _drop(self, ordinal: int) -> None:
        """Remove a record from all indexes, unless that was done before."""
        record = self._records.get(ordinal)
        if record is None:
            return
        self._unfile(record, ordinal)
        del self._records[ordinal], self._buckets[ordinal]
        if self._ordinals.get(record.key) == ordinal:
            del self._ordinals[record.key]

    def _replace(self, before: Record, after: Record, ordinal: int) -> None:
        """File a record anew if its leader or entry has changed."""
        if before.leader != after.leader or before.entry is not after.entry:
            self._unfile(before, ordinal)
            self._file(after, ordinal)

    def _file(self, record: Record, ordinal: int) -> None:
        """Add a record to the postings of its role, and to its leader's followers."""
        if record.leader is None:
            return
        postings = self._leaders if record.leads else self._members
        postings.file(self._rule.index_keys(record.entry), ordinal)
        if not record.leads:
            self._followers.setdefault(record.leader, set()).add(ordinal)

    def _unfile(self, record: Record, ordinal: int) -> None:
        """Remove a record from the postings and from its leader's followers."""
        if record.leader is None:
            return
        postings = self._leaders if record.leads else self._members
        postings.unfile(self._rule.index_keys(record.entry), ordinal)
        if not record.leads:
            followers = self._followers[record.leader]
            followers.discard(ordinal)
            if not followers:
                del self._followers[record.leader]
