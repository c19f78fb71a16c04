"""A decision in progress: the stored records, overlaid with what is already decided.

Nothing is written to the store before the decision is complete.
"""

from collections.abc import Iterable, Sequence

from newsdedup.core.matching.index_keys import candidate_test
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey
from newsdedup.core.stories.records import Record, RecordReader


class Overlay:
    """Records as they would be if the decision so far were stored."""

    def __init__(self, store: RecordReader) -> None:
        self._store = store
        self._before: dict[ItemKey, Record] = {}
        self._after: dict[ItemKey, Record] = {}

    def put(self, record: Record) -> None:
        """Set the state of a record as this decision leaves it so far."""
        self._after[record.key] = record

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
        """Return the present leaders that share enough keys with an entry, without its own item."""
        answer = self._store.leaders(near)
        own, after = near.key, self._after
        # The store does not know what this decision has changed so far.
        finds = candidate_test(rule.index_keys(near))
        return [
            *(record for record in answer if record.key not in after and record.key != own),
            *(
                record
                for record in after.values()
                if record.leads and record.key != own and finds(rule.index_keys(record.entry))
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
