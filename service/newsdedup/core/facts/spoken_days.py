"""Days that a text names from its own: "yesterday", "в среду"."""

import re
from collections.abc import Collection, Iterator
from datetime import date

from newsdedup.core.facts.days import AGO, WEEKDAYS, spoken
from newsdedup.core.facts.no_days import dated, no_day

WEEKDAY = "weekday"
"""The unit of a day that a weekday names: taken for the last such day, it may be the next one."""

LATE, EARLY = "late", "early"
"""How the units begin of days that are told within three hours before and after midnight.

"Yesterday" of a text of 23:50 and of its copy of 00:20 are two days. Past these hours it is another
day, most of all where a source says "today" every day.
"""
_LATE, _EARLY = 21, 3

_ALSO_NOUNS = frozenset(("среду", "среды", "середу", "середи", "неділю", "неділі"))
"""Weekdays that also mean surroundings ("окружающей среды") or, in older texts, a week."""
_of_the_week = re.compile(
    r"(?:(?<!\w)(?:в|во|у|на|до|с|со|з|із|зі|по|утром|вечером|днем|днём|ночью|вранці|ввечері|вдень)"
    r"(?: (?:эту|прошлую|минувшую|ближайшую|следующую|цю|минулу|найближчу|наступну))?"
    r"|(?<!\w)(?:этой|прошлой|минувшей|следующей|цієї|минулої|наступної)) \Z"
)
_BEFORE = 24
"""Characters before a word in which its preposition stands."""


def spoken_days(
    lower: str, words: Collection[str], published: date, hour: int | None
) -> Iterator[tuple[int, int, str]]:
    """Yield the place, the day and the unit of each such word, at its first place by itself."""
    for word in sorted(words):
        start = _place(lower, word)
        if start is not None:
            yield start, spoken(word, published), _unit(word, hour)


def _unit(word: str, hour: int | None) -> str:
    """Return how the word names its day: as a weekday, or from an hour that is near midnight."""
    if word in WEEKDAYS:
        return WEEKDAY
    if hour is None or _EARLY <= hour < _LATE:
        return ""
    return f"{EARLY if hour < _EARLY else LATE} {AGO[word]}"


def _place(lower: str, word: str) -> int | None:
    """Return where the word first stands by itself and names a day, or None.

    Where a written day follows, that is the day, also of the same word further on.
    """
    start = lower.find(word)
    while start >= 0:
        end = start + len(word)
        alone = not (lower[start - 1 : start].isalnum() or lower[end : end + 1].isalnum())
        if (
            alone
            and (word not in _ALSO_NOUNS or _names_a_day(lower, start))
            and not no_day(lower, word, start, end)
        ):
            return None if dated(lower, start, end) else start
        start = lower.find(word, end)
    return None


def _names_a_day(lower: str, start: int) -> bool:
    return _of_the_week.search(lower, max(0, start - _BEFORE), start) is not None
