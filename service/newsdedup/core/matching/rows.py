"""Entries as rows of one size, read together as arrays: a look-up may find thousands of them."""

from collections.abc import Callable, Sequence
from functools import cached_property
from struct import Struct
from typing import NamedTuple, Protocol, TypeVar, overload

import numpy as np
import xxhash
from numpy.typing import NDArray

from newsdedup.core.model import LANGUAGES, Entry, Language, Version

Rows = NDArray[np.void]
Indexes = NDArray[np.intp]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEW = 8
"""Up to so many records are compared faster in full than by their rows."""

HEADER = np.dtype(
    [
        ("effective_at", "<i8"),
        ("source", "<u8"),
        ("version", "<u8"),
        ("lang", "u1"),
        ("digest", "?"),
        ("unused", "V6"),
    ]
)
"""What each row begins with. Source and version are hashes of 64 bits."""

_HEADER = Struct("<qQQB?6x")
LANGUAGE_CODES: dict[Language, int] = {lang: code for code, lang in enumerate(LANGUAGES)}
"""The code of each language in a header."""


class Prospects(NamedTuple):
    """Which of many candidates may match an entry: arrays with an element for each of these."""

    indexes: Indexes
    """The index of each among the candidates, ascending."""
    scores: Floats
    """No less than the score of the match."""
    duplicates: Flags
    """Whether it may be a duplicate; if not, it may still be similar."""


class CandidateFilter(Protocol):
    """Rules out most of many candidates by their rows, without reading their entries."""

    row: np.dtype[np.void]
    """The fields of a row, those of HEADER first."""

    def make_rows(self, entries: Sequence[Entry]) -> Rows:
        """Return the rows of entries, in their order: `read_rows` of what `pack_row` returns."""

    def pack_row(self, entry: Entry) -> tuple[bytes, bytes]:
        """Return what the row of an entry is made of, in two parts that belong together.

        The second one is also in the encoded entry, byte by byte: a store may keep it once.
        """

    def read_rows(self, packed: Sequence[bytes]) -> Rows:
        """Return the rows of entries whose rows were packed, in their order."""

    def prospects(self, one: Entry, rows: Rows) -> Prospects | None:
        """Return which of the entries in these rows may match one, and how well at best.

        A pair that is left out does not match, and no match is better than its prospect. None if
        this entry must be compared with all of them.
        """


class HasEntry(Protocol):
    """A record, as far as a rule reads it."""

    @property
    def entry(self) -> Entry:
        """The version that represents the item."""

    @property
    def is_variant(self) -> bool:
        """Whether it is a member of a story that later items are compared with."""


_R = TypeVar("_R", bound=HasEntry)


class NearRecords(Sequence[_R]):
    """The records that share enough keys with an entry, and their rows for a CandidateFilter.

    A store may decode each record when it is read: read those alone that must be compared.
    """

    def __init__(self, records: Sequence[_R], make_rows: Callable[[], Rows | None]) -> None:
        """`make_rows` makes the rows of the records in their order; it is called once at most."""
        self._records = records
        self._make_rows = make_rows

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> _R: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_R]: ...
    def __getitem__(self, index: int | slice) -> _R | Sequence[_R]:
        """Return the record at an index, or those of a slice."""
        return self._records[index]

    @cached_property
    def rows(self) -> Rows | None:
        """Return a row for each record, in their order; None if the rule has no filter."""
        return self._make_rows()


def near_records(records: Sequence[_R], by: CandidateFilter | None) -> NearRecords[_R]:
    """Return records as NearRecords; `by`, the filter of the rule, makes rows when first read.

    With None, for a rule without a filter, there are no rows.
    """
    if isinstance(records, NearRecords):
        return records
    return NearRecords(
        records, lambda: by.make_rows([record.entry for record in records]) if by else None
    )


def pack_header(entry: Entry) -> bytes:
    """Return what an entry's row begins with: the fields of HEADER, packed."""
    return _HEADER.pack(
        entry.effective_at,
        hash_text(entry.key.source),
        hash_text(entry.version),
        LANGUAGE_CODES[entry.lang],
        bool(entry.passages),
    )


def hash_text(text: str | Version) -> int:
    """Return the hash of a source or a version in a header, 64 bits."""
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))
