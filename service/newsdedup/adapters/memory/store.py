"""The records of the window in memory: the default store, and the oracle of all others."""

from collections.abc import Iterable, Sequence

from newsdedup.adapters.formats.event_json import decode_judgement, encode_judgement
from newsdedup.adapters.memory.expiry_queue import ExpiryQueue
from newsdedup.adapters.memory.item_slots import ItemSlots, hash_item
from newsdedup.adapters.memory.key_columns import KeyColumns
from newsdedup.adapters.memory.postings import Postings
from newsdedup.adapters.memory.sorted_pairs import SortedPairs
from newsdedup.adapters.memory.table import RecordTable
from newsdedup.core.events import Judgement
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey, Micros, Version
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record
from newsdedup.ports.isolation import stored_index_keys
from newsdedup.ports.store import LedgerRow


class MemoryStore:
    """A Store whose indexes refer to records by their slots in a table."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._table = table = RecordTable(rule.candidate_filter)
        self._slots = ItemSlots(lambda slot: table.records[slot].key)
        self._followers = SortedPairs()
        """By the hash of a leader the slots of its followers."""
        self._leaders = Postings()
        self._members = Postings()
        self._keys = KeyColumns()
        self._expiry = ExpiryQueue()
        self._next = 0
        self._latest: Micros = -(1 << 62)
        """The latest time of any record: most arrivals need not look for later members."""

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self._slots)

    @property
    def skipped(self) -> int:
        """Return how many posting lists were too long to be read: matches may have been missed."""
        return self._leaders.hot_skipped + self._members.hot_skipped

    def known(self, key: ItemKey) -> Record | None:
        """Return the record of an item, None if nothing is stored of it."""
        slot = self._slots.find(key)
        return self._table.records[slot] if slot is not None and self._alive(slot) else None

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders and variants that share enough keys with an entry, unordered."""
        return self._near(self._leaders, near)

    def members(self, near: Entry) -> Sequence[Record]:
        """Return the followers that share enough keys with an entry and are not earlier than it."""
        if near.effective_at > self._latest:
            return []
        order = near.order
        found = self._near(self._members, near, since=near.effective_at)
        return [one for one in found if one.entry.order >= order]

    def followers(self, leader: ItemKey) -> Sequence[Record]:
        """Return the records that follow a leader, unordered."""
        slots = [slot for slot in self._followers.read(hash_item(leader)) if self._alive(slot)]
        records = [self._table.records[slot] for slot in slots]
        # Another leader may have the same hash.
        return [record for record in records if record.leader == leader]

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket of the latest version of an item; raise KeyError if it is unknown."""
        return self._table.bucket(self._slot(key))

    def arrival_and_bucket(self, key: ItemKey) -> tuple[int, int]:
        """Return an item's number in the order of arrival, and its bucket; or raise KeyError."""
        slot = self._slot(key)
        return self._table.arrival(slot), self._table.bucket(slot)

    def encoded(self, key: ItemKey) -> bytes:
        """Return an item's record encoded; raise KeyError if it is unknown.

        Raise UnicodeEncodeError if one of its texts is not Unicode.
        """
        return self._table.encoded(self._slot(key))

    def store(self, decision: Decision, *, bucket: int) -> None:
        """Write the records that a decision changes; new ones expire with the bucket.

        Some expired records are removed from memory.
        """
        for record in decision.changed:
            self.put(record, bucket=bucket)
        # Some of the expired records, with each decision.
        for slot in self._expiry.take():
            if not self._alive(slot) and self._slots.find(self._table.records[slot].key) == slot:
                self._drop(slot)

    def put(self, record: Record, *, bucket: int) -> None:
        """Write a record in place of its former state; a new one expires with the bucket.

        A new version of a known item moves it to a later bucket.
        """
        slot = self._slots.find(record.key)
        if slot is not None and not self._alive(slot):
            self._drop(slot)
            slot = None
        if slot is None:
            self.restore(record, arrival=self._next, bucket=bucket)
        else:
            before = self._table.records[slot]
            self._table.replace(slot, record)
            if _filed_under(before) != _filed_under(record):
                self._unfile(before, slot)
                self._file(record, slot)
            if bucket > self._table.bucket(slot) and not record.same_versions(before):
                self._table.move(slot, bucket=bucket)
                self._expiry.file(slot, bucket=bucket)
            self._latest = max(self._latest, record.entry.effective_at)

    def restore(self, record: Record, *, arrival: int, bucket: int) -> None:
        """Add a record of an item that is not stored, under its number in the order of arrival."""
        slot = self._table.add(record, arrival=arrival, bucket=bucket)
        self._slots.add(record.key, slot)
        self._expiry.file(slot, bucket=bucket)
        self._file(record, slot)
        self._next = max(self._next, arrival + 1)
        self._latest = max(self._latest, record.entry.effective_at)

    def expire(self, *, before: int) -> None:
        """Drop the records of all buckets before this one; their memory is freed bit by bit."""
        self._expiry.expire(before=before)

    def _near(
        self, postings: Postings, near: Entry, *, since: Micros | None = None
    ) -> Sequence[Record]:
        """Return the live records in `postings` that are candidates of an entry.

        Those before the time `since` are left out.
        """
        keys = self._rule.index_keys(near)
        if not keys.worths and not keys.near:
            return self._table.read(postings.find(keys), floor=self._expiry.floor, since=since)
        columns, times, found = self._keys, self._table.times, postings.find_any(keys.sure)
        slots, paired = postings.find_worth(keys), postings.find_any(keys.near)
        if len(slots):
            found.update(columns.candidates(slots, keys, times=times))
        if paired:
            found.update(columns.near(paired, keys, times=times))
        return self._table.read(found, floor=self._expiry.floor, since=since)

    def _slot(self, key: ItemKey) -> int:
        """Return the slot of an item; raise KeyError if it is unknown."""
        slot = self._slots.find(key)
        if slot is None:
            raise KeyError(key)
        return slot

    def _alive(self, slot: int) -> bool:
        """Return whether the record in a slot has not expired."""
        return self._table.bucket(slot) >= self._expiry.floor

    def _drop(self, slot: int) -> None:
        """Remove the record in a slot from all indexes, and free the slot."""
        record = self._table.records[slot]
        self._unfile(record, slot)
        self._slots.remove(record.key, slot)
        self._table.free(slot)

    def _file(self, record: Record, slot: int) -> None:
        """Add a record to the postings of its role, and to its leader's followers."""
        if record.leader is None:
            return
        keys = stored_index_keys(self._rule, record)
        for postings in self._postings_of(record):
            postings.file(keys, slot)
        if keys.worths or keys.near:
            self._keys.set(slot, keys)
        if not record.leads:
            self._followers.add(hash_item(record.leader), slot)

    def _unfile(self, record: Record, slot: int) -> None:
        """Remove a record from the postings and from its leader's followers."""
        if record.leader is None:
            return
        keys = stored_index_keys(self._rule, record)
        for postings in self._postings_of(record):
            postings.unfile(keys, slot)
        if not record.leads:
            self._followers.remove(hash_item(record.leader), slot)

    def _postings_of(self, record: Record) -> list[Postings]:
        """Return the postings that hold a record: a variant is found in both roles."""
        if record.leads:
            return [self._leaders]
        return [self._leaders, self._members] if record.is_variant else [self._members]


