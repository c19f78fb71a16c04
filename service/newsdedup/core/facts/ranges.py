"""Numbers that belong together: ends of a range, parts of one number, results, rows."""

import re
from collections.abc import Sequence
from itertools import pairwise

from newsdedup.core.facts.days import day_in_month_of, day_of_month
from newsdedup.core.facts.fact import MILLION, FactKind, Numeral
from newsdedup.core.facts.hours import has_no_part_of_day, looks_dotted
from newsdedup.core.facts.reading import NumberReading
from newsdedup.core.facts.units import CENT, CURRENCY_SIGN, UNITS, rounding_step, stem
from newsdedup.data.lang import pattern, words

IN_A_ROW = stem("number")
"""What the numbers of a row count: each is one, and another row has others."""
_LEAST = 4
_COMMAS = (", ", ",", "; ", "-", " - ", " ")
_BETWEEN = frozenset(
    (*_COMMAS, *[f"{comma} {word} " for comma in ("", ",") for word in words("grammar.and")])
)
_LONGEST_BETWEEN = max(map(len, _BETWEEN))


def find_rows(lower: str, numbers: Sequence[Numeral]) -> frozenset[int]:
    """Return the start indices of the numbers in rows of four or more; `numbers` ascend.

    A row has only commas, hyphens, spaces and "and" between its numbers.
    """
    if len(numbers) < _LEAST:
        return frozenset()
    near = [
        one.end
        for one, other in pairwise(numbers)
        if other.start - one.end <= _LONGEST_BETWEEN and lower[one.end : other.start] in _BETWEEN
    ]
    if len(near) < _LEAST - 1:
        return frozenset()
    in_rows: list[int] = []
    row: list[int] = []
    for number in numbers:
        row.append(number.start)
        if number.end not in near:
            in_rows += row if len(row) >= _LEAST else []
            row = []
    return frozenset(in_rows)


_JOINING = pattern("grammar.and", "grammar.or", "grammar.between")
_and = re.compile(
    rf"-(?P<dashed>{CURRENCY_SIGN})?\Z|\.\.\.?[+-]?\Z"
    rf"|(?:-[а-яії]{{1,3}})? (?:-|{_JOINING}) (?P<signed>{CURRENCY_SIGN})?\Z"
)
_until = re.compile(rf"[^ ]* ?(?:-|\.\.\.?|{pattern('times.until')})(?: |\Z)")
"""What stands between both ends of a range of days: "с 28 по 3 ноября", and not "28 и 3"."""
_and_from = re.compile(rf" {pattern('grammar.and')} {pattern('grammar.from')} \Z")
"""What also stands between days of one month: "с 1 по 4 и с 8 по 11 мая"."""
LONGEST_JOIN = 32
"""Characters between two numbers that belong together."""
_LONGEST_AND = 10
_scale_alone = re.compile(r" ?[^\W\d_]+\.? ")
"""What stands between the millions of a number and its thousands."""
_currency_alone = re.compile(rf" ?(?:[^\W\d_]+\.?|{CURRENCY_SIGN}) (?:{pattern('grammar.and')} )?")
"""What stands between roubles and their kopecks."""
_SIDES = frozenset(map(stem, words("contests.sides")))
_against = re.compile(rf" [^\W\d_]+ {pattern('contests.against')} ")
"""What stands between both sides of a result: "54 votes to 46"."""
_PARTED = frozenset(("rub", "uah", "usd", "eur", "gbp"))
"""Currencies that have a hundred of what stands behind them."""
_HOURS = 12
_COUNTED = UNITS - {"hour"}
_THOUSAND = 1_000 * MILLION


def join_numbers(
    lower: str, numeral: Numeral, reading: NumberReading, following: NumberReading, start: int
) -> tuple[NumberReading, bool]:
    """Return a number's reading, corrected by the number that follows at `start`.

    The second value says whether the following number is a part of this one, and so no fact of its
    own: thousands after millions, kopecks after roubles, minutes after hours, the other side of a
    result in words. The first end of a range takes the kind and unit of the second.
    """
    if start - numeral.end <= _LONGEST_AND:
        ends = _and.match(lower, numeral.end, start)
        if ends is None and following.kind is FactKind.DAY:
            ends = _and_from.match(lower, numeral.end, start)
        if ends is not None:
            signed = ends.lastgroup is not None
            if following.kind is FactKind.CLOCK:
                return _first_hour(lower, numeral, reading, following, start), False
            if following.kind is FactKind.DAY:
                ranged = _until.fullmatch(lower, numeral.end, start) is not None
                return _first_day(numeral, reading, following, ranged=ranged), False
            return _first_end(numeral, reading, following, signed=signed), False
    whole = _with_part(lower, numeral, reading, following, start)
    if whole is not None:
        return whole, True
    if reading.unit in _SIDES and _against.fullmatch(lower, numeral.end, start):
        return _result(reading, following), following.kind is FactKind.NUMBER
    return reading, False


