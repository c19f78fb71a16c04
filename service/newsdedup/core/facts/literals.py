"""What a run of digits and signs means by its shape: "1,234.5", "8-1/2", "2:1"."""

import re
from datetime import date
from typing import NamedTuple

from newsdedup.core.facts.days import (
    MONTHS,
    calendar_day,
    day_a_year_before,
    day_in_month_of,
    day_of_month,
)
from newsdedup.core.facts.fact import MILLION, FactKind, Numeral
from newsdedup.core.facts.hours import MERIDIEM, parse_hyphened, with_part_of_day
from newsdedup.core.facts.units import (
    CURRENCIES,
    CURRENCY_SIGN,
    CURRENCY_SIGNS,
    SCALES,
    measure_of,
    rounding_step,
)
from newsdedup.data.lang import any_of, pattern, words

LONGEST_LITERAL = 24
"""Longer runs are account numbers and noise."""
_MOST_DIGITS = 15
_MOST_DECIMALS = 6
_decimal = re.compile(r"([0-9]{1,15}(?: [0-9]{3})*)(?:[.,]([0-9]{1,9}))?\Z")
_thousands = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]{1,9})?\Z")
_dotted = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}\Z")
_fraction = re.compile(r"(?:([0-9]{1,6})[- ])?([0-9]{1,2})/([0-9]{1,3})\Z")
_clock = re.compile(r"([01]?[0-9]|2[0-3]|24(?=[:.]00))[:.]([0-5][0-9])(?::[0-5][0-9])?\Z")
_score = re.compile(r"([0-9]{1,3})[:-]([0-9]{1,3})\Z")
_day = re.compile(r"([0-9]{1,2})[./]([0-9]{1,2})[./]([0-9]{4}|[0-9]{2})\Z")
_iso_day = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})\Z")
_range = re.compile(r"([0-9 .,]+)-([0-9 .,]+)\Z")
_row = re.compile(r"[0-9]{1,2}(?:-[0-9]{1,2}){3,}\Z")
"""The numbers of a draw: at least four, since three are a day or a telephone number."""
_season = re.compile(r"((?:19|20)[0-9]{2})(?:-|/(?:[0-9]{2}(?=[0-9]{2}\Z))?)([0-9]{2})\Z")
_each = re.compile("[0-9]+")
_measured = re.compile(rf" ?([^\W\d_]{{1,24}}|%|{CURRENCY_SIGN})")
_falling_days = re.compile(
    rf"(?:[12][0-9]|3[01])-(?:0?[1-9]|[12][0-9]) {any_of(MONTHS)}\b(?! [0-9]{{1,2}}(?![0-9]))"
)
"""A range of days over the end of a month, "28-3 ноября"; "28-3 November 5" is a score."""
_DENOMINATORS = frozenset((2, 3, 4, 8, 16, 32, 64))


class Shape(NamedTuple):
    """A score, a time of day or a day, which a literal states by its shape."""

    kind: FactKind
    value: int
    start: int


def parse_shapes(lower: str, literal: str, start: int, published: date | None) -> tuple[Shape, ...]:
    """Return what the literal at `start` of `lower` is by its shape: a score, a time or a day.

    Return both ends of a range of times, or of days whose year may be given once; () for another
    literal. The words around it decide whether "10:40" is a time and "3-5" a score. A day must
    state its year; `published` only admits years far from ours if they are next to its own.
    """
    end = start + len(literal)
    contest = False
    if ":" in literal:
        contest = _is_score(lower, literal, start)
    elif "-" in literal:
        if MERIDIEM.match(lower, end):  # "9-5pm"
            return ()
        unit = _measured.match(lower, end)
        minutes = parse_hyphened(lower, literal, start)
        if minutes is not None and (unit is None or measure_of(unit[1]) not in CURRENCIES):
            return (Shape(FactKind.CLOCK, minutes, start),)
        near = _contest.search(lower, max(0, start - _NEAR), end + _NEAR) is not None
        if not near and _falling_days.match(lower, start):
            return ()
        measured = lower[start - 1 : start] in CURRENCY_SIGNS or (
            unit is not None
            and (unit[1] in MONTHS or unit[1] in SCALES or measure_of(unit[1]) != "")
        )
        contest = near and not measured
    shape = _parse_shape(literal, start, contest=contest, published=published)
    if shape is not None:
        if shape.kind is FactKind.CLOCK:
            shape = shape._replace(value=with_part_of_day(lower, end, shape.value))
        return (shape,)
    if "-" not in literal or (contest and ":" in literal):
        return ()
    return _parse_ends(literal, start, published)


