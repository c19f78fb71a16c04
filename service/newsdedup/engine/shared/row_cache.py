"""A cache of the rows of candidates: in a full window a worker reads the same ones again."""

from collections.abc import Sequence

import numpy as np

from newsdedup.core.matching.rows import CandidateFilter, Rows
from newsdedup.core.model import Entry


class RowCache:
    """The rows of entries that are found again and again: the same objects, read from a cache."""

    def __init__(self, by: CandidateFilter, *, size: int) -> None:
        """At most `size` rows are kept alongside those of the latest call."""
        self._filter = by
        self._size = size
        self._rows: dict[int, tuple[Entry, bytes]] = {}
        """By the identity of the entry, which stays its own while the entry is held here."""

    def make_rows(self, entries: Sequence[Entry]) -> Rows:
        """Return the rows of entries, in their order; they cannot be written to."""
        rows = self._rows
        if missing := [entry for entry in entries if id(entry) not in rows]:
            if len(rows) + len(missing) > self._size:
                rows.clear()
                missing = list(entries)
            written, width = self._filter.make_rows(missing).tobytes(), self._filter.row.itemsize
            for nth, entry in enumerate(missing):
                rows[id(entry)] = (entry, written[nth * width : (nth + 1) * width])
        return np.frombuffer(b"".join([rows[id(entry)][1] for entry in entries]), self._filter.row)
