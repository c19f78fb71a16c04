"""Spans of the window: two buckets each, whose keys in Redis are dropped and expire together.

By the time of the stream a span is dropped once both buckets have expired. By the server's clock
its keys expire later, so that a namespace without writers frees its memory.

The sets of dropped spans are freed a few with each commit, without blocking the server. Each worker
frees the sets that it has filled itself. Spans older than the worker are freed whole by the worker
that drops them. What a dead worker leaves expires by the server's clock.
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from newsdedup.adapters.redis.keys import ROLES, Keys, RecordSets, Role
from newsdedup.core.model import Micros
from newsdedup.core.stories.window import Buckets, Watermark

_BUCKETS_PER_SPAN: Final = 2
"""A span is two thirds of a window."""
_SPANS_AHEAD: Final = 8
"""Of records dated further ahead all share every eighth span: wild dates cannot create many."""
MAX_FREED_SETS: Final = 1_024
"""Sets freed with one commit: more than a commit fills."""
_FILLED: Final = b"\1"
_SpanFlags = dict[Role, bytearray]
"""By role one byte for each set of a span: 1 for a set that is to be freed."""


def span_of(bucket: int, *, floor: int | None) -> int:
    """Return the number of the span that holds a bucket.

    Spans more than _SPANS_AHEAD after the floor are joined, so that their number is bounded.
    `floor` is the first bucket that has not expired, None before any can.
    """
    span = bucket // _BUCKETS_PER_SPAN
    if floor is None:
        return span
    end = floor // _BUCKETS_PER_SPAN + _SPANS_AHEAD
    return span if span < end else -(-end // _SPANS_AHEAD) * _SPANS_AHEAD


def latest_time(span: int, *, window: Micros) -> Micros | None:
    """Return a time than which no record of a span is later; None if it may have joined others.

    No record is later than its bucket (Buckets.of), unless its span was joined to this one.
    """
    if span % _SPANS_AHEAD == 0:
        return None
    return (span + 1) * _BUCKETS_PER_SPAN * Buckets(window, lateness=0).width - 1


def is_past(span: int, *, floor: int | None) -> bool:
    """Return whether all buckets of a span are before the floor, so expired; None expires none."""
    return floor is not None and (span + 1) * _BUCKETS_PER_SPAN <= floor


def time_to_span(span: int, watermark: Watermark, *, window: Micros) -> Micros:
    """Return how far ahead of the stream a span begins, 0 if the stream has reached it.

    Before the stream has a time that is unknown: return the most that it can be.
    """
    width = _BUCKETS_PER_SPAN * Buckets(window, lateness=0).width
    most = 2 * _SPANS_AHEAD * width
    return most if watermark.at is None else min(most, max(0, span * width - watermark.at))


def join_spans(live: Sequence[int]) -> str:
    """Return the numbers of spans as meta data store them: joined by commas."""
    return ",".join(map(str, live))


def split_spans(live: str) -> list[int]:
    """Return the numbers of spans in the text that `join_spans` returned."""
    return [int(span) for span in live.split(",") if span]


class SpanCleaner:
    """Tracks which sets one worker has filled in each span, and which of them are to be freed."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._filled: dict[int, _SpanFlags] = {}
        self._existing: frozenset[int] | None = None
        """Spans that are older than this worker."""
        self._expired: deque[tuple[int, _SpanFlags]] = deque()

    def note_existing(self, live: Iterable[int]) -> None:
        """Note the spans that exist when a worker begins; only the first call counts."""
        if self._existing is None:
            self._existing = frozenset(live)

    def after_commit(
        self,
        filings: Iterable[tuple[int, Iterable[RecordSets]]],
        *,
        live: Collection[int],
        dropped: Iterable[int],
    ) -> list[str]:
        """Note what a commit has filled, queue expired spans; return keys of sets to free now.

        `filings` has the span and the sets of each record, `live` the live spans, `dropped` those
        that this commit dropped. No key is returned if no span is queued.
        """
        for span, filed in filings:
            if span not in self._filled:
                self._filled[span] = self._flags(b"\0")
            for one in filed:
                for slot in one.slots:
                    self._filled[span][one.role][slot] = 1
        for span in dropped:
            if span in (self._existing or ()):
                self._filled[span] = self._flags(_FILLED)
        for span in [span for span in self._filled if span not in live]:
            self._expired.append((span, self._filled.pop(span)))
        while self._expired:
            span, flags = self._expired[0]
            # A queued span may be live again: the server may have lost its last writes.
            names = [] if span in live else self._take_filled(span, flags)
            if names:
                return names
            self._expired.popleft()
        return []

    def _flags(self, flag: bytes) -> _SpanFlags:
        """Return a flag for each set of a span by role, all with this value."""
        return {role: bytearray(flag * self._keys.sets_of(role)) for role in ROLES}

    def _take_filled(self, span: int, flags: _SpanFlags) -> list[str]:
        """Return the keys of up to MAX_FREED_SETS filled sets of a span, and clear their flags."""
        names: list[str] = []
        for role, of_role in flags.items():
            slots: list[int] = []
            at = of_role.find(_FILLED)
            while at >= 0 and len(names) + len(slots) < MAX_FREED_SETS:
                of_role[at] = 0
                slots.append(at)
                at = of_role.find(_FILLED, at)
            names.extend(self._keys.set_names(role, span, slots))
        return names
