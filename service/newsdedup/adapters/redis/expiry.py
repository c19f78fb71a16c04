"""The sets of spans that the window has left: which of them were filled, freed a few at a time.

Each worker frees what it filled itself. Of a span that it found when it came nobody knows who
filled it: of that all sets are freed by the worker that drops it. What is left where a worker
dies expires by the server's clock.
"""

from collections import deque
from collections.abc import Collection, Iterable
from typing import Final

from newsdedup.adapters.redis.keys import ROLES, Keys, RecordSets, Role

MAX_FREED_SETS: Final = 1_024
"""Sets that are freed with a commit: more than one fills."""
_FILLED: Final = b"\1"

_Marks = dict[Role, bytearray]
"""A byte for each set of a span, by role."""


class SpanCleaner:
    """What one worker has filled, and what of it is past and waits to be freed."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._filled: dict[int, _Marks] = {}
        self._existing: frozenset[int] | None = None
        """Spans that were there before this worker."""
        self._past: deque[tuple[int, _Marks]] = deque()

    def note_existing(self, live: Iterable[int]) -> None:
        """Remember the spans that are there when a worker begins; later calls change nothing."""
        if self._existing is None:
            self._existing = frozenset(live)

    def note_filled(self, span: int, filed: Iterable[RecordSets]) -> None:
        """Remember the sets in which a record stands."""
        marks = self._filled.get(span)
        if marks is None:
            marks = self._filled[span] = self._marks(b"\0")
        for role, slots in filed:
            of_role = marks[role]
            for slot in slots:
                of_role[slot] = 1

    def after_commit(
        self,
        filings: Iterable[tuple[int, Iterable[RecordSets]]],
        *,
        live: Collection[int],
        dropped: Iterable[int],
    ) -> list[str]:
        """Return the keys to free after a commit that filed and dropped these."""
        for span, filed in filings:
            self.note_filled(span, filed)
        self.note_expired(live=live, dropped=dropped)
        return self.next_expired_sets(live=live)

    def note_expired(self, *, live: Collection[int], dropped: Iterable[int]) -> None:
        """Take the spans that are no longer live; `dropped` are those that this worker dropped."""
        for span in dropped:
            if span in (self._existing or ()):
                self._filled[span] = self._marks(_FILLED)
        for span in [span for span in self._filled if span not in live]:
            self._past.append((span, self._filled.pop(span)))

    def next_expired_sets(self, *, live: Collection[int]) -> list[str]:
        """Return the keys to free now, none if nothing is past.

        A server that has lost its last writes may tell of a span as live that was past.
        """
        while self._past:
            span, marks = self._past[0]
            names = [] if span in live else self._take_marked(span, marks)
            if names:
                return names
            self._past.popleft()
        return []

    def _marks(self, mark: bytes) -> _Marks:
        return {role: bytearray(mark * self._keys.sets_of(role)) for role in ROLES}

    def _take_marked(self, span: int, marks: _Marks) -> list[str]:
        """Return the keys of some filled sets, and take their marks away."""
        names: list[str] = []
        for role, of_role in marks.items():
            slots: list[int] = []
            at = of_role.find(_FILLED)
            while at >= 0 and len(names) + len(slots) < MAX_FREED_SETS:
                of_role[at] = 0
                slots.append(at)
                at = of_role.find(_FILLED, at)
            names.extend(self._keys.set_names(role, span, slots))
        return names