def _parse_shape(
    literal: str, start: int, *, contest: bool, published: date | None
) -> Shape | None:
    """Return the score, time or day that the literal is, or None.

    "10:40" is a time, but a score if the text speaks of a `contest`; "2-1" is a score if it falls
    or if the text speaks of a `contest`, else a range and None.
    """
    clock = _clock.match(literal) if ":" in literal else None
    if clock is not None and not contest:
        return Shape(FactKind.CLOCK, int(clock[1]) * 60 + int(clock[2]), start)
    score = _score.match(literal)
    if score is not None:
        sides = int(score[1]), int(score[2])
        if ":" in literal or contest or sides[0] > sides[1]:
            return Shape(FactKind.SCORE, max(sides) * 1_000 + min(sides), start)
    day = _written_day(literal, published)
    return None if day is None else Shape(FactKind.DAY, day, start)


def _written_day(literal: str, published: date | None) -> int | None:
    """Return the day number of "28.10.2024" or "2024-10-28", None for another literal."""
    iso = _iso_day.match(literal)
    if iso is not None:
        return calendar_day(
            day=int(iso[3]), month=int(iso[2]), year=int(iso[1]), published=published
        )
    parts = _day.match(literal)
    if parts is None:
        return None
    day, month, year = map(int, parts.groups())
    if year < 100:
        year += 1900 if year >= 70 else 2000
    if month > 12:  # "10/28/2024"
        day, month = month, day
    return calendar_day(day=day, month=month, year=year, published=published)


def _parse_ends(literal: str, start: int, published: date | None) -> tuple[Shape, ...]:
    """Return both ends of "09:00-17:00" or "01.06-05.06.2031", or nothing for another literal."""
    first, _, second = literal.partition("-")
    later = _parse_shape(second, start + len(first) + 1, contest=False, published=published)
    if later is None:
        return ()
    if later.kind is FactKind.DAY and second.count(".") == 2 > first.count("."):
        day = _earlier_day(first, second, later.value, published)
        return () if day is None else (Shape(FactKind.DAY, day, start), later)
    earlier = _parse_shape(first, start, contest=False, published=published)
    if earlier is None or earlier.kind is not later.kind or later.kind is FactKind.SCORE:
        return ()
    return earlier, later


def _earlier_day(first: str, second: str, last: int, published: date | None) -> int | None:
    """Return the day number of the `first` end, "28" or "28.12", of a range up to day `last`."""
    if first.isdigit():
        of_month = int(first) if len(first) <= 2 else 0
        return day_in_month_of(last, of_month, month_before=of_month > day_of_month(last))
    day = _written_day(f"{first}.{second.rpartition('.')[2]}", published)
    return day_a_year_before(day) if day is not None and day > last else day


def parse_numerals(literal: str, start: int) -> list[Numeral]:
    """Return the numbers in a literal: one, two ends of a range, or a row; none for noise.

    A row has at least four numbers, "5-12-23-31"; a season, "2019-20", counts as its first year.
    """
    end = start + len(literal)
    if literal.isdigit():
        if len(literal) > _MOST_DIGITS:
            return []
        value = int(literal) * MILLION
        return [Numeral(start, end, value, rounding_step(value), plain=True)]
    season = _season.match(literal)
    if season is not None and int(season[2]) == (int(season[1]) + 1) % 100:
        return [Numeral(start, end, int(season[1]) * MILLION, MILLION, plain=True)]
    number = _value(literal)
    if number is not None:
        return [Numeral(start, end, number, rounding_step(number), plain=False)]
    ends = _range.match(literal)
    if ends is None:
        return [
            Numeral(start + each.start(), start + each.end(), int(each[0]) * MILLION, MILLION, True)
            for each in _each.finditer(literal if _row.match(literal) else "")
        ]
    first, second = ends.groups()
    return parse_numerals(first, start) + parse_numerals(second, ends.start(2) + start)


