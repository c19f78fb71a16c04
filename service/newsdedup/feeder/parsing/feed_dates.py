"""Dates of feeds: what one date leaves open, the others and the country of the feed decide.

A name of a zone that several countries use ("IST") is read by the country of the feed, which its
language or the domain of its address states. "03/04/2026" is read as the other dates of the feed
are written.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from newsdedup.adapters.formats.json_object import date_field
from newsdedup.adapters.formats.worded_dates import ZONES, read_worded_date, slashed_day_first
from newsdedup.feeder.parsing.parsed_feed import ProblemList
from newsdedup.ports.errors import InvalidItem

_LONGEST_DATE = 100
_DAY: Final = timedelta(days=1)
_YEARS = range(1900, 2101)
_ZONE = re.compile(
    r"\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?: ?[AaPp]\.?[Mm]\.?)? ?\(?([A-Z]{2,5})\)?(?![\w:+-])"
)
"""A name after a time, without an offset."""
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_RFC_822 = re.compile(
    rf"(?:[A-Z][a-z]{{2}}, )?(\d\d?) ({'|'.join(_MONTHS)}) (\d{{4}}) (\d\d):(\d\d):(\d\d)"
    r" (?:GMT|UTC|([+-])(\d\d)(\d\d))",
    re.ASCII,
)
"""Nearly all dates of RSS; the other readers would take ten times as long."""
_SLASHED = re.compile(r"(?<!\d)\d{1,2}([/-])\d{1,2}\1\d{4}(?!\d)")
_MOST_SLASHED: Final = 100
"""Dates of a feed that are compared."""
_NO_ZONES: Final = frozenset({"AM", "PM"})
_STANDARD: Final = frozenset({"EST", "EDT", "CST", "MST", "PST"})
"""Of the zones below those that RFC 822 defines."""
_SHARED_ZONES: Final[Mapping[str, Mapping[str, int | str]]] = {
    "IST": {"in": 330, "lk": 330, "il": "Asia/Jerusalem", "ie": "Europe/Dublin"},
    "CST": {
        **dict.fromkeys(("us", "ca", "mx", "cr", "gt", "hn", "ni", "sv"), -360),
        **dict.fromkeys(("cn", "tw", "hk", "mo"), 480),
        "cu": -300,
    },
    "EST": {**dict.fromkeys(("us", "ca", "pa", "jm"), -300), "au": 600},
    "EDT": {**dict.fromkeys(("us", "ca"), -240), "au": 660},
    "BST": {"gb": 60, "uk": 60, "bd": 360},
    "AST": {
        **dict.fromkeys(("ca", "pr", "bb", "tt"), -240),
        **dict.fromkeys(("sa", "kw", "iq", "bh", "qa", "ye"), 180),
    },
    "PST": {**dict.fromkeys(("us", "ca", "mx"), -480), "ph": 480},
    "MST": {**dict.fromkeys(("us", "ca", "mx"), -420), "my": 480},
    "GST": {"ae": 240, "om": 240, "gs": -120},
    "AMT": {"am": 240, "br": -240},
}
"""By the country, as domains name it; the first is meant where no country is known."""
_COUNTRY_OF: Final = {
    **dict.fromkeys(("hi", "ta", "te", "mr", "gu", "kn", "ml", "pa"), "in"),
    "he": "il",
    "ga": "ie",
    "si": "lk",
    "zh": "cn",
    "bn": "bd",
    "hy": "am",
    "ms": "my",
    "tl": "ph",
    "fil": "ph",
    "ar": "sa",
}
"""Languages that say the country; English, Spanish and others are written in too many."""
_GENERIC_DOMAINS: Final = frozenset(
    {"ai", "cc", "co", "eu", "fm", "gg", "io", "me", "to", "tv", "ws"}
)
"""Domains of countries that sites of others use."""
_MONTH_FIRST: Final = frozenset({"us", "ph"})
"""Countries that write the month before the day."""


@dataclass(frozen=True, slots=True)
class DateReader:
    """Reads the dates of one feed; `problems` gets what a date leaves open."""

    country: str = ""
    """As domains name it, "" if it is not known."""
    day_first: bool | None = None
    """Whether 03/04/2026 is in April; None if nothing says so."""
    problems: ProblemList | None = None

    def read(self, text: str) -> datetime | None:
        """Return the moment that a text states, with its zone; None if it states none.

        What the codec of items reads is read by it. Beyond that an unknown word is ignored next to
        a day, and an unknown zone counts as UTC.
        """
        text = " ".join(text[: _LONGEST_DATE + 1].split())
        if not text or len(text) > _LONGEST_DATE:
            return None
        at = _read_rfc_822(text) or self._in_named_zone(text)
        if at is None:
            try:
                at = date_field({"date": text}, "date")
            except InvalidItem:
                at = read_worded_date(text, strict=False, day_first=self.day_first)
        # Feeds write 0001-01-01 and 1970-01-01 for a date that they do not know.
        return at if at is not None and at.year in _YEARS and at.timestamp() > 0 else None

    def _in_named_zone(self, text: str) -> datetime | None:
        """Return the moment of a date whose zone has a name that several countries use.

        Return None for any other date; an unknown name of a zone becomes a problem.
        """
        match = _ZONE.search(text)
        if match is None or match[1] in _NO_ZONES:
            return None
        name = match[1]
        if name not in _SHARED_ZONES:
            if name not in ZONES:
                self._add("A zone of a date is not known; UTC counts", text)
            return None
        meanings = _SHARED_ZONES[name]
        if self.country not in meanings and name not in _STANDARD:
            self._add("The zone of a date is used in several countries; the commonest counts", text)
        zone = meanings.get(self.country, next(iter(meanings.values())))
        return read_worded_date(
            text, strict=False, day_first=self.day_first, zones={**ZONES, name: zone}
        )

    def _add(self, sentence: str, text: str) -> None:
        """Add a problem with a date as its example."""
        if self.problems is not None:
            self.problems.add(sentence, text)


def _read_rfc_822(text: str) -> datetime | None:
    """Return the moment of a date such as "Mon, 02 Mar 2026 10:05:00 +0200"; None for another."""
    match = _RFC_822.fullmatch(text)
    if match is None:
        return None
    day, month, year, hour, minute, second, sign, hours, minutes = match.groups()
    zone = _zone(sign, hours, minutes) if sign else UTC
    try:
        return datetime(
            *(int(year), _MONTHS.index(month) + 1, int(day)),
            *(int(hour), int(minute), int(second)),
            tzinfo=zone,
        )
    except ValueError:
        return None


@lru_cache(maxsize=200)
def _zone(sign: str, hours: str, minutes: str) -> timezone:
    """Return the zone of an offset; UTC if it is a day or more."""
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-offset if sign == "-" else offset) if offset < _DAY else UTC


def date_reader(
    dates: Iterable[str], *, lang: str, address: str, latest: datetime, problems: ProblemList
) -> DateReader:
    """Return the reader of the dates of a feed.

    `dates` are all of them, `lang` is its language, `address` that of the feed, and no date is
    after `latest`, but for a day by which clocks and zones differ.
    """
    country = feed_country(lang, address)
    slashed = islice((text for text in dates if _SLASHED.search(text)), _MOST_SLASHED)
    day_first = _day_order(slashed, latest + _DAY)
    if day_first is None and (country or lang.lower()[:2] not in ("", "en")):
        day_first = country not in _MONTH_FIRST
    return DateReader(country, day_first, problems)


@lru_cache(maxsize=1_000)
def feed_country(lang: str, address: str) -> str:
    """Return the country of a feed, as domains name it; "" if neither of its parts says one.

    The region of the language counts first ("en-IN"), then the domain ("x.in"), then the language.
    """
    language, _, region = lang.lower().replace("_", "-").partition("-")
    region = region.rpartition("-")[2]
    if len(region) == 2 and region.isalpha():
        return "gb" if region == "uk" else region
    domain = (urlsplit(address).hostname or "").rpartition(".")[2]
    if len(domain) == 2 and domain not in _GENERIC_DOMAINS:
        return "gb" if domain == "uk" else domain
    return _COUNTRY_OF.get(language, "")


def _day_order(texts: Iterable[str], latest: datetime) -> bool | None:
    """Return whether the day comes first in dates such as "03/04/2026"; None if nothing says so.

    A number above 12 is a day; else no date is after `latest`.
    """
    stated: set[bool] = set()
    possible = {True, False}
    for text in texts:
        first = slashed_day_first(text)
        if first is not None:
            stated.add(first)
            continue
        for order in tuple(possible):
            at = read_worded_date(text[:_LONGEST_DATE], strict=False, day_first=order)
            if at is not None and at > latest:
                possible.discard(order)
    if len(stated) == 1:
        return stated.pop()
    return possible.pop() if not stated and len(possible) == 1 else None
