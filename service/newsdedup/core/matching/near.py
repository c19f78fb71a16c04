"""The records that a look-up found, which are read only where they are compared."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Protocol, TypeVar, overload

from newsdedup.core.matching.rows import Rows
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry

FEW = 8
"""So many records are compared faster than their rows are."""


class HasEntry(Protocol):
    """A record, as far as a rule reads it."""

    @property
    def entry(self) -> Entry:
        """The version that represents the item."""


_R = TypeVar("_R", bound=HasEntry)


class NearRecords(Sequence[_R]):
    """The records near an entry, and the rows by which a rule rules most of them out unread."""

    def __init__(
        self, table: Sequence[_R], slots: Sequence[int], make_rows: Callable[[], Rows | None]
    ) -> None:
        """`slots` are the indexes of the records in `table`; `make_rows` is called once at most."""
        self._table = table
        self._slots = slots
        self._make_rows = make_rows

    @cached_property
    def rows(self) -> Rows | None:
        """Return a row of each record, in their order; None of a rule without a filter."""
        return self._make_rows()

    @overload
    def __getitem__(self, index: int) -> _R: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[_R]: ...

    def __getitem__(self, index: int | slice) -> _R | Sequence[_R]:
        """Return the record at an index, or those of a slice."""
        if isinstance(index, slice):
            return [self._table[slot] for slot in self._slots[index]]
        return self._table[self._slots[index]]

    def __iter__(self) -> Iterator[_R]:
        """Return an iterator over the records."""
        return map(self._table.__getitem__, self._slots)

    def __len__(self) -> int:
        """Return how many records were found."""
        return len(self._slots)


def near_records(records: Sequence[_R], rule: Rule) -> NearRecords[_R]:
    """Return records as NearRecords; their rows are made when they are read."""
    if isinstance(records, NearRecords):
        return records

    def make_rows() -> Rows | None:
        by = rule.candidate_filter
        return None if by is None else by.make_rows([record.entry for record in records])

    return NearRecords(records, range(len(records)), make_rows)
