"""Numbers and dates of languages without word tables, by the tables of `data/notations`.

What these tables tell is read here and taken out of the text; the rest is read as in any language.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import partial
from itertools import chain
from typing import NamedTuple

from newsdedup.core.facts import days
from newsdedup.core.facts.context import sign_of
from newsdedup.core.facts.fact import MILLION, FactKind, Numeral
from newsdedup.core.facts.notation_patterns import (
    NOTHING,
    NotationPatterns,
    Search,
    notation_patterns,
)
from newsdedup.core.facts.units import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    PERCENT,
    UNITS,
    noun_stem,
    rounding_step,
)

RawFact = tuple[int, FactKind, int, int, str]
"""The start, kind, value, step and unit of a fact."""
_FILLER, _DATED = "\0", "\1"
"""Stand for each character that was read here, and was a date; no text has them, and they end words
and numbers."""
_SIGNS = {**CURRENCY_SIGNS, "us$": "usd"}
_MEASURED = frozenset(UNITS) - frozenset((*CURRENCY_CODES.values(), *CURRENCY_SIGNS.values()))
_digits = re.compile("[0-9]")
_number = re.compile("[0-9]++")
_next_word = re.compile(r" ([^\W\d_]{4,24})")
_english_thousands = re.compile(
    r"(?<![0-9.,])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9]|[.,][0-9]| ?%| por c)"
)
"""Thousands in Spanish as Latin America writes them and Spain does not: "1,200"."""
# The digit is looked for before what precedes the letter, for speed.
_PREFIXED = {
    "am": re.compile(r"[በከለየ](?=[0-9])(?<!\w.)"),
    "ar": re.compile(r"[بلكو](?=[0-9])(?:(?<!\w\w.)|(?<!\w\w\w.)(?<=ال))"),
    "he": re.compile(r"[ושכבלמה](?=-?[0-9])(?:(?<!\w.)|(?<!\w\w.)(?<=[ושכבלמה].))-?"),
}
"""The ends of prepositions and articles that these languages write together with a number."""
_AS_ENGLISH = str.maketrans(".,'", ",.,")
"""Turns "1.234,5" into "1,234.5"."""
_FIRST_YEAR, _LAST_YEAR = 1_900, 2_100
_BUDDHIST = 543
"""Years that Thai dates are ahead."""


def read_notation(
    lower: str, lang: str, published: date | None, hour: int | None
) -> tuple[list[RawFact], str]:
    """Return the facts that the tables of a language tell, and the text with the rest.

    `lower` is a clean text in lower case. The rest is as long: what was read is filled, and
    numbers that remain are written as in English, 1.234,5 as 1,234.5. Texts of languages without
    tables come back as they are.
    """
    patterns = notation_patterns(lang)
    if patterns is None:
        return [], lower
    reader = _Reader(patterns, lang, published, hour)
    return reader.facts, reader.read(lower)


def has_notation(lang: str) -> bool:
    """Return whether a language has a notation."""
    return notation_patterns(lang) is not None


class _Reader:
    """Reads one text.

    Its methods with a match note the fact that it states, and return what takes its place in the
    text: as many fillers, or the match unchanged where it states nothing.
    """

    def __init__(
        self, patterns: NotationPatterns, lang: str, published: date | None, hour: int | None
    ) -> None:
        self._patterns, self._tables = patterns, patterns.tables
        self._lang, self._published, self._hour = lang, published, hour
        self.facts: list[RawFact] = []
        self._base = 0
        """Where the line that is read begins."""
        self._seen: set[str] = set()

    def read(self, lower: str) -> str:
        """Collect the facts; return the text with what remains."""
        if _digits.search(lower):
            if self._lang in _PREFIXED:
                lower = _PREFIXED[self._lang].sub(lambda match: " " * len(match[0]), lower)
            lines = []
            # Most lines have no digits, and most patterns begin with one.
            for line in lower.splitlines(keepends=True):
                lines.append(self._read_line(line) if _digits.search(line) else line)
                self._base += len(line)
            lower, self._base = "".join(lines), 0
        if self._published is not None:
            for match in self._patterns.day_word.finditer(lower):
                self._day_word(match, self._published)
        return lower

    def _read_line(self, line: str) -> str:
        """Collect the facts of a line with digits; return what remains of it."""
        patterns = self._patterns
        if self._lang == "es":
            line = _english_thousands.sub(lambda match: match[0].replace(",", "."), line)
        near = _near_digits(line, patterns.before, patterns.behind)
        for search in patterns.uncounted:
            line = _replaced(line, near, search, _filled)
        for search in patterns.dates:
            line = _replaced(line, near, search, self._date)
        if self._published is not None:
            month_day = partial(self._month_day, published=self._published)
            for search in (patterns.weekday_number, *patterns.month_days):
                line = _replaced(line, near, search, month_day)
        line = _replaced(line, near, patterns.score, self._score)
        for search in patterns.clocks:
            line = _replaced(line, near, search, self._clock)
        line = _replaced(line, near, patterns.percent, self._percent)
        line = _replaced(line, near, patterns.ordinal, self._ordinal)
        return _replaced(line, near, patterns.quantity, self._quantity)

    def _date(self, match: re.Match[str]) -> str:
        """Take a written day, or both days of a range."""
        named = match.groupdict()
        month = named["month"]
        number = int(month) if month.isdigit() else self._tables.months[month]
        year = int(named["year"]) if named.get("year") else None
        if year is not None and self._lang == "th" and year > 2400:
            year -= _BUDDHIST
        day = days.calendar_day(
            day=int(named["day"]), month=number, year=year, published=self._published
        )
        if day is None:
            return match[0]
        first = int(named.get("first") or 0)
        if first:
            begun = days.day_in_month_of(day, first, month_before=first > int(named["day"]))
            if begun is not None:
                self._add(match.start("first"), FactKind.DAY, begun)
        self._add(match.start(), FactKind.DAY, day)
        return _DATED * len(match[0])

    def _month_day(self, match: re.Match[str], published: date) -> str:
        """Take a day of the month without its month as the one nearest to the publication.

        "Monday 14" only if the nearest 14th is a Monday.
        """
        day = days.nearest_day(int(match["day"]), published)
        weekday = match.groupdict().get("weekday")
        if day is None or (weekday and day.weekday() != self._tables.weekdays[weekday]):
            return match[0]
        self._add(match.start(), FactKind.DAY, days.encode_day(day))
        return _DATED * len(match[0])

    def _score(self, match: re.Match[str]) -> str:
        """Take a result; the winner comes first, so "5 a 10" is a range."""
        first, second = int(match["first"]), int(match["second"])
        if first < second:
            return match[0]
        self._add(match.start(), FactKind.SCORE, first * 1_000 + second)
        return _filled(match)

    def _clock(self, match: re.Match[str]) -> str:
        """Take a time of day; an hour before a word that also counts hours needs its minutes."""
        named = match.groupdict()
        hour, minute = int(named["hour"]), named.get("minute")
        spans = self._tables.units.get(named.get("behind") or "") == "hour"
        if hour > 23 or (minute is None and (spans or not hour)):
            return match[0]
        late = named.get("afternoon") or named.get("behind") in self._tables.afternoon
        if late and hour < 12:
            hour += 12
        minutes = 30 if named.get("half") else int(minute or 0)
        self._add(match.start(), FactKind.CLOCK, 60 * hour + minutes)
        return _filled(match)

    def _percent(self, match: re.Match[str]) -> str:
        """Take a number behind a sign or word of percent."""
        value = self._value(match["number"])
        self._add(match.start(), FactKind.PERCENT, value, PERCENT, step=rounding_step(value))
        return _filled(match)

    def _ordinal(self, match: re.Match[str]) -> str:
        """Take an ordinal with its noun: a number that a date or a rank is, and no quantity."""
        value = int(match["number"]) * MILLION
        self._add(match.start(), FactKind.ORDINAL, value, noun_stem(match["noun"]))
        return _FILLER * (match.start("noun") - match.start()) + match["noun"]

    def _quantity(self, match: re.Match[str]) -> str:
        """Take a number with a scale or a unit of the language; write any other one as English."""
        before, unit = match["before"], match["unit"]
        parts = list(self._patterns.scaled.finditer(match["numbers"]))
        scale = max([self._tables.scales.get(part["scale"] or "", 1) for part in parts])
        known = self._tables.units.get(unit or "", "")
        currency = before and (
            self._tables.units.get(before) or _SIGNS.get(before) or CURRENCY_CODES.get(before)
        )
        lakhs = self._tables.decimal == "." and re.search(
            r"\b[0-9]{1,2},[0-9]{2},", match["numbers"]
        )
        if scale == 1 and not lakhs and not (known or (before in self._tables.units)):
            return match[0] if self._tables.decimal == "." else match[0].translate(_AS_ENGLISH)
        value = sum(
            self._value(part["number"]) * self._tables.scales.get(part["scale"] or "", 1)
            for part in parts
        )
        start = match.start("numbers")
        if (
            known == "year"
            and value % MILLION == 0
            and _FIRST_YEAR <= value // MILLION < _LAST_YEAR
        ):
            self._add(start, FactKind.YEAR, value)
            return _filled(match)
        kind, measured = FactKind.NUMBER, known or currency or ""
        if measured == PERCENT:
            kind = FactKind.PERCENT
        elif measured and measured not in _MEASURED:
            kind = FactKind.MONEY
        elif not measured:
            noun = _next_word.match(match.string, match.end())
            measured = noun_stem(noun[1]) if noun else ""
        step = rounding_step(value // scale, scale=scale) if scale > 1 else rounding_step(value)
        numeral = Numeral(start, match.end("numbers"), value, step, plain=False)
        sign = sign_of(match.string, numeral, kind, frost=False)
        self._add(start, kind, sign * value, measured, step=step)
        return _filled(match)

    def _day_word(self, match: re.Match[str], published: date) -> None:
        """Take the first of each word that names a day, unless a date is next to it."""
        text, (start, end) = match.string, match.span()
        dated = _DATED in text[max(0, start - 3) : start] or _DATED in text[end : end + 3]
        word = match[0]
        if dated or word in self._seen:
            return
        self._seen.add(word)
        weekday = self._tables.weekdays.get(word)
        if weekday is None:
            ago = self._tables.days_ago[word]
            unit = days.relative_unit(ago, self._hour)
        else:
            ago, unit = (published.weekday() - weekday) % 7, days.WEEKDAY_UNIT
        self._add(start, FactKind.DAY, days.day_ago(ago, published), unit)

    def _value(self, written: str) -> int:
        """Return a number in millionths as the language writes it."""
        decimal = self._tables.decimal
        whole, _, decimals = re.sub(r"[.,](?=[0-9]{1,2}\Z)", decimal, written).partition(decimal)
        bare = re.sub(self._patterns.thousands, "", whole)
        return int(bare) * MILLION + int(decimals[:6].ljust(6, "0"))

    def _add(
        self, start: int, kind: FactKind, value: int, unit: str = "", *, step: int | None = None
    ) -> None:
        """Add a fact at `start` of the line; without `step` it is one year, rank, minute or day."""
        if step is None:
            step = MILLION if kind in (FactKind.YEAR, FactKind.ORDINAL) else 1
        self.facts.append((self._base + start, kind, value, step, unit))


class _NearDigits(NamedTuple):
    """Where the digits of a line are."""

    numbers: list[int]
    """Where they begin."""
    windows: list[tuple[int, int]]
    """The parts of the line with what is near them, apart from each other."""


def _near_digits(line: str, before: int, behind: int) -> _NearDigits:
    """Return where the digits of a line are, with so many characters before and behind them."""
    numbers: list[int] = []
    windows: list[tuple[int, int]] = []
    for number in _number.finditer(line):
        numbers.append(number.start())
        start, end = max(0, number.start() - before), min(len(line), number.end() + behind)
        if windows and start <= windows[-1][1]:
            start = windows.pop()[0]
        windows.append((start, end))
    return _NearDigits(numbers, windows)


def _matches(pattern: re.Pattern[str], line: str, near: _NearDigits) -> Iterator[re.Match[str]]:
    """Return the matches within the windows."""
    return chain.from_iterable([pattern.finditer(line, *window) for window in near.windows])


def _replaced(
    line: str, near: _NearDigits, search: Search, replace: Callable[[re.Match[str]], str]
) -> str:
    """Return a line in which what a search finds is replaced by what is as long."""
    if search is NOTHING:
        return line
    found: Iterable[re.Match[str]]
    if search.at_numbers:
        starts = near.numbers
        if search.before is not None:
            words = _matches(search.before, line, near)
            starts = sorted([*starts, *[word.start() for word in words]])
        found = filter(None, [search.pattern.match(line, start) for start in starts])
    else:
        found = _matches(search.pattern, line, near)
    pieces: list[str] = []
    done = 0
    for match in found:
        if match.start() >= done:
            pieces += (line[done : match.start()], replace(match))
            done = match.end()
    if not pieces:
        return line
    pieces.append(line[done:])
    return "".join(pieces)


def _filled(match: re.Match[str]) -> str:
    """Return what takes the place of a match."""
    return _FILLER * len(match[0])
