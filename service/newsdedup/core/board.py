"""A decision in progress: what the keeper holds, overlaid with what is already decided.

The core asks and the edge answers (a `Deciding` generator yields questions), so one and the same
decision runs over memory, SQLite or a server, and nothing is stored before it is whole.
"""

from collections.abc import Callable, Generator, Iterable

from newsdedup.core.model import Entry, ItemKey
from newsdedup.core.records import (
    Answer,
    Followers,
    Known,
    Leaders,
    Members,
    Question,
    Record,
)

Asking = Generator[Question, Answer, list[Record]]


class Board:
    """Records as they would be if the decision so far were stored."""

    def __init__(self) -> None:
        self._before: dict[ItemKey, Record] = {}
        self._after: dict[ItemKey, Record] = {}

    def put(self, record: Record) -> None:
        """Decide a record's next state."""
        self._after[record.key] = record

    def before(self, key: ItemKey) -> Record | None:
        """Return the stored state of an item that was met in this decision."""
        return self._before.get(key)

    def now(self, key: ItemKey) -> Record | None:
        """Return the decided, else the stored state of an item that was met."""
        return self._after.get(key) or self._before.get(key)

    def decided(self) -> list[Record]:
        """Return the records with a decided state, in the total order."""
        if len(self._after) == 1:
            return list(self._after.values())
        return sorted(self._after.values(), key=lambda record: record.entry.order)

    def known(self, key: ItemKey) -> Generator[Question, Answer, Record | None]:
        """Return the present state of any item, None if nothing is kept of it."""
        if key not in self._after and key not in self._before:
            self._meet((yield Known(key)))
        return self.now(key)

    def leaders(self, near: Entry) -> Asking:
        """Return the present leaders that may match an entry, in no order.

        A leader of this very decision may not be filed yet, so all of them are returned: a
        candidate too many costs one comparison.
        """
        self._meet(answer := (yield Leaders(near)))
        return self._present(answer, lambda record: record.leads and record.key != near.key)

    def members(self, near: Entry) -> Asking:
        """Return the present members, not earlier than an entry, that may match it."""
        self._meet(answer := (yield Members(near)))
        return self._present(answer, lambda record: record.leader is not None and not record.leads)

    def followers(self, leader: ItemKey) -> Asking:
        """Return the present followers of a leader, without itself, in no order."""
        self._meet(answer := (yield Followers(leader)))
        return self._present(
            answer, lambda record: record.leader == leader and record.key != leader
        )

    def _meet(self, answer: Iterable[Record]) -> None:
        for record in answer:
            self._before.setdefault(record.key, record)

    def _present(self, answer: Answer, wanted: Callable[[Record], bool]) -> list[Record]:
        """Return the wanted among the answered and the decided, as they are now."""
        if not self._after:
            return [record for record in answer if wanted(record)]
        keys = {record.key for record in answer}.union(self._after)
        present = (self.now(key) for key in keys)
        return [record for record in present if record is not None and wanted(record)]


def unplaced(record: Record) -> Record:
    """Return the record as one that waits for its place."""
    return record._replace(leader=None, match=None, similar=None)
