"""What follows a number: its scale, currency, unit, or the noun that it counts."""

import re
from functools import lru_cache

from newsdedup.core.facts.fact import MILLION
from newsdedup.data.lang import WordTable, affixes, any_of, meanings, numbered, pattern, words

STEM = 5
"""Most characters of a stem: "делегатов" and "делегаты" both give "делег"."""

_LEAST = 3
"""Fewest characters that cutting an ending may leave: "слов" keeps its "ов"."""
_LONGEST = 24
"""Characters of the longest word from which endings are cut; bounds the time of the pattern."""
_endings = re.compile(
    rf"([а-яіїєґ]{{{_LEAST},}}?)"
    r"(?:[аяоеиіїєыуюьй]|[оеіїє]в|[аяиіїы]х|[аяоиіїы]м|[аяиіїыь]ми|[оеє]го|[оеє]му)*"
)
_plural = re.compile(r"(?<=[a-z]{3})(?<![sui])s\Z")
"""The s of "goals", but not that of "class", "virus" and "crisis"."""
_fleeting = re.compile(r"(?<=[бвгґджзклмнпрстфхцчшщ])[оеі](?=[бвгґджзклмнпрстфхцчшщ]\Z)")
"""Vowels that come and go before the last consonant: "лодка" and "лодок", "село" and "сіл"."""


@lru_cache(maxsize=4_096)
def stem(word: str) -> str:
    """Return the stem of a lower-case noun, at most five letters, equal for all its forms.

    Slavic nouns lose their ending and a fleeting vowel, English ones the s of the plural: "дома",
    "домов" and "домам" have one stem, and so have "goal" and "goals".
    """
    if word.isascii():
        return (_plural.sub("", word) if word.endswith("s") else word)[:STEM]
    match = _endings.fullmatch(word.replace("ё", "е")) if len(word) <= _LONGEST else None
    bare = word if match is None else _fleeting.sub("", match[1].replace("ь", ""))
    return bare[:STEM]


SCALES, ATTACHED_SCALES, MONEY_SCALES = [
    {word: 10**zeros for word, zeros in numbered(table).items()}
    for table in ("numbers.scales", "numbers.attached_scales", "numbers.money_scales")
]
"""Factors of "thousand" and the like; of those that touch a number, and of those of money only."""
DOZENS = numbered("numbers.groups")
"""Factors of "hundreds" or "dozens", scales of small numbers only: not in "в 2024 сотни людей"."""
MILLIONS_OF = words("units.millions_of")
PERCENT = "%"
CENT = "cent"
"""A hundredth of whatever currency, kopecks too."""
CURRENCY_SIGNS = meanings("units.currency_signs")
CURRENCY_SIGN = f"[{''.join(CURRENCY_SIGNS)}]"
"""A pattern of one of them."""
CURRENCY_CODES = meanings("units.currency_codes")
CURRENCY_LETTERS = meanings("units.currency_letters")
"""The codes for which letters stand that touch a sum."""
CURRENCIES = frozenset((*CURRENCY_SIGNS.values(), *CURRENCY_CODES.values(), "dem", CENT))
LENGTH_UNITS = frozenset(("m", "km", "cm"))
PEOPLE = frozenset(("person", "injured", "killed"))
_MEASURES = WordTable("units.words")
_HARM = WordTable("units.harm")
harm_of = _HARM.row_of
"""Returns "injured" or "killed" if a lower-case word has that meaning, or ""."""
_WORDS = _MEASURES.whole | CURRENCY_SIGNS
_COMPOUNDS = ("m2", "km2", "cm2", "m3", "km3", "cm3", "km/h", "m/s", "km/s")
"""Areas, volumes and speeds that `compound_unit` reads; rarer ones have no name."""
UNITS = frozenset((*_MEASURES.rows, *_HARM.rows, *_COMPOUNDS))
"""All named units; the unit of any other counted noun is its stem."""
YEARS = words("units.years")
CONJUNCTIONS = words("grammar.and", "grammar.or", "grammar.but")
"""Words that end a count, as another one may follow: "killed 5 and injured 7"."""
_NOT_COUNTED = CONJUNCTIONS.union(words("grammar.time_begins"))
_ADJECTIVE = affixes("grammar.adjective_endings")
_NO_NOUNS = words("grammar.no_nouns")
_NO_SHORT_NOUNS = words("grammar.no_short_nouns")


