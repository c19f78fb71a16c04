"""Numbers, times and spans, as each language of the interface writes them, and foreign texts.

Times are in UTC.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from markupsafe import Markup, escape

from newsdedup.core.matching.verify.features import FEATURES
from newsdedup.core.text.characters import is_seen
from newsdedup.core.text.clean import strip_html, strip_markup
from newsdedup.server.pages.languages import InterfaceTexts, TranslatedSentence, translate_sentence

MOST_TEXT_CHARS: Final = 40_000
"""Characters of a text that a page shows; its JSON has all."""
_NARROW_SPACE: Final = "\u202f"
_NO_BREAK: Final = "\u00a0"
_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
_OVERRIDES: Final = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Characters that reverse the text after them: "moc.lufmrah" would read "harmful.com"."""
_DIRECTIONS: Final = _OVERRIDES | dict.fromkeys([0x061C, 0x200E, 0x200F])
_MOST_MARKED_CHARS: Final = 2_000
_LINKS: Final = re.compile(
    r"\[([^\[\]]{1,300})\]\((?:https?:(?:[^()\s]|\([^()\s]{0,100}\)){0,1000}(?:\)|$)|h[tps:]{0,5}$)"
)
_MARKS: Final = re.compile(
    r"(?<![\w*])(?:\*\*){1,4}(?!\*)|(?<!\*)(?:\*\*){1,4}(?![\w*])"
    r"|(?<![\w_])__(?!_)|(?<!_)__(?![\w_])|^#{1,6} "
)
"""Of pairs that are not complete, too: titles are often cut from texts."""
_CONTROLS: Final = dict.fromkeys((*range(0x20), 0x7F, *range(0x80, 0xA0), 0x2028, 0x2029), " ")
_NO_MARKS: Final = _CONTROLS | _DIRECTIONS
_NO_OVERRIDES: Final = _CONTROLS | _OVERRIDES


