"""Spans of the window: two buckets each, whose keys in Redis are dropped and expire together.

By the time of the stream a span is dropped once both buckets have expired. By the server's clock
its keys expire later, so that a namespace without writers frees its memory.
"""

from collections.abc import Sequence
from typing import Final

from newsdedup.core.model import Micros
from newsdedup.core.stories.window import Buckets, Watermark

_BUCKETS_PER_SPAN: Final = 2
"""A span is two thirds of a window."""
_SPANS_AHEAD: Final = 8
"""Of records dated further ahead all share every eighth span: wild dates cannot create many."""


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


def is_past(span: int, *, floor: int | None) -> bool:
    """Return whether all buckets of a span have expired."""
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
