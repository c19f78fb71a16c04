"""Stream time: the watermark, the effective time of an item, the buckets of the window."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from newsdedup.core.model import Micros, NewsItem
from newsdedup.core.moments import DAY, HOUR, MIDNIGHT, is_dated, to_micros

_TOLERANCE = HOUR
"""How far ahead of the moment it was seen an item may be dated: clocks and zones go wrong."""
_WITNESSES = 3
"""Items in a row that must agree before the watermark leaps: one wild date moves nothing."""
BUCKETS = 3
"""Buckets per window: expiry is exact to one of them; a look-up reads all that are stored."""


@dataclass(frozen=True, slots=True)
class Watermark:
    """The effective time that the stream has reached; it never decreases."""

    at: Micros | None = None
    leaps: tuple[Micros, ...] = ()
    """Times of the latest items in a row that lie more than a leap ahead."""
    undated: int = 0
    """Undated items before the first agreed time; each comes a microsecond after the last."""

    @property
    def now(self) -> Micros:
        """Return the time that the stream has reached; that of 1970 before the first date."""
        if self.at is not None:
            return self.at
        return min(self.leaps, default=0) + self.undated

    def after(self, at: Micros, *, leap: Micros, dated: bool = True) -> "Watermark":
        """Return the watermark after an item of this effective time.

        A time more than `leap` ahead counts only when three items in a row are so far ahead:
        otherwise one report dated years ahead would let everything expire. Undated items do not
        count among the three, and do not interrupt such a row.
        """
        if not dated:
            if self.at is None:
                return Watermark(None, self.leaps, self.undated + 1)
            return Watermark(max(self.at, at), self.leaps)
        if self.at is not None and at <= self.at + leap:
            if at <= self.at and not self.leaps:
                return self
            return Watermark(max(self.at, at))
        leaps = (*self.leaps, at)
        if len(leaps) == _WITNESSES:
            return Watermark(min(leaps) + self.undated)
        return Watermark(self.at, leaps, self.undated)


def effective_at(item: NewsItem, watermark: Watermark) -> Micros:
    """Return the time by which an item is ordered; decided once, at admission.

    The time of publication, but not later than the item was seen (plus a tolerance), or, without
    one, the time it was seen. A publication at midnight sharp has only the precision of a day: if
    it is known when the item was seen, the earlier of that and the day's end. Undated items come a
    microsecond after the newest before them, before any date from 1970 on, for no clock is read.
    """
    seen = None if item.seen_at is None else to_micros(item.seen_at)
    if item.published_at is None:
        return watermark.now + 1 if seen is None else seen
    published = to_micros(item.published_at)
    if seen is None:
        return published
    if item.published_at.time() == MIDNIGHT:
        return min(seen, published + DAY)
    return min(published, seen + _TOLERANCE)


def own_time(item: NewsItem) -> Micros | None:
    """Return the effective time of an item by its own times alone; None if it is undated."""
    return effective_at(item, Watermark()) if is_dated(item) else None


def times_of_rows(times: Sequence[Micros | None]) -> Iterator[Micros]:
    """Yield a time for each row: its own, or a microsecond after that of the row above.

    None is an undated row. Rows above the first dated one come right before it; without any dated
    row they begin at 1970. Such rows are a microsecond apart.
    """
    first = next((number for number, at in enumerate(times) if at is not None), 0)
    at = ((times[first] if times else None) or 0) - first - 1
    for own in times:
        at = at + 1 if own is None else own
        yield at


@dataclass(frozen=True, slots=True)
class Buckets:
    """The slices of time by which items expire."""

    window: Micros
    lateness: Micros

    @property
    def width(self) -> Micros:
        """Return how many microseconds long a bucket is: a third of the window, at least 1."""
        return max(1, self.window // BUCKETS)

    def of(self, at: Micros, watermark: Watermark) -> int:
        """Return the number of an item's bucket, by its time or by the watermark if it is later.

        So a late item expires as if it were dated by the watermark.
        """
        return max(at, watermark.now) // self.width

    def floor(self, watermark: Watermark) -> int | None:
        """Return the number of the first bucket that has not expired.

        None before the watermark has a time: nothing expires then.
        """
        if watermark.at is None:
            return None
        return (watermark.at - self.window - self.lateness) // self.width