@dataclass(frozen=True, slots=True)
class Wording:
    """Writes values in one language."""

    texts: InterfaceTexts
    this_year: int = field(default_factory=lambda: datetime.now(UTC).year)
    """Short dates of other years have the year."""

    def number(self, number: float, digits: int = 0) -> str:
        """Return a number with separated thousands, rounded to `digits` decimal places."""
        written = f"{number:,.{digits}f}"
        if self.texts.lang == "en":
            return written
        return written.replace(",", _NARROW_SPACE).replace(".", ",")

    def count(self, key: str, number: int) -> Markup:
        """Return the text `key` for a number, in the right grammatical number."""
        return self.texts.count(key, number, n=self.number(number))

    def share(self, share: float, digits: int = 0) -> str:
        """Return a share from 0 to 1 in per cent, with `digits` decimal places."""
        space = "" if self.texts.lang == "en" else _NO_BREAK
        return f"{self.number(100 * share, digits)}{space}%"

    def share_range(self, low: float, high: float) -> str:
        """Return two shares in per cent as a range: "65–78%"."""
        return f"{self.number(100 * low)}–{self.share(high)}"

    def span(self, seconds: float | None) -> str:
        """Return how long something lasts, in its two largest units; "–" for None."""
        if seconds is None:
            return "–"
        sign = "−" if seconds < 0 else ""
        rest = abs(seconds)
        for (size, name), (smaller, smaller_name) in pairwise(_UNITS):
            whole, part = int(rest) // size, int(rest) % size // smaller
            if whole and part and name != "minute":
                return f"{sign}{self._unit(whole, name)} {self._unit(part, smaller_name)}"
            if whole:
                return f"{sign}{self._unit(whole, name)}"
        return f"{sign}{self._unit(int(rest), 'second')}"

    def largest_span(self, seconds: float) -> str:
        """Return how long something lasts, in its largest unit; a negative time as 0."""
        rest = max(int(seconds), 0)
        size, name = next((one for one in _UNITS if rest >= one[0]), _UNITS[-1])
        return self._unit(rest // size, name)

    def _unit(self, number: int, name: str) -> str:
        """Return a number with its unit; `name` is a key of the texts `units`, such as "hour"."""
        return f"{self.number(number)}{_NO_BREAK}{self.texts(f'units.{name}')}"

    def reason(self, feature: str, *, speaks_for: bool) -> str:
        """Return the text of the feature of this name; by default that of the engine."""
        key = f"features.{feature}_{'for' if speaks_for else 'against'}"
        if self.texts.has(key):
            return self.texts(key)
        words = {one.name: (one.words_against, one.words_for) for one in FEATURES}
        return words[feature][speaks_for] if feature in words else feature

    def sentence(self, sentence: str) -> TranslatedSentence:
        """Return a sentence of the engine in this language, in English without a translation."""
        return translate_sentence(sentence, self.texts.lang)

    def clock(self, moment: datetime) -> str:
        """Return the time of day: "14:05"."""
        return f"{moment:%H:%M}"

    def day(self, moment: datetime) -> str:
        """Return a day in words: "Monday, 2 November 2026"."""
        weekday = self.texts.forms("dates.weekdays")[moment.weekday()]
        return f"{weekday}, {self.date(moment)}"

    def date(self, moment: datetime) -> str:
        """Return a day without the weekday: "2 November 2026"."""
        month = self.texts.forms("dates.months")[moment.month - 1]
        return f"{moment.day}{_NO_BREAK}{month} {moment.year}"

    def short_date(self, moment: datetime) -> str:
        """Return a day in short: "2 Nov", of another year than this one "2 Nov 2019"."""
        month = self.texts.forms("dates.short_months")[moment.month - 1]
        year = "" if moment.year == self.this_year else f"{_NO_BREAK}{moment.year}"
        return f"{moment.day}{_NO_BREAK}{month}{year}"

    def axis_moment(self, moment: datetime, *, hours: bool) -> str:
        """Return a moment for an axis, always with its year: "2 Nov 2026, 14:00", or the day."""
        month = self.texts.forms("dates.short_months")[moment.month - 1]
        day = f"{moment.day}{_NO_BREAK}{month}{_NO_BREAK}{moment.year}"
        return f"{day}, {self.clock(moment)}" if hours else day

    def moment(self, moment: datetime) -> str:
        """Return a day and a time in short: "2 Nov, 14:05", or "2 Nov 2019, 14:05"."""
        return f"{self.short_date(moment)}, {self.clock(moment)}"

    def exact(self, moment: datetime) -> str:
        """Return a moment to the second, as "2026-11-02 14:05:09 UTC"."""
        return f"{moment:%Y-%m-%d %H:%M:%S} UTC"

    def dated_moment(self, moment: datetime) -> str:
        """Return a day with its year, and a time: "2 November 2026, 14:05"."""
        return f"{self.date(moment)}, {self.clock(moment)}"

    def size(self, size_bytes: int) -> str:
        """Return a number of bytes in B, kB, MB or GB, of 1,000 each."""
        size = float(size_bytes)
        for unit in ("B", "kB", "MB"):
            if size < 1_000:
                return f"{self.number(size, 0 if unit == 'B' else 1)}{_NO_BREAK}{unit}"
            size /= 1_000
        return f"{self.number(size, 1)}{_NO_BREAK}GB"


def unmarked(title: str) -> str:
    """Return a foreign title without HTML and the marks of bold words, headings and links.

    Asterisks inside a word stay: they hide letters. A title of nothing but tags stays as it is.
    """
    title = title[:_MOST_MARKED_CHARS]
    bare = _MARKS.sub("", _LINKS.sub(r"\1", strip_html(title)))
    return bare if is_seen(bare) else title


def plain_line(text: str, most: int = 300) -> str:
    """Return foreign text as one line of at most `most` characters, without direction marks."""
    return _shortened(_translated(text[: 4 * most], _NO_MARKS), most)


def isolated(text: str, most: int = 300) -> Markup:
    """Return foreign text as one line of at most `most` characters, in a <bdi> of its own."""
    line = _shortened(_translated(text[: 4 * most], _NO_OVERRIDES), most)
    # Markup.format would take four times as long, for a thousand texts of a page.
    return Markup(f"<bdi>{escape(line)}</bdi>")  # noqa: S704 - it is escaped


def without_overrides(text: str) -> str:
    """Return foreign text without the characters that reverse the text after them."""
    return _translated(text, _OVERRIDES)


def plain_paragraphs(text: str) -> list[str]:
    """Return the lines of a text without markup, of its first 40,000 characters."""
    lines = without_overrides(strip_markup(text[:MOST_TEXT_CHARS])).split("\n")
    return [line.strip() for line in lines if line.strip()]


def titled_text(title: str, text: str) -> str:
    """Return title and text of an item as lines; a text that begins with the title has it once."""
    lines = plain_paragraphs(text)
    title = without_overrides(unmarked(title)).strip()
    if not lines or unmarked(lines[0]).strip() != title:
        lines = [title, *lines]
    return "\n".join(lines)


def _translated(text: str, table: Mapping[int, str | None]) -> str:
    """Return a text with the characters of a table replaced, none of which is printable.

    Nearly all texts are: to look for that takes a fiftieth of the time of a translation.
    """
    return text if text.isprintable() else text.translate(table)


def _shortened(text: str, most: int) -> str:
    """Return a text with single spaces, cut to `most` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
