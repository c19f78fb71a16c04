"""How often each source used each phrase, in sorted columns, a seventh of a dictionary."""

import numpy as np
from numpy.typing import NDArray

PhraseKeys = NDArray[np.uint64]
"""Phrases of sources: the hash of the source, 31 bits, and that of the phrase, 32 bits."""
Uses = NDArray[np.int64]

_MOST_RECENT = 32_768
"""New phrases that are kept apart, so that the columns of all others are seldom made anew."""
_END = np.iinfo(np.uint64).max
"""What columns end with, so that a search never leads behind them."""


class PhraseCounts:
    """The uses of the phrases of one generation."""

    def __init__(self) -> None:
        self._settled, self._recent = _Columns(), _Columns()

    def __len__(self) -> int:
        """Return the number of different phrases."""
        return len(self._settled) + len(self._recent)

    def add(self, keys: PhraseKeys) -> None:
        """Count a use of each of these phrases."""
        distinct, uses = np.unique(keys, return_counts=True)
        for columns in (self._settled, self._recent):
            is_new = ~columns.add(distinct, uses)
            distinct, uses = distinct[is_new], uses[is_new]
        self._recent = self._recent.merge(distinct, uses)
        if len(self._recent) > _MOST_RECENT:
            self.settle()

    def settle(self) -> None:
        """Have all phrases in the same columns, where they are found faster."""
        self._settled = self._settled.merge(*self._recent.read_all())
        self._recent = _Columns()

    def add_uses(self, keys: PhraseKeys, uses: Uses) -> None:
        """Add to `uses`, an element for each of these phrases, how often it was used."""
        for columns in (self._settled, self._recent):
            if len(columns):
                columns.add_uses(keys, uses)


class _Columns:
    """Different phrases, ascending, and how often each was used."""

    def __init__(self, keys: PhraseKeys | None = None, uses: Uses | None = None) -> None:
        self._keys = np.array((_END,), np.uint64) if keys is None else keys
        self._uses = np.zeros(1, np.uint32) if uses is None else uses

    def __len__(self) -> int:
        """Return the number of phrases."""
        return len(self._keys) - 1

    def add_uses(self, keys: PhraseKeys, uses: Uses) -> None:
        """Add to `uses` how often each phrase was used; nothing for those that are not here."""
        at = self._keys.searchsorted(keys)
        known = self._keys.take(at) == keys
        if np.count_nonzero(known):  # most items repeat nothing
            uses += self._uses.take(at) * known

    def add(self, keys: PhraseKeys, uses: Uses) -> NDArray[np.bool_]:
        """Add uses of different phrases that are here; return of each phrase whether it is."""
        at = self._keys.searchsorted(keys)
        known: NDArray[np.bool_] = self._keys[at] == keys
        self._uses[at[known]] += uses[known].astype(np.uint32)
        return known

    def merge(self, keys: PhraseKeys, uses: Uses) -> "_Columns":
        """Return columns with further phrases, ascending, of which none is here."""
        at = self._keys.searchsorted(keys)
        return _Columns(np.insert(self._keys, at, keys), np.insert(self._uses, at, uses))

    def read_all(self) -> tuple[PhraseKeys, Uses]:
        """Return all phrases and their uses."""
        return self._keys[:-1], self._uses[:-1].astype(np.int64)