def _filed_under(record: Record) -> tuple[ItemKey | None, bool, Entry]:
    """Return what decides under which postings a record is filed."""
    return record.leader, record.is_variant, record.entry


class MemoryBatchLedger:
    """A BatchLedger in memory, of one batch of a worker."""

    def __init__(self) -> None:
        self._rows: dict[ItemKey, dict[Version, LedgerRow]] = {}
        self._changed: set[ItemKey] = set()

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:  # noqa: ARG002 - rows expire with their record
        """Store the input bytes and the judgement of a version; return the judgement encoded."""
        encoded = encode_judgement(published)
        version = Version(published.version)
        self._rows.setdefault(key, {})[version] = LedgerRow(version, received, encoded)
        self._changed.add(key)
        return encoded

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Replace the judgement of a version, or raise KeyError without it; return it encoded."""
        encoded = encode_judgement(published)
        version = Version(published.version)
        self._rows[key][version] = self._rows[key][version]._replace(published=encoded)
        self._changed.add(key)
        return encoded

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, Judgement]:
        """Return input bytes and latest judgement of a version; raise KeyError if it is missing."""
        row = self._rows[key][version]
        return row.received, decode_judgement(row.published)

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Do nothing: `changed` leaves out the versions that the record does not list."""

    def erase(self, key: ItemKey) -> None:
        """Drop all versions of an item; the next commit deletes its rows."""
        self._rows[key] = {}
        self._changed.add(key)

    def expire(self, *, before: int) -> None:
        """Do nothing: rows expire with their record."""

    def load(self, key: ItemKey, rows: Iterable[LedgerRow]) -> None:
        """Add an item's rows as the server stores them, unless rows of it are here already."""
        if key not in self._rows:
            self._rows[key] = {row.version: row for row in rows}

    def knows(self, key: ItemKey) -> bool:
        """Return whether an item's rows are here, or known not to exist; else `load` them."""
        return key in self._rows

    def reset(self, key: ItemKey) -> None:
        """Drop the rows of an item that has expired and comes again; `load` brings none back."""
        self._rows[key] = {}

    def changed(self, record: Record) -> tuple[LedgerRow, ...] | None:
        """Return an item's rows for the commit, None if unchanged since the last one.

        They count as committed now. Rows of versions that the record does not know are left out.
        """
        if record.key not in self._changed:
            return None
        self._changed.discard(record.key)
        rows = self._rows[record.key].values()
        return tuple(row for row in rows if record.knows(row.version))
