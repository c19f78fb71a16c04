"""The records that a look-up found, and their rows."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Protocol, TypeVar

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


class NearRecords(list[_R]):
    """The records near an entry, and the rows by which a rule rules most of them out unread."""

    def __init__(self, records: Iterable[_R], make_rows: Callable[[], Rows | None]) -> None:
        """`make_rows` makes the rows of the records in their order; it is called once at most."""
        super().__init__(records)
        self._make_rows = make_rows

    @cached_property
    def rows(self) -> Rows | None:
        """Return a row of each record, in their order; None of a rule without a filter."""
        return self._make_rows()


def near_records(records: Sequence[_R], rule: Rule) -> NearRecords[_R]:
    """Return records as NearRecords; their rows are made when they are read."""
    if isinstance(records, NearRecords):
        return records

    def make_rows() -> Rows | None:
        by = rule.candidate_filter
        return None if by is None else by.make_rows([record.entry for record in records])

    return NearRecords(records, make_rows)