@lru_cache(maxsize=4_096)
def measure_of(word: str) -> str:
    """Return the unit that a lower-case word names (a measure, a currency, people, harm), or ""."""
    unit = _WORDS.get(word)
    return harm_of(word) or _MEASURES.row_of(word) if unit is None else unit


def unit_of(first: str, second: str, third: str) -> str:
    """Return the unit in the three words after a number, else the stem of a noun there, or "".

    Words that are missing are "".
    """
    if not first:
        return ""
    unit = measure_of(first)
    if unit:
        return unit
    unit = _WORDS.get(f"{first} {second}", "")
    if unit:  # "per cent"
        return unit
    if first in _NOT_COUNTED:
        return ""
    if is_adjective(first) and second:
        return (
            measure_of(second)
            or (_counted_noun_stem(third) if is_adjective(second) else "")
            or _counted_noun_stem(second)
        )
    # "7 people" and "7 more people" count the same.
    return _WORDS.get(second) or harm_of(second) or _counted_noun_stem(first)


def _counted_noun_stem(word: str) -> str:
    """Return the `noun_stem` of a word after a number, also of a short Cyrillic one; else ""."""
    if len(word) == 3 and word >= "а" and word not in _NO_SHORT_NOUNS:
        return stem(word)
    return noun_stem(word)


def noun_stem(word: str) -> str:
    """Return the stem of a lower-case word, or "" if it is listed as no noun or too short."""
    return "" if len(word) < 4 or word in _NO_NOUNS else stem(word)


def is_adjective(word: str) -> bool:
    """Return whether a lower-case word has the ending of a Slavic adjective."""
    return len(word) >= STEM and word.endswith(_ADJECTIVE)


def rounding_step(value: int, *, scale: int = 1) -> int:
    """Return the unit of the last stated digit of value * scale, in millionths as `value` is.

    `scale` is the factor of a word, as 1,000 of "thousand". Below 1,000 every digit counts: 10 is
    ten, not about ten. From 1,000 on, or before a scale, final zeros are taken for rounding.
    """
    if scale == 1 and value < 1_000 * MILLION:
        least = MILLION
        while value % least:
            least //= 10
        return least
    written = str(value * scale)
    return int(10 ** (len(written) - len(written.rstrip("0")))) if value else MILLION


_POWERS = meanings("units.powers")
BEFORE_LENGTHS = frozenset(_POWERS)
"""Words for square and cubic before a unit of length: "кв.м"."""
_PER = meanings("units.per")
_PER_WORDS = meanings("units.per_words")
_compound = re.compile(
    rf"\.?[ -]?(?:({any_of(_POWERS)})(?:\. ?| ))?([^\W\d_]{{1,14}})([23]?)(?!\w)"
    rf"(?: ?/ ?({any_of(_PER)})| ({any_of(_PER_WORDS)}))?"
)
_power = WordTable("units.powers")


def compound_unit(lower: str, end: int, unit: str) -> str:
    """Return the unit of "120 кв. метров" (m2) or "90 км/ч" (km/h) at index `end`, else `unit`."""
    match = _compound.match(lower, end)
    if match is None:
        return unit
    before, word, behind, slashed, spoken = match.groups()
    length = measure_of(word)
    if length not in LENGTH_UNITS:
        return unit
    power = behind if before is None else _power.row_of(before)
    time = _PER[slashed] if slashed else _PER_WORDS[spoken] if spoken else ""
    return f"{length}{power}/{time}" if time else f"{length}{power}"


_points = re.compile(
    rf"[ -]?(?:(?P<basis>{pattern('units.basis_points')})|{pattern('units.percent_points')})"
)
POINTS = tuple({word[0] for word in words("units.basis_points", "units.percent_points")})
"""The first characters of words for basis points and percentage points."""


def points_to_percent(
    lower: str, end: int, value: int, step: int, unit: str
) -> tuple[int, int, str]:
    """Return value, step and unit, converted to percent if "п.п." or basis points are at `end`."""
    match = _points.match(lower, end)
    if match is None:
        return value, step, unit
    parts = 1 if match["basis"] is None else 100
    return value // parts, max(1, step // parts), PERCENT
