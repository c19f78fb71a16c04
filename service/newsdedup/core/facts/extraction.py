"""From a text to its facts: numbers are found, read with their neighbours, and put in order."""

import re
from bisect import bisect_right
from collections.abc import Collection
from datetime import date
from itertools import islice

from newsdedup.core.facts.context import mentions_frost, sign_of
from newsdedup.core.facts.days import DAY_WORDS, find_bracketed_days, find_day_words
from newsdedup.core.facts.fact import MILLION, OPENING, Fact, FactKind, Numeral
from newsdedup.core.facts.literals import LONGEST_LITERAL, parse_numerals, parse_shapes
from newsdedup.core.facts.ranges import IN_A_ROW, LONGEST_JOIN, find_rows, join_numbers
from newsdedup.core.facts.reading import NumberReading, read_number
from newsdedup.core.facts.spelled import HALF_WORDS, NUMBER_WORDS, add_halves, find_spelled_numbers
from newsdedup.core.facts.uncounted import (
    is_page_counter,
    local_telephone_start,
    telephone_end,
)
from newsdedup.core.facts.units import PEOPLE, UNITS
from newsdedup.core.text.sentences import sentence_ends
from newsdedup.data.lang import words

_MOST_FACTS = 32
_WORDS = DAY_WORDS | NUMBER_WORDS | HALF_WORDS
# As in numbers.py: passing over what is no digit, and the end of the text, for speed.
_literal = re.compile(
    r"[^0-9]*+(?:([0-9]+(?:(?<![0-9]{4})(?: [0-9]{3}(?![0-9])){1,4})?(?:[.,:/-][0-9]+)*"
    r"(?: [1-9]/[1-9][0-9]?(?![0-9/]))?)|\Z)"
)
_PLANES = tuple([f"{name} " for name in words("labels.planes")])
_amount = re.compile(r"[0-9 ]+(?:,[0-9]+|\.[0-9]+)?\Z")
"""What cannot be a score, a time or a day: one comma or one dot at most."""
_may_verb = re.compile(r"\b(?:may(?! [12][0-9]{3}\b)|M(?:ay|AY)(?= (?i:have|be|not|also|still)\b))")

_RawFact = tuple[int, FactKind, int, int, str]
"""The start, kind, value, step and unit of a fact."""


def extract_facts(
    text: str,
    forms: Collection[str],
    *,
    published: date | None = None,
    hour: int | None = None,
) -> tuple[Fact, ...]:
    """Return the first 32 facts of a clean text in its order; `forms` are its `tokens`.

    Without the date of publication, "вчера" and "on Monday" are no facts, and "28 октября" has no
    year. `hour` is that of the publication, None if unknown: it goes into the unit of days that are
    named near midnight.
    """
    # "May" as a verb is no month; "can" is as long and means nothing here.
    lower = (_may_verb.sub("can", text) if "may" in forms else text).lower()
    facts, numbers = _parse_literals(lower, published)
    spelled = _WORDS.intersection(forms)
    if spelled:
        numbers += find_spelled_numbers(lower, spelled & NUMBER_WORDS)
        if not HALF_WORDS.isdisjoint(spelled):
            numbers = add_halves(lower, numbers)
        if published is not None:
            named = find_day_words(lower, spelled & DAY_WORDS, published, hour)
            facts += [(start, FactKind.DAY, day, 1, unit) for start, day, unit in named]
    if published is not None and (bracketed := dict(find_bracketed_days(lower, published))):
        facts += [(start, FactKind.DAY, day, 1, "") for start, day in bracketed.items()]
        numbers = [number for number in numbers if number.start not in bracketed]
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


def _parse_literals(lower: str, published: date | None) -> tuple[list[_RawFact], list[Numeral]]:
    """Return the scores, times and days written in digits, and the numbers not yet read."""
    facts: list[_RawFact] = []
    numbers: list[Numeral] = []
    called = 0  # where the last telephone number ends
    for match in _literal.finditer(lower):
        literal = match[1]
        if literal is None or len(literal) > LONGEST_LITERAL:
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
            shapes = parse_shapes(lower, literal, start, published)
            if shapes:
                facts += [(shape.start, shape.kind, shape.value, 1, "") for shape in shapes]
                continue
        numbers += parse_numerals(literal, start)
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


def _read_numbers(lower: str, numbers: list[Numeral], published: date | None) -> list[_RawFact]:
    """Return the facts of ascending numbers, last first: the second end of a range has the unit."""
    facts: list[_RawFact] = []
    following: NumberReading | None = None
    following_start = -1
    frost = mentions_frost(lower)
    rows = find_rows(lower, numbers)
    for numeral in reversed(numbers):
        skipped = is_page_counter(lower, numeral.start)
        reading = None if skipped else read_number(lower, numeral, published)
        near = following_start - numeral.end <= LONGEST_JOIN
        if reading is not None and following is not None and near:
            reading, whole = join_numbers(lower, numeral, reading, following, following_start)
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
