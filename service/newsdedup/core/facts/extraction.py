"""From a text to its facts: numbers are found, read, joined where they belong together."""

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from datetime import date
from itertools import islice, pairwise

from newsdedup.core.facts import days, numerals
from newsdedup.core.facts.context import mentions_frost, sign_of
from newsdedup.core.facts.editions import EDITION, find_edition
from newsdedup.core.facts.fact import MILLION, OPENING, Fact, FactKind, Numeral
from newsdedup.core.facts.hours import DOTTED_TIME, HOURS_ALONE
from newsdedup.core.facts.notations import RawFact, has_notation, read_notation
from newsdedup.core.facts.reading import NumberReading, read_number
from newsdedup.core.facts.subjects import is_page_counter, local_telephone_start, telephone_end
from newsdedup.core.facts.units import CENT, CURRENCY_SIGN, PEOPLE, UNITS, rounding_step, stem
from newsdedup.core.text.tokens import LONGEST_NUMBER, sentence_ends
from newsdedup.data.lang import pattern, words

IN_A_ROW = stem("number")
"""What the numbers of a row count: each is one, and another row has others."""
_LEAST = 4
_COMMAS = (", ", ",", "; ", "-", " - ", " ")
_BETWEEN = frozenset(
    (*_COMMAS, *[f"{comma} {word} " for comma in ("", ",") for word in words("grammar.and")])
)
_LONGEST_BETWEEN = max(map(len, _BETWEEN))


def _find_rows(lower: str, numbers: Sequence[Numeral]) -> frozenset[int]:
    """Return the starts of the numbers, given ascending, that are in rows of four or more.

    The numbers of a row have only commas, hyphens, spaces or "and" between them.
    """
    if len(numbers) < _LEAST:
        return frozenset()
    near = [
        one.end
        for one, other in pairwise(numbers)
        if other.start - one.end <= _LONGEST_BETWEEN and lower[one.end : other.start] in _BETWEEN
    ]
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
    rf"[-/](?P<dashed>{CURRENCY_SIGN})?\Z|\.\.\.?[+-]?\Z"
    rf"|(?:-[а-яії]{{1,3}})? (?:-|{_JOINING}) (?P<signed>{CURRENCY_SIGN})?\Z"
)
_until = re.compile(rf"[^ ]* ?(?:-|\.\.\.?|{pattern('times.until')})(?: |\Z)")
"""What comes between both ends of a range of days: "с 28 по 3 ноября", and not "28 и 3"."""
_and_from = re.compile(rf" {pattern('grammar.and')} {pattern('grammar.from')} \Z")
"""What also comes between days of one month: "с 1 по 4 и с 8 по 11 мая"."""
_LONGEST_JOIN = 32
"""Characters between two numbers that belong together."""
_scale_alone = re.compile(r" ?[^\W\d_]+\.? ")
"""What comes between the millions of a number and its thousands."""
_currency_alone = re.compile(rf" ?(?:[^\W\d_]+\.?|{CURRENCY_SIGN}) (?:{pattern('grammar.and')} )?")
"""What comes between roubles and their kopecks."""
_SIDES = frozenset(map(stem, words("contests.sides")))
_against = re.compile(rf" [^\W\d_]+ {pattern('contests.against')} ")
"""What comes between both sides of a result: "54 votes to 46"."""
_PARTED = frozenset(("rub", "uah", "usd", "eur", "gbp"))
"""Currencies that are divided into hundredths."""
_COUNTED = UNITS - {"hour"}


