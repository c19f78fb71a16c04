"""The busiest sources of a stream, by name; a stream may have any number of sources."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

OTHER: Final = "other"


class TopSources:
    """Gives names to the first sources that are busy enough; once given, a name stays.

    So a counter by name only ever grows. Who is not named yet is counted as Misra and Gries (1982)
    do: when the table is full each of its counts is lowered by one, which the rare ones do not
    survive. Memory is bounded however many sources there are.
    """

    def __init__(self, *, most: int = 50, enough: int = 10, watched: int = 1_000) -> None:
        self._most = most
        self._enough = enough
        self._watched = watched
        self._named: set[str] = set()
        self._waiting: Counter[str] = Counter()

    def name_sources(self, items: Mapping[str, int]) -> Counter[str]:
        """Return the items of some sources by the name under which each is counted."""
        told: Counter[str] = Counter()
        for source, count in items.items():
            told[source if self._is_named(source, count) else OTHER] += count
        return told

    def _is_named(self, source: str, count: int) -> bool:
        if source in self._named:
            return True
        if len(self._named) >= self._most:
            return False
        if source not in self._waiting and len(self._waiting) >= self._watched:
            self._waiting = +Counter({name: n - 1 for name, n in self._waiting.items()})
            return False
        self._waiting[source] += count
        if self._waiting[source] < self._enough:
            return False
        del self._waiting[source]
        self._named.add(source)
        return True
