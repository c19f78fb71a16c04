"""Patterns of how a language of the table writes dates, times of day and quantities."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from newsdedup.core.facts.units import CURRENCY_CODES, CURRENCY_SIGNS, UNITS
from newsdedup.core.words.pairs import MARKS, PAIRED
from newsdedup.data.notations import Notation, notation_of

_NOTHING = re.compile(r"(?!)")
_FREE = r"(?<![0-9])(?<![0-9][.,:/])"
"""Before a number that is no end of another one."""
_YEAR = r"(?P<year>[12][0-9]{3})"
_DAY, _MONTH = r"(?P<day>[0-9]{1,2})", r"(?P<month>[0-9]{1,2})"
_OF = r"(?:de |d'|del |di |da )"
_NTH = r"(?:\.?[ºª]|er\b|-[^\W\d_]{1,2}\b)"
_EAST = frozenset(("zh", "ja", "ko"))


class NotationPatterns(NamedTuple):
    """What is searched for in texts of a language, in this order."""

    tables: Notation
    uncounted: re.Pattern[str]
    """Ages of an item, counters of its page, numbers in brackets or alone at the end."""
    dates: tuple[re.Pattern[str], ...]
    """With groups day, month (a number or a name), perhaps year and first, the day of a range."""
    month_days: tuple[re.Pattern[str], ...]
    """With the group day only: the nearest such day is meant."""
    weekday_number: re.Pattern[str]
    """A weekday with the day of the month behind it."""
    day_word: re.Pattern[str]
    clocks: tuple[re.Pattern[str], ...]
    percent: re.Pattern[str]
    """A sign or word of percent before a number."""
    quantity: re.Pattern[str]
    """A number, perhaps with a currency before it, scales and a unit behind it."""
    scaled: re.Pattern[str]
    """One number of a quantity, with its scale."""
    ordinal: re.Pattern[str]
    thousands: str
    """What may part thousands, as a pattern."""


@cache
def notation_patterns(lang: str) -> NotationPatterns | None:
    """Return the patterns of a language; None for one without notation."""
    tables = notation_of(lang)
    return None if tables is None else _Compiler(lang, tables).patterns()


class _Compiler:
    """Makes the patterns of one language."""

    def __init__(self, lang: str, tables: Notation) -> None:
        self._lang, self._tables = lang, tables
        parted = lang not in PAIRED
        self._begin = r"(?<!\w)" if parted else ""
        self._end = rf"(?![\w{MARKS}])" if parted else ""
        # A blank may part a number from its unit in any script.
        comma = tables.decimal == ","
        self._decimal = "," if comma else r"\."
        self._thousands = "[. ']" if comma else "[, ']"
        lakhs = "" if comma else r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}"
        self._number = (
            rf"(?:[0-9]{{1,3}}(?:{self._thousands}[0-9]{{3}}(?![0-9]))+{lakhs}|[0-9]{{1,12}})"
            rf"(?:{self._decimal}[0-9]{{1,6}}(?![0-9]))?"
        )

    def patterns(self) -> NotationPatterns:
        """Return all patterns."""
        tables = self._tables
        words = self._any((*tables.weekdays, *tables.days_ago))
        scale = rf"(?:{self._any(tables.scales)}){self._end}" if tables.scales else "(?!)"
        scaled = rf"{self._number} ?{scale}"
        before = self._any((*self._currencies(), *CURRENCY_CODES), *map(re.escape, CURRENCY_SIGNS))
        unit = rf"(?P<unit>{self._any(tables.units)}){self._end}"
        percent = self._any(tables.percent_before)
        nth = rf"{_FREE}(?<!\w)(?P<number>[0-9]{{1,2}})\. ?(?P<noun>[^\W\d_]{{4,24}})"
        return NotationPatterns(
            tables=tables,
            uncounted=self._uncounted(),
            dates=tuple(map(re.compile, self._dates())),
            month_days=tuple(map(re.compile, self._month_days())),
            weekday_number=re.compile(
                rf"{self._begin}(?P<weekday>{self._any(tables.weekdays)}){self._end}[.,]? ?"
                rf"(?:día |dia |den |le |il |\()?{_DAY}(?!\w|[.,:/][0-9]| ?%)\)?"
            ),
            day_word=re.compile(rf"{self._begin}(?:{words}){self._end}"),
            clocks=tuple(map(re.compile, self._clocks())),
            percent=re.compile(rf"(?:{percent}) ?(?P<number>{self._number})")
            if percent
            else _NOTHING,
            quantity=re.compile(
                rf"(?:(?<![\w.,:/])(?P<before>us\$|{before})\.? ?|{self._begin}{_FREE}(?<![a-z]))"
                rf"(?P<numbers>(?:{scaled}\.? ?)*{self._number}(?: ?{scale}\.?)?)(?![0-9])"
                rf"(?: ?(?:de |d'|di |of )?{unit})?"
            ),
            scaled=re.compile(
                rf"(?P<number>{self._number})(?: ?(?P<scale>{self._any(tables.scales) or '(?!)'}))?"
            ),
            ordinal=re.compile(nth) if tables.ordinal_dot else _NOTHING,
            thousands=self._thousands,
        )

    def _any(self, words: Iterable[str], *patterns: str) -> str:
        """Return a pattern of any of the words, the longest first."""
        listed = sorted(set(words), key=lambda word: (-len(word), word))
        return "|".join([*map(re.escape, listed), *patterns])

    def _currencies(self) -> list[str]:
        """Return the words for currencies that may stand before a sum."""
        return [
            word for word, unit in self._tables.units.items() if unit not in UNITS or unit in _SUMS
        ]

    def _uncounted(self) -> re.Pattern[str]:
        """Return a pattern of numbers that say nothing about the message."""
        forms = [re.escape(age) for age in self._tables.ages]
        ages = [re.sub(r"\\#(\\ )?", "[0-9]{1,3} ?", form) for form in forms]
        counters = self._any(self._tables.counters)
        free = rf"{self._begin}{_FREE}"
        parts = [r"(?<= )\([0-9]{1,2}\)", r"(?<=[.!?] )[0-9]{1,4}$", r"\A[0-9]{1,4}$"]
        if ages:
            parts.append(rf"{free}(?:{'|'.join(sorted(ages, key=len, reverse=True))}){self._end}")
        if counters:
            parts.append(rf"{free}[0-9]{{1,5}} ?(?:{counters}){self._end}")
            parts.append(rf"{self._begin}(?:{counters}) ?:? ?[0-9]{{1,5}}$")
        return re.compile("|".join(parts))

    def _dates(self) -> list[str]:
        """Return the patterns of days with their month, those with most parts first."""
        tables = self._tables
        found = [
            rf"(?<![0-9]){_YEAR}[./-] ?{_MONTH}[./-] ?{_DAY}(?![0-9])\.?",
            rf"{_FREE}{_DAY}[./-]{_MONTH}[./-]{_YEAR}(?![0-9])",
        ]
        if self._lang in _EAST:
            year = rf"(?:{_YEAR} ?[年년] ?)?"
            found.append(rf"(?<![0-9]){year}{_MONTH} ?[月월] ?{_DAY} ?[日号號일]")
        elif self._lang == "vi":
            found += [
                rf"{_FREE}{_DAY} tháng {_MONTH}(?![0-9])(?:,? năm {_YEAR})?",
                rf"(?<=[ (]){_DAY}[/-]{_MONTH}(?:[/-]{_YEAR})?(?![0-9/-])",
            ]
        else:
            found += self._worded_dates()
        if self._lang not in _EAST:
            found.append(rf"(?<=\(){_DAY}/{_MONTH}(?:/{_YEAR})?(?=\))")
        if tables.ordinal_dot:
            found.append(rf"{_FREE}{_DAY}\. ?{_MONTH}\.(?: ?{_YEAR})?(?![0-9])")
        return found

    def _worded_dates(self) -> list[str]:
        """Return the patterns of days whose month is a word."""
        # Months are declined with a letter or two, and Hebrew has its preposition before them.
        month = rf"ב?(?P<month>{self._any(self._tables.months)})\.?{self._end}"
        first = (
            r"(?:(?P<first>[0-9]{1,2})[.º]?(?:er)?(?: ?- ?| [^\W\d_]{1,4} (?:[^\W\d_]{1,4} )?))?"
        )
        behind = rf"(?:,? ?{_OF}?{_YEAR}(?![0-9]|[.,][0-9]))?"
        day_first = rf"{_FREE}(?<!\w){first}{_DAY}{_NTH}?\.?,? ?{_OF}?{month}{behind}"
        year_first = rf"(?:{_YEAR}(?:\.| m\.| г\.)?,? )?"
        month_first = (
            rf"{self._begin}{year_first}{month} {_DAY}(?![0-9]|[.,:][0-9])(?:-[^\W\d_]{{1,4}})?"
        )
        return [day_first, month_first] if self._tables.month_first else [day_first]

    def _month_days(self) -> list[str]:
        """Return the patterns of a day of the month without its month, as Japanese news has it."""
        if self._lang not in _EAST:
            return []
        spans = "間|间|간|目|前|後|后|째|동안|以|내|만|連|连|元|本"
        return [rf"(?<![0-9月월年년])(?<![0-9][.,]){_DAY} ?[日号號일](?!{spans})"]

    def _clocks(self) -> list[str]:
        """Return the patterns of times of day, with the groups hour, minute and afternoon."""
        tables = self._tables
        hour, minute = r"(?P<hour>[0-9]{1,2})", r"(?P<minute>[0-5][0-9])"
        later = rf"(?:(?P<afternoon>{self._any(tables.afternoon)}) ?)?" if tables.afternoon else ""
        found = [rf"{_FREE}(?<!\w){hour} ?h ?{minute}(?!\w)"]
        if self._lang in _EAST:
            half = rf"(?: ?{minute} ?[分분]|(?P<half>半))?"
            found.append(rf"{later}{_FREE}{hour} ?[時时点點시](?!間|间|간|代){half}")
        if tables.afternoon:
            found.append(rf"(?P<afternoon>{self._any(tables.afternoon)}) ?{hour}:{minute}(?![0-9])")
        if tables.clock_behind:
            behind = self._any(tables.clock_behind)
            found.append(rf"{_FREE}(?<!\w){hour}(?:[.:]{minute})? ?(?P<behind>{behind}){self._end}")
        if tables.clock_before:
            before = rf"{self._begin}(?:{self._any(tables.clock_before)})\.? "
            found.append(rf"{before}{hour}(?:[.:]{minute})?(?![0-9]|[.,:][0-9]| ?%)")
        return found


_SUMS = frozenset((*CURRENCY_SIGNS.values(), *CURRENCY_CODES.values()))
