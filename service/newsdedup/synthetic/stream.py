"""A synthetic stream of news: items of every kind at given rates, each with the truth about it."""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random

from newsdedup.synthetic import copies, fresh
from newsdedup.synthetic.chance import exponential, pick
from newsdedup.synthetic.frames import read_book
from newsdedup.synthetic.fresh import plant_original
from newsdedup.synthetic.newsroom import Newsroom
from newsdedup.synthetic.planted import DEFAULT_RATES, DEMO_RATES, PlantedItem, Rates

Plant = Callable[[Newsroom, str, datetime], PlantedItem | None]
"""Make an item of a language that arrives at a moment; None while there is nothing to copy."""

PLANTS: Mapping[str, Plant] = {
    "reprint": partial(copies.plant_copy, "reprint"),
    "retitled": partial(copies.plant_copy, "retitled"),
    "cut": partial(copies.plant_copy, "cut"),
    "rewrite": partial(copies.plant_copy, "rewrite"),
    "copied_short": copies.plant_copied_short,
    "late_original": copies.plant_late_original,
    "edit": copies.plant_edit,
    "redelivery": copies.plant_redelivery,
    "update": copies.plant_update,
    "moved_edit": copies.plant_moved_edit,
    "background": copies.plant_shared_background,
    "short": fresh.plant_short,
    "digest": fresh.plant_digest,
    "template": fresh.plant_template,
    "score": fresh.plant_score,
}


_START = datetime(2026, 11, 2, 6, 0, tzinfo=UTC)
_LANGUAGE_SHARES = {"ru": 5, "uk": 3, "en": 2}
"""The languages there are, and how much of a stream of all of them is in each."""
_PER_HOUR = 600.0
_DEMO_ITEMS = 300
_DEMO_PER_HOUR = 7.35
"""Enough for 36 hours from a morning to the next evening: two days and only one night."""

_BY_HOUR = (
    0.3, 0.2, 0.2, 0.2, 0.4, 0.7, 1.0, 1.3, 1.5, 1.6, 1.6, 1.5,
    1.5, 1.5, 1.4, 1.4, 1.3, 1.2, 1.1, 1.1, 1.0, 0.9, 0.7, 0.4,
)  # fmt: skip
"""The rate of each hour of the day in UTC, in parts of the mean rate."""


def arrivals(start: datetime, per_hour: float, rng: Random) -> Iterator[datetime]:
    """Yield the random moments at which items arrive, from `start` on without end.

    There are `per_hour` items an hour on average, more by day than by night.
    """
    moment = start
    while True:
        yield moment
        seconds = exponential(rng, 3600 / (per_hour * _BY_HOUR[moment.hour]))
        moment += timedelta(seconds=seconds)


def generate_stream(
    items: int,
    *,
    seed: int = 2026,
    start: datetime = _START,
    languages: tuple[str, ...] = ("ru", "uk", "en"),
    per_hour: float = _PER_HOUR,
    rates: Rates = DEFAULT_RATES,
) -> Iterator[PlantedItem]:
    """Yield this many items in order of arrival; the same arguments give the same bytes.

    Memory is bounded whatever the length. A copy may arrive before the original it points to.
    ValueError for an unknown language or a start without time zone.
    """
    unknown = [language for language in languages if language not in _LANGUAGE_SHARES]
    if unknown or not languages:
        raise ValueError(
            f"languages must be among {', '.join(_LANGUAGE_SHARES)}, not {languages!r}"
        )
    if start.tzinfo is None:
        raise ValueError(f"start must carry its time zone, {start!r} has none")
    rng = Random(seed)  # noqa: S311  # a made stream must repeat, not keep a secret
    room = Newsroom({language: read_book(language) for language in languages}, rng)
    return _stream(items, room, arrivals(start, per_hour, rng), rates)


def _stream(
    items: int, room: Newsroom, moments: Iterator[datetime], rates: Rates
) -> Iterator[PlantedItem]:
    """Yield this many items: a held-back one if it is due, else a new one of a random kind.

    If there is nothing to copy for the kind, it is an original. At the end all that is held back is
    yielded, due or not.
    """
    rng = room.rng
    sums, kinds = zip(*rates.cumulative(), strict=True)
    weighted = [language for language in room.books for _ in range(_LANGUAGE_SHARES[language])]
    for yielded in range(items):
        moment = next(moments)
        # Items held back are released before the stream ends: copies already point to them.
        if room.held.due(moment) or items - yielded <= len(room.held):
            yield room.held.release()
            continue
        language = pick(rng, weighted)
        index = bisect(sums, rng.random())
        planted = PLANTS[kinds[index]](room, language, moment) if index < len(kinds) else None
        yield planted or plant_original(room, language, moment)


def demo_stream() -> Iterator[PlantedItem]:
    """Return a small stream of a day and a half in which every kind occurs several times."""
    return generate_stream(_DEMO_ITEMS, per_hour=_DEMO_PER_HOUR, rates=DEMO_RATES)
