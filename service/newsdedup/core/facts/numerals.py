"""Numbers as they are written: digits and signs by their shape ("1,234.5", "2:1"), and words."""

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from typing import NamedTuple

from newsdedup.core.facts import days, scores, units
from newsdedup.core.facts.fact import MILLION, FactKind, Numeral
from newsdedup.core.facts.hours import MERIDIEM, parse_hyphened, with_part_of_day
from newsdedup.data.lang import affixes, any_of, numbered, pattern, words

_MOST_DIGITS = 15
_MOST_DECIMALS = 6
_decimal = re.compile(r"([0-9]{1,15}(?: [0-9]{3})*)(?:[.,]([0-9]{1,9}))?\Z")
_thousands = re.compile(
    r"(?:[1-9][0-9]{0,2}|[1-9][0-9]?(?:,[0-9]{2})+)(?:,[0-9]{3})+(?:\.[0-9]{1,9})?\Z"
)
"""In India 734,668 is written 7,34,668."""
_dotted = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}\Z")
_fraction = re.compile(r"(?:([0-9]{1,6})[- ])?([0-9]{1,2})/([0-9]{1,3})\Z")
_clock = re.compile(r"([01]?[0-9]|2[0-3]|24(?=[:.]00))[:.]([0-5][0-9])(?::[0-5][0-9])?\Z")
_score = re.compile(r"([0-9]{1,3})([:/-])([0-9]{1,3})\Z")
_day = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4}|(?<!-)[0-9]{2})\Z")
_iso_day = re.compile(r"([0-9]{4})([./-])([0-9]{2})\2([0-9]{2})\Z")
_range = re.compile(r"([0-9 .,]+)-([0-9 .,]+)\Z")
_quote = re.compile(
    r"([0-9]{1,6}[.,][0-9]{1,6})/(?:([0-9]{1,6}[.,][0-9]{1,6})|(?<=[0-9]{2}/)[0-9]{2})\Z"
)
"""What is bid and asked: "290.15/30" is 290.15 and 290.30, "9.95/10.10" has both in full."""
_row = re.compile(r"[0-9]{1,2}(?:-[0-9]{1,2}){3,}\Z")
"""The numbers of a draw: at least four, since three are a day or a telephone number."""
_season = re.compile(r"((?:19|20)[0-9]{2})(?:-|/(?:[0-9]{2}(?=[0-9]{2}\Z))?)([0-9]{2})\Z")
_measured = re.compile(rf" ?([^\W\d_]{{1,24}}|%|{units.CURRENCY_SIGN})")
_falling_days = re.compile(
    rf"(?:[12][0-9]|3[01])-(?:0?[1-9]|[12][0-9]) {any_of(days.MONTHS)}\b(?! [0-9]{{1,2}}(?![0-9]))"
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
    contest = scores.is_score(lower, literal, start)
    if "-" in literal and ":" not in literal:
        if MERIDIEM.match(lower, end):  # "9-5pm"
            return ()
        unit = _measured.match(lower, end)
        minutes = parse_hyphened(lower, literal, start)
        measure = "" if unit is None else units.measure_of(unit[1])
        if minutes is not None and measure not in units.CURRENCIES:
            return (Shape(FactKind.CLOCK, minutes, start),)
        near = scores.is_near_contest(lower, start, end)
        if not near and _falling_days.match(lower, start):
            return ()
        listed = unit is not None and (unit[1] in days.MONTHS or unit[1] in units.SCALES)
        signed = lower[start - 1 : start] in units.CURRENCY_SIGNS
        contest = near and not (listed or measure or signed)
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
    """Return the score, time or day that the literal is; None if it is none of these.

    "10:40" is a time, but a score if the text speaks of a `contest`; "2-1" is a score if it falls
    or if the text speaks of a `contest`, else a range and None.
    """
    clock = _clock.match(literal) if ":" in literal else None
    if clock is not None and not contest:
        return Shape(FactKind.CLOCK, int(clock[1]) * 60 + int(clock[2]), start)
    score = _score.match(literal)
    if score is not None:
        fewer, more = sorted((int(score[1]), int(score[3])))
        if contest or score[2] == ":" or (score[2] == "-" and int(score[1]) > fewer):
            return Shape(FactKind.SCORE, more * 1_000 + fewer, start)
    day = _written_day(literal, published)
    return None if day is None else Shape(FactKind.DAY, day, start)


def _written_day(literal: str, published: date | None) -> int | None:
    """Return the day number of "28.10.2024" or "2024-10-28"; None for others and absurd years."""
    iso = _iso_day.match(literal)
    if iso is not None:
        year, month, day = map(int, iso.group(1, 3, 4))
        return days.calendar_day(day=day, month=month, year=year, published=published)
    parts = _day.match(literal)
    if parts is None:
        return None
    day, month, year = map(int, parts.group(1, 3, 4))
    if year < 100:
        year += 1900 if year >= 70 else 2000
    if month > 12:  # "10/28/2024"
        day, month = month, day
    return days.calendar_day(day=day, month=month, year=year, published=published)


def _parse_ends(literal: str, start: int, published: date | None) -> tuple[Shape, ...]:
    """Return both ends of "09:00-17:00" or "01.06-05.06.2031"; () for another literal."""
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
    """Return the day of `first`, "28" or "28.12", in a range to day `last`; None if impossible."""
    if first.isdigit():
        of_month = int(first) if len(first) <= 2 else 0
        return days.day_in_month_of(last, of_month, month_before=of_month > days.day_of_month(last))
    day = _written_day(f"{first}.{second.rpartition('.')[2]}", published)
    return days.day_a_year_before(day) if day is not None and day > last else day


def parse_numerals(literal: str, start: int) -> list[Numeral]:
    """Return the numbers in a literal: one, two of a range or a quote, or a row; none for noise.

    A row has at least four numbers, "5-12-23-31"; a season, "2019-20", counts as its first year.
    """
    end = start + len(literal)
    if literal.isdigit():
        if len(literal) > _MOST_DIGITS:
            return []
        value = int(literal) * MILLION
        return [Numeral(start, end, value, units.rounding_step(value), plain=True)]
    season = _season.match(literal)
    if season is not None and int(season[2]) == (int(season[1]) + 1) % 100:
        return [Numeral(start, end, int(season[1]) * MILLION, MILLION, plain=True)]
    number = _value(literal)
    if number is not None:
        return [Numeral(start, end, number, units.rounding_step(number), plain=False)]
    ends = _quote.match(literal) or _range.match(literal)
    if ends is None:
        return [
            Numeral(start + each.start(), start + each.end(), int(each[0]) * MILLION, MILLION, True)
            for each in re.finditer("[0-9]+", literal if _row.match(literal) else "")
        ]
    first, second = ends.groups()
    second = second or first[:-2] + literal[-2:]
    later = parse_numerals(second, start + len(first) + 1)
    return parse_numerals(first, start) + [one._replace(end=end) for one in later]


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


_VALUES = numbered("numbers.words")
_ENGLISH = numbered("numbers.words", ["en"])
_COMPOUND = {
    f"{ten}-{one}": tens + ones
    for ten, tens in _ENGLISH.items()
    for one, ones in _ENGLISH.items()
    if ones < 10 and tens >= 20
}
_ONE = frozenset(word for word, value in _VALUES.items() if value == 1)
"""Mostly a pronoun; a quantity only behind tens and hundreds, or before a word for people."""
_HALF_SCALES = words("numbers.half_scales")
_HALF_WORDS = words("numbers.half")
HALF_WORDS = words("numbers.halves")
_DIGIT_RANKS = {
    word: 3 if value >= 100 else 2 if value >= 20 else 1 for word, value in _VALUES.items()
} | {"hundred": 3}
"""The digit of a number that a word is, counted from the right: each word ranks below the last."""
WORD_VALUES = {word: value * MILLION for word, value in (_VALUES | _COMPOUND).items()}
WORD_VALUES |= dict.fromkeys(words("numbers.one_and_a_half"), 3 * MILLION // 2)
_STARTS = frozenset(WORD_VALUES) | {"hundred"}
"""What a spelled-out number can begin with; "a hundred" too."""
_ORDINAL_BEGINNINGS = affixes("numbers.ordinals")
_ALONE = words("numbers.alone")
_ABOUT_ONE = words("numbers.about_one")
_about = re.compile(rf"{pattern('numbers.about')} \Z")
NUMBER_WORDS = _STARTS | _ALONE | _HALF_SCALES | _HALF_WORDS | _ABOUT_ONE
_next = re.compile(r"(?: and|)[ -]([^\W\d_]{1,14}(?:['-][^\W\d_]{2,9})?)(?![\w'])")
_word = re.compile(r"([^\W\d_]{1,14})(?![\w'])")
_and_a_half = re.compile(rf" {pattern('numbers.and_a_half')}(?!')")
_HALF = 3
"""Characters of "пол" and "пів"."""
_THOUSAND = 1_000


def find_spelled_numbers(lower: str, number_words: Collection[str]) -> list[Numeral]:
    """Return the numbers that begin with one of these `NUMBER_WORDS`, in order, without overlap."""
    numbers: list[Numeral] = []
    starts = sorted(each for form in number_words for each in _occurrences(lower, form))
    for start, word in starts:
        if numbers and start < numbers[-1].end:
            continue
        numeral = _numeral(lower, start, word)
        if numeral is not None:
            numbers.append(numeral)
    return numbers


def add_halves(lower: str, numbers: Iterable[Numeral]) -> list[Numeral]:
    """Return all the numbers; whole ones before "с половиной" or "and a half" have it added."""
    added = []
    for number in numbers:
        half = None if number.value % MILLION else _and_a_half.match(lower, number.end)
        if half is None:
            added.append(number)
            continue
        value = number.value + MILLION // 2
        step = units.rounding_step(value)
        added.append(Numeral(number.start, half.end(), value, step, plain=False))
    return added


def _occurrences(lower: str, word: str) -> Iterator[tuple[int, str]]:
    """Yield (start, word) wherever the word is by itself, and not behind a hyphen."""
    start = lower.find(word)
    while start >= 0:
        end = start + len(word)
        before, after = lower[start - 1 : start], lower[end : end + 1]
        if not (before.isalnum() or before in ("-", "'")) and not (after.isalnum() or after == "'"):
            yield start, word
        start = lower.find(word, end)


def _numeral(lower: str, start: int, word: str) -> Numeral | None:
    """Return the number that begins with the word at `start`, or None: "пів року", "друг"."""
    if word in _HALF_WORDS:
        ahead = _next.match(lower, start + _HALF)
        if ahead is None or (ahead[1] not in units.SCALES and ahead[1] not in units.DOZENS):
            return None  # "пів року"
    if word in _HALF_WORDS or word in _HALF_SCALES:
        return Numeral(start, start + _HALF, MILLION // 2, MILLION // 10, plain=False)
    if word in _ABOUT_ONE:
        about = _about.search(lower, max(0, start - 20), start)
        first = None if about is None else Numeral(start, start, MILLION, MILLION, plain=False)
    else:
        first = _alone(lower, start) if word in _ALONE else _group(lower, start, word)
    return None if first is None else _with_thousands(lower, first)


def _with_thousands(lower: str, thousands: Numeral) -> Numeral:
    """Return the number with a "thousand two hundred" behind it added, or as it is without one."""
    end = thousands.end
    scale = _word.match(lower, end) if end == thousands.start else _next.match(lower, end)
    if (
        scale is None
        or units.SCALES.get(scale[1]) != _THOUSAND
        or thousands.value >= 1_000 * MILLION
    ):
        return thousands
    ahead = _next.match(lower, scale.end())
    if ahead is None or ahead[1] not in WORD_VALUES or ahead[1] in _ONE:
        return thousands
    rest = _group(lower, ahead.start(1), ahead[1])
    if rest is None or rest.value % MILLION:
        return thousands
    value = thousands.value * _THOUSAND + rest.value
    return Numeral(thousands.start, rest.end, value, units.rounding_step(value), plain=False)


def _group(lower: str, start: int, word: str) -> Numeral | None:
    """Return the number without scale that begins with the word, or None if none does.

    A lone "one" is mostly a pronoun, and "twenty-first" is an ordinal: neither is a number here.
    """
    value, left = WORD_VALUES.get(word, 100 * MILLION), _DIGIT_RANKS.get(word, 1)
    end = start + len(word)
    ahead = _next.match(lower, end)
    words = 1
    while ahead is not None and words < 5:
        follows = ahead[1]
        if follows == "hundred" and value < 100 * MILLION:
            value, left = value * 100, 3
        elif (2 if follows in _COMPOUND else _DIGIT_RANKS.get(follows, left)) < left:
            value, left = value + WORD_VALUES[follows], _DIGIT_RANKS.get(follows, 1)
        else:
            break
        words += 1
        end = ahead.end()
        ahead = _next.match(lower, end)
    follows = "" if ahead is None else ahead[1]
    pronoun = word in _ONE and words == 1 and units.measure_of(follows) not in units.PEOPLE
    counts = follows in WORD_VALUES or follows in units.DOZENS
    if pronoun or (follows.startswith(_ORDINAL_BEGINNINGS) and not counts):
        return None
    return Numeral(start, end, value, units.rounding_step(value), plain=False)


def _alone(lower: str, start: int) -> Numeral | None:
    """Return the 1, or half, of a scale at `start` without a number: "тысяча", "half a million".

    None if the scale belongs to a number before it.
    """
    before = lower[max(0, start - 20) : start].split()
    if before[-1:] == ["a"]:
        before.pop()
    last = before[-1] if before else ""
    if last in HALF_WORDS:
        one_and = "and" in before[-3:]
        if before[-4:-3] != ["one"] if one_and else last != "half":
            return None  # "half" ends another number
        value = MILLION // 2 + (MILLION if one_and else 0)
        return Numeral(start, start, value, MILLION // 10, plain=False)
    if last in _STARTS or last in units.DOZENS or last[-1:].isdigit():
        return None
    return Numeral(start, start, MILLION, MILLION, plain=False)