def _join_numbers(
    lower: str, numeral: Numeral, reading: NumberReading, following: NumberReading, start: int
) -> tuple[NumberReading, bool]:
    """Return a number's reading, corrected by `following`, that of the next number at `start`.

    The second value says whether the following number is a part of this one, and so no fact of its
    own: thousands after millions, kopecks after roubles, minutes after hours, the other side of a
    result in words. The first end of a range takes the kind and unit of the second.
    """
    if start - numeral.end <= 10:
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
    counts = following.kind is FactKind.NUMBER
    if counts and reading.unit in _SIDES and _against.fullmatch(lower, numeral.end, start):
        fewer, more = sorted((reading.value // MILLION, following.value // MILLION))
        score = more * 1_000 + fewer
        return reading._replace(kind=FactKind.SCORE, value=score, step=1, unit=""), True
    return reading, False


def _with_part(
    lower: str, numeral: Numeral, reading: NumberReading, following: NumberReading, start: int
) -> NumberReading | None:
    """Return the number with the following one added to it, or None if that is no part of it."""
    whole = numeral.value % MILLION == 0
    value = reading.value + following.value
    thousands = (
        reading.scale > following.scale
        and reading.kind is FactKind.NUMBER
        and following.kind in (FactKind.NUMBER, FactKind.MONEY)
        and following.value < reading.scale * MILLION
    )
    if whole and thousands and _scale_alone.fullmatch(lower, numeral.end, start):
        return following._replace(value=value, scale=reading.scale)
    cents = (
        following.unit == CENT
        and reading.unit in _PARTED
        and following.scale == reading.scale == 1
        and following.value < MILLION
    )
    if whole and cents and _currency_alone.fullmatch(lower, numeral.end, start):
        return reading._replace(value=value, step=MILLION // 100)
    minutes = (
        reading.kind is FactKind.CLOCK
        and reading.value % 60 == 0
        and following.unit == "minute"
        and following.value < 60 * MILLION
    )
    if minutes and _scale_alone.fullmatch(lower, numeral.end, start):
        return reading._replace(value=reading.value + following.value // MILLION)
    return None


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
    if counts or rest or DOTTED_TIME.match(lower, start):
        return reading
    if HOURS_ALONE.match(lower, start) and 0 <= hour < 24:
        minutes = hour * 60
    elif 0 < hour <= 12:
        minutes = hour % 12 * 60
        afternoon = minutes + 12 * 60
        minutes = minutes if minutes < following.value <= afternoon else afternoon
    else:
        return reading
    return reading._replace(kind=FactKind.CLOCK, value=minutes, step=1, unit="")


def _first_end(
    numeral: Numeral, reading: NumberReading, following: NumberReading, *, signed: bool
) -> NumberReading:
    """Return the first end of a range, or of "5 and 6 tons", with kind and unit of the second.

    With `signed`, a currency sign precedes the second end. A first end that has a unit of its own
    comes back unchanged, unless both are sums of one currency and the first is the lesser even with
    the scale of the second.
    """
    same_currency = (
        reading.kind is following.kind is FactKind.MONEY
        and reading.unit == following.unit
        and reading.value * following.scale < following.value
    )
    alone = signed or reading.kind is not FactKind.NUMBER
    if (alone and not same_currency) or following.kind > FactKind.MONEY:
        return reading
    scale = 1 if reading.scale > 1 or not _may_share(numeral, following) else following.scale
    return reading._replace(
        kind=following.kind,
        value=reading.value * scale,
        step=rounding_step(reading.value, scale=scale) if scale > 1 else reading.step,
        unit=following.unit or reading.unit,
    )


def _first_day(
    numeral: Numeral, reading: NumberReading, following: NumberReading, *, ranged: bool
) -> NumberReading:
    """Return the first of two days of which only the second has its month: "14 и 16 ноября".

    If they are a range (`ranged`) that would fall, it begins in the month before: "с 28 по 3
    ноября". A first end with a unit of its own comes back unchanged, as does any day that the
    calendar lacks.
    """
    th = reading.kind is FactKind.ORDINAL and not reading.unit
    if not (th or reading.kind is FactKind.NUMBER) or not numeral.plain:
        return reading
    of_month = numeral.value // MILLION
    month_before = ranged and of_month > days.day_of_month(following.value)
    day = days.day_in_month_of(following.value, of_month, month_before=month_before)
    if day is None:
        return reading
    return reading._replace(kind=FactKind.DAY, value=day, step=1, unit="")


def _may_share(numeral: Numeral, following: NumberReading) -> bool:
    """Return whether the scale of the second end of a range, "million", also applies to the first.

    It does if the scaled first end is the lesser, or if the scale brings the ends nearer to each
    other: in "from 10 to 7 million" 10 means ten million; in "from 500 to 2 thousand" 500 stays.
    """
    first, second = numeral.value, following.value
    shared = first * following.scale
    falling = numeral.plain and first < 1_000 * MILLION and first * shared <= second * second
    return shared < second or falling


_MOST_FACTS = 32
_WORDS = days.DAY_WORDS | numerals.NUMBER_WORDS | numerals.HALF_WORDS
# As in `find_numbers`: passing over what is no digit, and the end of the text, for speed.
_literal = re.compile(
    r"[^0-9]*+(?:([0-9]+(?:(?<![0-9]{4})(?: [0-9]{3}(?![0-9])){1,4})?(?:[.,:/-][0-9]+)*"
    r"(?: [1-9]/[1-9][0-9]?(?![0-9/]))?)|\Z)"
)
_PLANES = tuple([f"{name} " for name in words("labels.planes")])
_amount = re.compile(r"[0-9 ]+(?:,[0-9]+|\.[0-9]+)?\Z")
"""What cannot be a score, a time or a day: one comma or one dot at most."""
_may_verb = re.compile(r"\b(?:may(?! [12][0-9]{3}\b)|M(?:ay|AY)(?= (?i:have|be|not|also|still)\b))")


def extract_facts(
    text: str,
    forms: Collection[str],
    *,
    published: date | None = None,
    hour: int | None = None,
    lang: str = "",
) -> tuple[Fact, ...]:
    """Return the first 32 facts of a clean text in its order; `forms` are its `tokens`.

    `lang` is its language: if that has a notation, it is read first.

    Without the date of publication, "вчера" and "on Monday" are no facts, and "28 октября" has no
    year. `hour` is that of the publication, None if unknown: it goes into the unit of days that are
    named near midnight.
    """
    # "May" as a verb is no month; "can" is as long and means nothing here.
    lower = (_may_verb.sub("can", text) if "may" in forms else text).lower()
    by_tables, lower = read_notation(lower, lang, published, hour)
    facts, numbers = _parse_literals(lower, published)
    facts += by_tables
    # "Ten" is a number in English, and "this" in Polish.
    spelled = frozenset() if has_notation(lang) else _WORDS.intersection(forms)
    if spelled:
        numbers += numerals.find_spelled_numbers(lower, spelled & numerals.NUMBER_WORDS)
        if not numerals.HALF_WORDS.isdisjoint(spelled):
            numbers = numerals.add_halves(lower, numbers)
        if published is not None:
            named = days.find_day_words(lower, spelled & days.DAY_WORDS, published, hour)
            facts += [(start, FactKind.DAY, day, 1, unit) for start, day, unit in named]
    if published is not None and (bracketed := dict(days.find_bracketed_days(lower, published))):
        facts += [(start, FactKind.DAY, day, 1, "") for start, day in bracketed.items()]
        numbers = [number for number in numbers if number.start not in bracketed]
    if edition := find_edition(lower, forms):
        begin, end, value = edition
        facts.append((begin, FactKind.ORDINAL, value, MILLION, EDITION))
        numbers = [number for number in numbers if not begin <= number.start < end]
    if numbers:
        numbers.sort()
        facts += _read_numbers(lower, numbers[:_MOST_FACTS], published)
    if not facts:
        return ()
    ends = tuple(islice(sentence_ends(text), OPENING))
    return tuple(
        [
            Fact(kind, value, step, unit, bisect_right(ends, start), start)
            for start, kind, value, step, unit in sorted(facts)[:_MOST_FACTS]
        ]
    )


def _parse_literals(lower: str, published: date | None) -> tuple[list[RawFact], list[Numeral]]:
    """Return the scores, times and days written in digits, and the numbers not yet read."""
    facts: list[RawFact] = []
    numbers: list[Numeral] = []
    called = 0  # where the last telephone number ends
    for match in _literal.finditer(lower):
        literal = match[1]
        if literal is None or len(literal) > LONGEST_NUMBER:
            continue
        start = match.start(1)
        called = called if start < called else telephone_end(lower, start)
        if called:
            continue
        if literal.isdigit():
            if len(literal) < 4:
                value = int(literal) * MILLION
                numbers.append(Numeral(start, start + len(literal), value, MILLION, plain=True))
                continue
        elif not _amount.match(literal):
            if "-" in literal and _is_name(lower, literal, start, numbers):
                continue
            shapes = numerals.parse_shapes(lower, literal, start, published)
            if shapes:
                facts += [(shape.start, shape.kind, shape.value, 1, "") for shape in shapes]
                continue
        numbers += numerals.parse_numerals(literal, start)
        if len(facts) + len(numbers) > _MOST_FACTS:
            break
    return facts, numbers


def _is_name(lower: str, literal: str, start: int, numbers: list[Numeral]) -> bool:
    """Return whether a literal with a hyphen is part of a plane's name or a local telephone number.

    Of a telephone number remove the area code before it from the end of `numbers`.
    """
    code = local_telephone_start(lower, literal, start)
    if code is None:
        return lower.endswith(_PLANES, 0, start)
    while numbers and numbers[-1].start >= code:
        numbers.pop()
    return True


def _read_numbers(lower: str, numbers: list[Numeral], published: date | None) -> list[RawFact]:
    """Return the facts of ascending numbers, last first: the second end of a range has the unit."""
    facts: list[RawFact] = []
    following: NumberReading | None = None
    following_start = -1
    frost = mentions_frost(lower)
    rows = _find_rows(lower, numbers)
    for numeral in reversed(numbers):
        skipped = is_page_counter(lower, numeral.start)
        reading = None if skipped else read_number(lower, numeral, published)
        near = following_start - numeral.end <= _LONGEST_JOIN
        if reading is not None and following is not None and near:
            reading, whole = _join_numbers(lower, numeral, reading, following, following_start)
            if whole:
                facts.pop()
        if reading is not None:
            # The year of "28 октября 2024" was read before its day.
            while facts and facts[-1][0] < reading.end:
                facts.pop()
            kind, value, step, unit = reading[:4]
            if kind <= FactKind.MONEY and unit not in PEOPLE:
                value *= sign_of(lower, numeral, kind, frost=frost and unit in ("degree", ""))
            if numeral.start in rows and kind is FactKind.NUMBER and unit not in UNITS:
                unit = IN_A_ROW
            facts.append((numeral.start, kind, value, step, unit))
        following, following_start = reading, numeral.start
    return facts
