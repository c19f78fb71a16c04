"""Patterns of how a language of the table writes dates, times of day and quantities."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import NamedTuple

from newsdedup.core.facts.units import CURRENCY_CODES, CURRENCY_SIGNS, UNITS
from newsdedup.core.words.pairs import MARKS, PAIRED
from newsdedup.data.notations import Notation, notation_of

_FREE = r"(?<![0-9])(?<![0-9][.,:/])"
"""Before a number that is no end of another one."""
_AT_NUMBERS = ("(?<![0-9", r"(?<=\()", "(?<=[ (])")
_YEAR = r"(?P<year>[12][0-9]{3})"
_DAY, _MONTH = r"(?P<day>[0-9]{1,2})", r"(?P<month>[0-9]{1,2})"
_OF = r"(?:de |d'|del |di |da |من )"
_NTH = r"(?:\.?[ºª]|er\b|-[^\W\d_]{1,2}\b)"
_EAST = frozenset(("zh", "ja", "ko"))
_AGAINST = {
    "ca": " a ",
    "es": " a ",
    "fa": " بر ",
    "fr": " à ",
    "it": " a ",
    "ko": "대",
    "pt": " a ",
}
"""What is written between both sides of a result."""
_FRAME = 16
"""Characters of a pattern besides its listed words: particles, dots and spaces."""


def _longest_first(words: Iterable[str]) -> list[str]:
    """Return the words, each once, those that begin others behind these."""
    return sorted(set(words), key=lambda word: (-len(word), word))


def _escaped(words: str) -> str:
    """Return a pattern of words in which "#" is a number."""
    return re.sub(r"\\#(\\ )?", "[0-9]{1,3} ?", re.escape(words))


class Search(NamedTuple):
    """A pattern, and whether its matches begin with the first digit of a number."""

    pattern: re.Pattern[str]
    at_numbers: bool
    before: re.Pattern[str] | None = None
    """The word before a number with which a match may begin, too."""


def _search(pattern: str) -> Search:
    """Return the search for a pattern; one at numbers says first what is not before them."""
    return Search(re.compile(pattern), pattern.startswith(_AT_NUMBERS))


NOTHING = Search(re.compile("(?!)"), at_numbers=True)
"""Is in place of what a language does not have."""


class NotationPatterns(NamedTuple):
    """What is searched for in texts of a language, in this order."""

    tables: Notation
    uncounted: tuple[Search, ...]
    """Ages of an item, counters of its page, numbers in brackets or alone at the end."""
    dates: tuple[Search, ...]
    """With groups day, month (a number or a name), perhaps year and first, the day of a range."""
    month_days: tuple[Search, ...]
    """With the group day only: the nearest such day is meant."""
    weekday_number: Search
    """A weekday with the day of the month behind it."""
    day_word: re.Pattern[str]
    score: Search
    """A result in words, "2 a 1", with the groups first and second."""
    clocks: tuple[Search, ...]
    percent: Search
    """A sign or word of percent before a number."""
    quantity: Search
    """A number, perhaps with a currency before it, scales and a unit behind it."""
    scaled: re.Pattern[str]
    """One number of a quantity, with its scale."""
    ordinal: Search
    thousands: str
    """What may part thousands, as a pattern."""
    before: int
    behind: int
    """Characters before a digit and behind it that a match may have or look at."""


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
        lakhs = "" if comma else r"|[0-9]{1,2}(?:,[0-9]{2}){1,5},[0-9]{3}"
        # Two decimals at most may follow the sign that else parts thousands: "3.5 millones".
        self._number = (
            rf"(?:[0-9]{{1,3}}(?:{self._thousands}[0-9]{{3}}(?![0-9])){{1,5}}{lakhs}|[0-9]{{1,12}})"
            rf"(?:{self._decimal}[0-9]{{1,6}}(?![0-9])|[.,][0-9]{{1,2}}(?![0-9]|[.,:][0-9]))?"
        )

    def patterns(self) -> NotationPatterns:
        """Return all patterns."""
        tables = self._tables
        words = self._led((*tables.weekdays, *tables.days_ago))
        scale = rf"(?:{self._any(tables.scales)}){self._end}" if tables.scales else "(?!)"
        scaled = rf"{self._number} ?{scale}"
        sums = ("us$", *self._currencies(), *CURRENCY_CODES, *CURRENCY_SIGNS)
        unit = rf"(?P<unit>{self._any(tables.units)}){self._end}"
        percent = self._any(tables.percent_before)
        nth = rf"{_FREE}(?<!\w)(?P<number>[0-9]{{1,2}})\. ?(?P<noun>[^\W\d_]{{4,24}})"
        return NotationPatterns(
            tables=tables,
            uncounted=tuple(map(_search, self._uncounted())),
            dates=tuple(map(_search, self._dates())),
            month_days=tuple(map(_search, self._month_days())),
            weekday_number=_search(
                rf"(?P<weekday>{self._led(tables.weekdays)}){self._end}[.,]? ?"
                rf"(?:día |dia |den |le |il |\()?{_DAY}(?!\w|[.,:/][0-9]| ?%)\)?"
            ),
            day_word=re.compile(rf"{words}{self._end}"),
            score=self._score(),
            clocks=self._clocks(),
            percent=_search(rf"(?:{percent}) ?(?P<number>{self._number})") if percent else NOTHING,
            quantity=Search(
                re.compile(
                    rf"(?:(?<![\w.,:/])(?P<before>{self._any(sums)})\.? ?"
                    rf"|{self._begin}{_FREE}(?<![a-z]))"
                    rf"(?P<numbers>(?:{scaled}\.? ?){{0,4}}{self._number}(?: ?{scale}\.?)?)"
                    rf"(?![0-9])(?: ?(?:de |d'|di |of )?{unit})?"
                ),
                at_numbers=True,
                before=re.compile(rf"{self._led(sums, '(?<![.,:/].)')}\.? ?[0-9]"),
            ),
            scaled=re.compile(
                rf"(?P<number>{self._number})(?: ?(?P<scale>{self._any(tables.scales) or '(?!)'}))?"
            ),
            ordinal=_search(nth) if tables.ordinal_dot else NOTHING,
            thousands=self._thousands,
            before=_FRAME + self._longest_word(),
            behind=_FRAME + 2 * self._longest_word(),
        )

    def _longest_word(self) -> int:
        """Return the number of characters of the longest word of the tables."""
        tables = self._tables
        clocks = (tables.clock_before, tables.clock_at, tables.clock_behind, tables.afternoon)
        counted = (tables.percent_before, tables.counters, tables.ages, tables.scales, tables.units)
        words = chain(*clocks, *counted, tables.months, tables.weekdays)
        return max(map(len, chain(words, CURRENCY_CODES, CURRENCY_SIGNS)))

    def _any(self, words: Iterable[str]) -> str:
        """Return a pattern of any of the words, the longest first."""
        return "|".join(map(re.escape, _longest_first(words)))

    def _led(self, words: Iterable[str], guard: str = "") -> str:
        """Return a pattern of any of the words at the beginning of a word, the longest first.

        What may not be before it, `guard` besides, is looked for behind the first letter: a search
        for letters skips all others several times as fast as one that looks back everywhere.
        """
        listed = _longest_first(words)
        leads = sorted({word[0] for word in listed})
        # Hebrew has its prepositions in one word with what follows.
        begin = r"(?<!\w\w.)" if self._lang == "he" else r"(?<!\w.)" if self._begin else ""
        rests = [
            f"(?<={re.escape(lead)})(?:{'|'.join(map(_escaped, rest))})"
            for lead in leads
            if (rest := [word[1:] for word in listed if word[0] == lead])
        ]
        return f"[{re.escape(''.join(leads))}]{begin}{guard}(?:{'|'.join(rests)})"

    def _currencies(self) -> list[str]:
        """Return the words for currencies that may stand before a sum."""
        return [
            word for word, unit in self._tables.units.items() if unit not in UNITS or unit in _SUMS
        ]

    def _uncounted(self) -> list[str]:
        """Return the patterns of numbers that say nothing about the message."""
        counters = self._any(self._tables.counters)
        ages = sorted(self._tables.ages, key=len, reverse=True)
        behind = [_escaped(age) for age in ages if age.startswith("#")]
        if counters:
            behind.append(rf"[0-9]{{1,5}} ?(?:{counters})")
        alone = r"(?<![0-9])(?:(?<=[.!?] )[0-9]{1,4}$|\A[0-9]{1,4}$"
        counted = rf"|{self._begin}{_FREE}(?:{'|'.join(behind)}){self._end}" if behind else ""
        found = [f"{alone}{counted})", r"\((?<= \()[0-9]{1,2}\)"]
        # A month without its day: in other languages its name is no number.
        if self._lang in _EAST:
            found.append(r"(?<![0-9])(?:1[0-2]|[1-9]) ?[月월](?! ?[0-9])")
        worded = [age for age in ages if not age.startswith("#")]
        if worded:
            free = r"(?<![0-9].)(?<![0-9][.,:/].)"
            found.append(f"{self._led(worded, free)}{self._end}")
        if counters:
            found.append(f"{self._led(self._tables.counters)} ?:? ?[0-9]{{1,5}}$")
        return found

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

    def _score(self) -> Search:
        """Return the search for a result with a word between both sides."""
        word = _AGAINST.get(self._lang)
        if word is None:
            return NOTHING
        first, second = r"(?P<first>[0-9]{1,3})", r"(?P<second>[0-9]{1,3})"
        return _search(
            rf"{_FREE}(?<!\w)(?<!de )(?<!del )(?<!da ){first}{word}{second}"
            rf"(?![0-9명]|[.,:/-][0-9]| ?%){self._end}"
        )

    def _clocks(self) -> tuple[Search, ...]:
        """Return the searches for times of day, with the groups hour, minute and afternoon."""
        tables = self._tables
        hour, minute = r"(?P<hour>[0-9]{1,2})", r"(?P<minute>[0-5][0-9])"
        found = [_search(rf"{_FREE}(?<!\w){hour} ?h ?{minute}(?!\w)")]
        afternoon = ""
        if tables.afternoon:
            afternoon = rf"(?P<afternoon>{self._led(tables.afternoon)}) ?"
        if self._lang in _EAST:
            half = rf"(?: ?{minute} ?[分분]|(?P<half>半))?"
            at = rf"{_FREE}{hour} ?[時时点點시](?!間|间|간|代){half}"
            led = re.compile(f"{afternoon}[0-9]") if afternoon else None
            found.append(Search(re.compile(f"(?:{afternoon})?{at}"), at_numbers=True, before=led))
        if afternoon:
            found.append(_search(rf"{afternoon}{hour}:{minute}(?![0-9])"))
        if tables.clock_behind:
            behind = self._any(tables.clock_behind)
            clock = rf"{hour}(?:[.:]{minute})? ?(?P<behind>{behind}){self._end}"
            found.append(_search(rf"{_FREE}(?<!\w){clock}"))
        if tables.clock_before:
            before = rf"{self._led(tables.clock_before)}\.? "
            found.append(_search(rf"{before}{hour}(?:[.:]{minute})?(?![0-9]|[.,:][0-9]| ?%)"))
        if tables.clock_at:
            at = "|".join(rf"(?<=\b{re.escape(word)} )" for word in tables.clock_at)
            found.append(_search(rf"{_FREE}(?:{at}){hour}\.{minute}(?![0-9]|[.,:][0-9]| ?%)"))
        return tuple(found)


_SUMS = frozenset((*CURRENCY_SIGNS.values(), *CURRENCY_CODES.values()))
