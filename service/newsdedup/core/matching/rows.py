"""Entries as rows of one size, read together as arrays: a look-up may find thousands of them."""

from collections.abc import Sequence
from struct import Struct
from typing import NamedTuple, Protocol

import numpy as np
import xxhash
from numpy.typing import NDArray

from newsdedup.core.model import LANGUAGES, Entry, Language, Version

Rows = NDArray[np.void]
Indexes = NDArray[np.intp]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

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
_LANGUAGE_CODES: dict[Language, int] = {lang: code for code, lang in enumerate(LANGUAGES)}


class Prospects(NamedTuple):
    """Those of many candidates that may match an entry: arrays with an element for each."""

    indexes: Indexes
    """Among the candidates; ascending."""
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


def pack_header(entry: Entry) -> bytes:
    """Return the header of an entry's row."""
    return _HEADER.pack(
        entry.effective_at,
        hash_text(entry.key.source),
        hash_text(entry.version),
        language_code(entry.lang),
        bool(entry.passages),
    )


def hash_text(text: str | Version) -> int:
    """Return the 64 bits that stand for a source or a version in a header."""
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def language_code(lang: Language) -> int:
    """Return the number that stands for a language in a header."""
    return _LANGUAGE_CODES[lang]
