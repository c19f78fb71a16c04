"""The stream itself: news that nobody wrote, with the truth about every item beside it."""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random

from newsdedup.synthetic import copies, fresh
from newsdedup.synthetic.chance import exponential, pick
from newsdedup.synthetic.frames import read_book
from newsdedup.synthetic.fresh import original
from newsdedup.synthetic.newsroom import Newsroom
from newsdedup.synthetic.planted import DEFAULT, DEMO, Kind, Planted, Rates, Truth

Plant = Callable[[Newsroom, str, datetime], Planted | None]
"""Plants an item of a language at a moment, or nothing if there is nothing to make it of."""

PLANTS: Mapping[str, Plant] = {
    "reprint": copies.copied("reprint"),
    "retitled": copies.copied("retitled"),
    "cut": copies.copied("cut"),
    "rewrite": copies.copied("rewrite"),
    "copied_short": copies.copied_short,
    "late_original": copies.late_original,
    "edit": copies.edit,
    "redelivery": copies.redelivery,
    "update": copies.update,
    "moved_edit": copies.moved_edit,
    "background": copies.background,
    "short": fresh.short,
    "digest": fresh.digest,
    "template": fresh.template,
    "score": fresh.score,
}


__all__ = ["Kind", "Planted", "Truth", "demo_stream", "stream"]

START = datetime(2026, 11, 2, 6, 0, tzinfo=UTC)
SHARES = {"ru": 5, "uk": 3, "en": 2}
"""The languages there are, and how much of a stream of all of them is in each."""
PER_HOUR = 600.0
DEMO_ITEMS = 300
DEMO_PER_HOUR = 7.35
"""Enough for 36 hours from a morning to the next evening: two days and only one night."""

BY_HOUR = (
    0.3, 0.2, 0.2, 0.2, 0.4, 0.7, 1.0, 1.3, 1.5, 1.6, 1.6, 1.5,
    1.5, 1.5, 1.4, 1.4, 1.3, 1.2, 1.1, 1.1, 1.0, 0.9, 0.7, 0.4,
)  # fmt: skip
"""The rate of each hour of the day in UTC, in parts of the mean rate."""


def arrivals(start: datetime, per_hour: float, rng: Random) -> Iterator[datetime]:
    """Yield the moments at which items arrive, for ever."""
    moment = start
    while True:
        yield moment
        seconds = exponential(rng, 3600 / (per_hour * BY_HOUR[moment.hour]))
        moment += timedelta(seconds=seconds)


def stream(
    items: int,
    *,
    seed: int = 2026,
    start: datetime = START,
    languages: tuple[str, ...] = ("ru", "uk", "en"),
    per_hour: float = PER_HOUR,
    rates: Rates = DEFAULT,
) -> Iterator[Planted]:
    """Yield so many items in order of arrival; the same arguments give the same bytes.

    Items are made as they are asked for, and what is kept of the past is bounded, so that
    a stream may be of any length. A copy may arrive before the original it points to.
    """
    unknown = [language for language in languages if language not in SHARES]
    if unknown or not languages:
        raise ValueError(f"languages must be among {', '.join(SHARES)}, not {languages!r}")
    if start.tzinfo is None:
        raise ValueError(f"start must carry its time zone, {start!r} has none")
    rng = Random(seed)  # noqa: S311  # a made stream must repeat, not keep a secret
    room = Newsroom({language: read_book(language) for language in languages}, rng)
    return _stream(items, room, arrivals(start, per_hour, rng), rates)


def _stream(
    items: int, room: Newsroom, moments: Iterator[datetime], rates: Rates
) -> Iterator[Planted]:
    rng = room.rng
    sums, kinds = zip(*rates.cumulative(), strict=True)
    weighted = [language for language in room.books for _ in range(SHARES[language])]
    for yielded in range(items):
        moment = next(moments)
        # Items still held back must not be lost at the end: copies that point to them were seen.
        if room.held.due(moment) or items - yielded <= len(room.held):
            yield room.held.release()
            continue
        language = pick(rng, weighted)
        place = bisect(sums, rng.random())
        planted = PLANTS[kinds[place]](room, language, moment) if place < len(kinds) else None
        yield planted or original(room, language, moment)


def demo_stream() -> Iterator[Planted]:
    """Yield a small stream of a day and a half in which every kind occurs several times."""
    return stream(DEMO_ITEMS, per_hour=DEMO_PER_HOUR, rates=DEMO)