def _value(literal: str) -> int | None:
    """Return the value in millionths of a literal with signs in it, or None if it is no number."""
    if _thousands.match(literal):
        whole, _, decimals = literal.replace(",", "").partition(".")
        return _millionths(whole, decimals)
    if _dotted.match(literal):
        return _millionths(literal.replace(".", ""), "")
    plain = _decimal.match(literal)
    if plain is not None:
        return _millionths(plain[1].replace(" ", ""), plain[2] or "")
    parts = _fraction.match(literal)
    if parts is None or int(parts[3]) not in _DENOMINATORS:
        return None
    return int(parts[1] or 0) * MILLION + int(parts[2]) * MILLION // int(parts[3])


def _millionths(whole: str, decimals: str) -> int | None:
    """Return a decimal number in millionths, the rest cut off; None for over 15 whole digits."""
    if len(whole) > _MOST_DIGITS:
        return None
    return int(whole + decimals[:_MOST_DECIMALS].ljust(_MOST_DECIMALS, "0"))


_contest = re.compile(pattern("contests.near"))
_NEAR = 60
"""Characters around "2-1" that are searched for a word of a contest."""
_score_word = re.compile(
    rf"{pattern('contests.score')}(?: {pattern('contests.was')})?[ :-]{{1,3}}\Z"
)
_side = re.compile(r"[1-9][0-9]?:[1-9][0-9]\Z")
"""What may be a time and a score: "20:25", but not "9:05"."""
_ended = re.compile(rf"{pattern('contests.ended')}(?P<rest>[^.\n;]*+)\Z")
_begins = re.compile(pattern("contests.begins"))
_before_time = ("-", *[f" {word} " for word in words("contests.before_time")])
_behind_time = re.compile(rf" ?(?:{pattern('contests.behind_time')}|[ap]\.?m\b)")
_parts = re.compile(r"\(([0-9]{1,3}:[0-9]{1,3}(?:[,;]? ?[0-9]{1,3}:[0-9]{1,3})*)\)")
_no_time = re.compile(r"(?:2[4-9]|[3-9][0-9]|[0-9]{3}):|:(?:[6-9][0-9]|[0-9](?![0-9])|[0-9]{3})")
_whole = re.compile(r"(?<![0-9:])[0-9]{1,3}:[0-9]{1,3} \Z")


def _is_score(lower: str, literal: str, start: int) -> bool:
    """Return whether a literal that looks like a time of day is a score.

    It is one if it follows the word "score" or a verb that says who won, or if it is in
    brackets among the sets of a match: "(25:20, 20:25, 25:19)".
    """
    if _score_word.search(lower, max(0, start - _NEAR), start):
        return True
    if not _side.match(literal):
        return False
    return _among_sets(lower, start) or _behind_a_win(lower, start, start + len(literal))


def _behind_a_win(lower: str, start: int, end: int) -> bool:
    """Return whether a verb before the literal says who won, and no word near it says a time."""
    if _behind_time.match(lower, end) or lower.endswith(_before_time, 0, start):
        return False
    ended = _ended.search(lower, max(0, start - _NEAR), start)
    return ended is not None and not _begins.search(ended["rest"])


def _among_sets(lower: str, start: int) -> bool:
    """Return whether the literal is in brackets with results of sets, which can be no times."""
    opened = lower.rfind("(", max(0, start - 40), start)
    parts = _parts.match(lower, opened) if opened >= 0 else None
    if parts is None or parts.end() < start:
        return False
    whole = _whole.search(lower, max(0, opened - 8), opened)
    return any(_no_time.search(one) for one in (parts[1], "" if whole is None else whole[0]))