def _with_part(
    lower: str, numeral: Numeral, reading: NumberReading, following: NumberReading, start: int
) -> NumberReading | None:
    """Return the number with the following one added to it, or None if that is no part of it."""
    if _goes_on(numeral, reading, following) and _scale_alone.fullmatch(lower, numeral.end, start):
        value = reading.value + following.value
        return following._replace(value=value, scale=reading.scale)
    if _has_cents(numeral, reading, following) and _currency_alone.fullmatch(
        lower, numeral.end, start
    ):
        value = reading.value + following.value
        return reading._replace(value=value, step=MILLION // 100)
    if _has_minutes(reading, following) and _scale_alone.fullmatch(lower, numeral.end, start):
        return reading._replace(value=reading.value + following.value // MILLION)
    return None


def _result(reading: NumberReading, following: NumberReading) -> NumberReading:
    """Return "54 votes to 46" as a score; the reading itself if the other side is no number."""
    if following.kind is not FactKind.NUMBER:
        return reading
    fewer, more = sorted((reading.value // MILLION, following.value // MILLION))
    return reading._replace(kind=FactKind.SCORE, value=more * 1_000 + fewer, step=1, unit="")


def _first_hour(
    lower: str, numeral: Numeral, reading: NumberReading, following: NumberReading, start: int
) -> NumberReading:
    """Return the first hour of "from 5 to 6 p.m." as a time of day, here 17:00.

    Of the two times that "5" may mean it is the latest before the second end; before "18 часов",
    without a part of the day, the hour counts as written. A quantity or a number that is no hour
    comes back unchanged, and so does any number before "17.00".
    """
    hour, rest = divmod(numeral.value, MILLION)
    counts = reading.kind not in (FactKind.NUMBER, FactKind.ORDINAL) or reading.unit in _COUNTED
    if counts or rest or looks_dotted(lower, start):
        return reading
    if has_no_part_of_day(lower, start) and 0 <= hour < 2 * _HOURS:
        return reading._replace(kind=FactKind.CLOCK, value=hour * 60, step=1, unit="")
    if not 0 < hour <= _HOURS:
        return reading
    minutes = hour % _HOURS * 60
    afternoon = minutes + _HOURS * 60
    if not minutes < following.value <= afternoon:
        minutes = afternoon
    return reading._replace(kind=FactKind.CLOCK, value=minutes, step=1, unit="")


def _goes_on(numeral: Numeral, reading: NumberReading, following: NumberReading) -> bool:
    """Return whether thousands may continue the millions: "1 million 700 thousand roubles"."""
    return (
        reading.scale > following.scale
        and reading.kind is FactKind.NUMBER
        and following.kind in (FactKind.NUMBER, FactKind.MONEY)
        and following.value < reading.scale * MILLION
        and numeral.value % MILLION == 0
    )


def _has_minutes(reading: NumberReading, following: NumberReading) -> bool:
    """Return whether minutes may continue a whole hour: "в 18 часов 47 минут"."""
    return (
        reading.kind is FactKind.CLOCK
        and reading.value % 60 == 0
        and following.unit == "minute"
        and following.value < 60 * MILLION
    )


def _has_cents(numeral: Numeral, reading: NumberReading, following: NumberReading) -> bool:
    """Return whether hundredths may continue a sum of money: "92 roubles 50 kopecks"."""
    return (
        following.unit == CENT
        and reading.unit in _PARTED
        and following.scale == reading.scale == 1
        and following.value < MILLION
        and numeral.value % MILLION == 0
    )


def _first_end(
    numeral: Numeral, reading: NumberReading, following: NumberReading, *, signed: bool
) -> NumberReading:
    """Return the first end of a range, or of "5 and 6 tons", with kind and unit of the second.

    `signed` tells that a currency sign stands before the second. A first end that has a unit of its
    own comes back unchanged.
    """
    alone = signed or reading.kind is not FactKind.NUMBER
    if alone and not _same_currency(reading, following):
        return reading
    if following.kind <= FactKind.MONEY:
        scale = following.scale
        if reading.scale > 1 or not _may_share(numeral, following):
            scale = 1
        return reading._replace(
            kind=following.kind,
            value=reading.value * scale,
            step=rounding_step(reading.value, scale=scale) if scale > 1 else reading.step,
            unit=following.unit or reading.unit,
        )
    return reading


def _first_day(
    numeral: Numeral, reading: NumberReading, following: NumberReading, *, ranged: bool
) -> NumberReading:
    """Return the first of two days of which only the second has its month: "14 и 16 ноября".

    A range that would fall begins in the month before: "с 28 по 3 ноября". A first end with a
    unit of its own comes back unchanged, and so does any day that the calendar lacks.
    """
    th = reading.kind is FactKind.ORDINAL and not reading.unit
    if not (th or reading.kind is FactKind.NUMBER) or not numeral.plain:
        return reading
    of_month = numeral.value // MILLION
    month_before = ranged and of_month > day_of_month(following.value)
    day = day_in_month_of(following.value, of_month, month_before=month_before)
    return (
        reading if day is None else reading._replace(kind=FactKind.DAY, value=day, step=1, unit="")
    )


def _same_currency(reading: NumberReading, following: NumberReading) -> bool:
    """Return whether both are sums of one currency, the first less even with the other's scale."""
    return (
        reading.kind is following.kind is FactKind.MONEY
        and reading.unit == following.unit
        and reading.value * following.scale < following.value
    )


def _may_share(numeral: Numeral, following: NumberReading) -> bool:
    """Return whether the scale of the second end of a range, "million", also applies to the first.

    It does if the scaled first end is the lesser, or if the scale brings the ends nearer to each
    other: in "from 10 to 7 million" 10 means ten million; in "from 500 to 2 thousand" 500 stays.
    """
    first, second = numeral.value, following.value
    shared = first * following.scale
    falling = numeral.plain and first < _THOUSAND and first * shared <= second * second
    return shared < second or falling
