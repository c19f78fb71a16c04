"""The records that one batch has decided, found as every store finds its own."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from newsdedup.core.matching.index_keys import IndexKeys, candidate_test
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey
from newsdedup.core.stories.records import Record
from newsdedup.ports.isolation import stored_index_keys

_NONE: Final = IndexKeys(())


class DecidedRecords:
    """Records in dictionaries: a batch has a few hundred at most, which are read often.

    It answers as RecordReader says, and knows nothing of buckets.
    """

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._slots: dict[ItemKey, int] = {}
        self._records: list[Record] = []
        """By slot."""
        self._keys: list[IndexKeys] = []
        """By slot the keys under which the record is found."""
        self._holders: defaultdict[int, set[int]] = defaultdict(set)
        """By key the slots of the records that have it."""
        self._followers: defaultdict[ItemKey, set[int]] = defaultdict(set)
        """By leader."""

    def put(self, records: Iterable[Record]) -> None:
        """Add records, each in place of its former state."""
        for record in records:
            slot = self._slots.setdefault(record.key, len(self._records))
            if slot == len(self._records):
                self._records.append(record)
                self._keys.append(_NONE)
                self._file(slot)
                self._follow(slot)
                continue
            before, self._records[slot] = self._records[slot], record
            if before.entry != record.entry:
                self._file(slot)
            if before.leader != record.leader:
                if before.leader is not None:
                    self._followers[before.leader].discard(slot)
                self._follow(slot)

    def known(self, key: ItemKey) -> Record | None:
        """Return the record of an item, None if the batch has not decided about it."""
        slot = self._slots.get(key)
        return None if slot is None else self._records[slot]

    def leaders(self, near: Entry) -> list[Record]:
        """Return the leaders and variants that are candidates of an entry, unordered."""
        return [record for record in self._near(near) if record.is_compared]

    def members(self, near: Entry) -> list[Record]:
        """Return the followers that are candidates of an entry and not earlier, unordered."""
        order = near.order
        return [
            record
            for record in self._near(near)
            if record.leader is not None and not record.leads and record.entry.order >= order
        ]

    def followers(self, leader: ItemKey) -> list[Record]:
        """Return the records that follow a leader, without itself, unordered."""
        following = [self._records[slot] for slot in self._followers.get(leader, ())]
        return [record for record in following if record.key != leader]

    def _near(self, near: Entry) -> list[Record]:
        """Return the records whose keys make them candidates of an entry, whatever their role."""
        keys, holders = self._rule.index_keys(near), self._holders
        sums: dict[int, int] = {}
        for key, worth in keys.weighed().items():
            for slot in holders.get(key, ()):
                sums[slot] = sums.get(slot, 0) + worth
        floor = keys.floor
        found = {slot for slot, worth in sums.items() if worth >= floor}
        for key in keys.alone:
            found.update(holders.get(key, ()))
        finds = candidate_test(keys)
        return [self._records[slot] for slot in found if finds(self._keys[slot])]

    def _file(self, slot: int) -> None:
        """File a record under the keys of its entry, and no longer under those it had before."""
        for key in (*self._keys[slot].counted, *self._keys[slot].alone):
            self._holders[key].discard(slot)
        keys = self._keys[slot] = stored_index_keys(self._rule, self._records[slot])
        for key in (*keys.counted, *keys.alone):
            self._holders[key].add(slot)

    def _follow(self, slot: int) -> None:
        """Note a record among the followers of its leader, if it has one."""
        leader = self._records[slot].leader
        if leader is not None:
            self._followers[leader].add(slot)
