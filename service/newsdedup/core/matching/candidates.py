"""How the candidates of an entry are found by keys, and most of them ruled out by their rows.

Keys: which terms of a signature must be looked up so that no match is lost (prefix filtering).
Let two signatures of n and m terms, sorted in one frozen order, share s >= least terms. Behind
the k-th shared term are at least least - k more, so in each signature it is among the first
n - least + k. Hence the prefixes of that length share k terms (Chaudhuri et al. 2006; Bayardo
et al. 2007). Rare terms come first, so the postings left unread are the long ones.

For duplicates this is exact. A lower bar, for what is merely similar, lengthens the prefix by
the commonest terms, whose postings grow with the window; of those only the terms that are not
common are keys (docs/decisions/0007-bounded-similarity.md has what that costs).

Rows: a look-up may find thousands of entries. As rows of one size they are read together as arrays.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from struct import Struct
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
import xxhash
from numpy.typing import NDArray

from newsdedup.core.model import LANGUAGES, Entry, Language, Version
from newsdedup.core.words.background import first_key

HITS = 2
"""The k above: two hits read a longer prefix than one, but far fewer candidates pass."""

_CACHED = 4_096
"""Cached keys of signatures: those of a batch and of its candidates."""

COMMON_TERM = first_key(1 / 1024)
"""The key from which a term is common: in one document of a thousand or more."""


class IndexKeys(NamedTuple):
    """The keys of an entry in an index; a look-up by them finds entries that share enough."""

    counted: tuple[int, ...]
    """An entry that shares at least HITS of these is a candidate."""
    sure: tuple[int, ...] = ()
    """An entry that shares one of these is a candidate."""


def prefix_keys(entry: Entry, *, sure: int, hoped: int) -> IndexKeys:
    """Return the keys that find every entry sharing `sure` terms, and most sharing `hoped`.

    An entry that shares fewer than `sure` terms is found if two of them are among the first
    n - sure + HITS of either signature, or not common. A signature of fewer than `sure` terms can
    only match as a whole: it has one key, of its terms and numbers; without terms, of the text.
    """
    if not entry.terms:
        return IndexKeys((), (text_key(entry),))
    if len(entry.terms) < sure:
        return IndexKeys((), (_hash(f"terms {entry.terms} numbers {entry.numbers}"),))
    return _prefix(entry.terms, sure, hoped)


@lru_cache(maxsize=_CACHED)
def _prefix(terms: tuple[int, ...], sure: int, hoped: int) -> IndexKeys:
    """Return the `prefix_keys` of a signature of `sure` terms or more, cached for one decision."""
    count = len(terms)
    exact, end = count - sure + HITS, count - hoped + HITS
    # Sorted by commonness: where one is common, so are all behind it.
    while end > exact and terms[end - 1] >= COMMON_TERM:
        end -= 1
    return IndexKeys(terms[:end])


def are_candidates(left: IndexKeys, right: IndexKeys) -> bool:
    """Return whether a look-up by the keys of one entry finds the other."""
    return candidate_test(left)(right)


def candidate_test(keys: IndexKeys) -> Callable[[IndexKeys], bool]:
    """Return the function that says whether a look-up by these keys finds an entry with others."""
    counted, sure = frozenset(keys.counted), frozenset(keys.sure)

    def finds(other: IndexKeys) -> bool:
        return not sure.isdisjoint(other.sure) or len(counted.intersection(other.counted)) >= HITS

    return finds


def text_key(entry: Entry) -> int:
    """Return one 63-bit key for the version of an entry, which only equal texts share."""
    return _hash(f"text {entry.version}")


def _hash(text: str) -> int:
    """Return the xxh3 of a text, 63 bits."""
    return xxhash.xxh3_64_intdigest(text.encode()) >> 1


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
        """Return the rows of entries, in their order."""

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


_R = TypeVar("_R", bound=HasEntry)


class NearRecords(list[_R]):
    """The records that share enough keys with an entry, and their rows for a CandidateFilter."""

    def __init__(self, records: Iterable[_R], make_rows: Callable[[], Rows | None]) -> None:
        """`make_rows` makes the rows of the records in their order; it is called once at most."""
        super().__init__(records)
        self._make_rows = make_rows

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
