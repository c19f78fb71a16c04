"""How many entries of feeds are read right in each encoding of the web, whatever they claim."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from random import Random
from typing import Final, NamedTuple

from newsdedup.core.model import NewsItem
from newsdedup.feeder.parsing.feed import parse_feed

_SINGLE_BYTE: Final = (
    *("windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254"),
    *("windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874"),
    *(f"iso-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *("ibm866", "koi8-r", "koi8-u", "macintosh", "x-mac-cyrillic"),
)
_MULTI_BYTE: Final = {
    "ja": ("euc-jp", "iso-2022-jp", "shift_jis"),
    "ko": ("euc-kr",),
    "zh": ("gbk", "gb18030", "big5"),
}
_CODECS: Final = {
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "big5": "cp950",
}
_CYRILLIC: Final = ("ibm866", "iso-8859-5", "koi8-r", "koi8-u", "windows-1251", "x-mac-cyrillic")
_SCRIPTS: Final = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
}
_OF_SCRIPT: Final = 10
"""Characters of a script in a text that is written in it."""
_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\\s]+")
_TEXT_CHARS: Final = 600
RIGHT, NONE = "right", "none"
_FALSE: Final = ("utf-8", "iso-8859-1")
_ADDRESS: Final = "https://feeds.example/news"
_RECEIVED: Final = datetime(2026, 11, 23, tzinfo=UTC)


class EncodingCount(NamedTuple):
    """Entries of feeds in one encoding that claim another one, or the right one, or none."""

    encoding: str
    claim: str
    entries: int
    read: int
    """Those whose title and text are as they were written."""


def count_encodings(
    items: Iterable[NewsItem], *, entries: int, feeds: int, seed: int = 1
) -> Iterator[EncodingCount]:
    """Yield the counts of each encoding of the web (WHATWG) and each claim.

    At most `feeds` feeds of at most so many `entries` of one source are made for each encoding, of
    items that have letters outside ASCII, all of which the encoding has; other characters that it
    lacks become references, as sites write them.
    """
    by_source: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for item in items:
        text = _CONTROLS.sub(" ", item.text).strip()[:_TEXT_CHARS].strip()
        by_source[item.key.source].append((_CONTROLS.sub(" ", item.title).strip(), text))
    encodings = [*_SINGLE_BYTE, *(name for names in _MULTI_BYTE.values() for name in names)]
    for encoding in encodings:
        made = []
        for source in sorted(by_source):
            fitting = [one for one in by_source[source] if _fits(" ".join(one), encoding)]
            made += [fitting[at : at + entries] for at in range(0, len(fitting), entries)]
        Random(f"{seed}{encoding}").shuffle(made)  # noqa: S311 - a sample, no secret
        false = {*_FALSE, *(("windows-1251", "koi8-r") if encoding in _CYRILLIC else ())}
        for claim in (RIGHT, NONE, *sorted(false - {encoding})):
            counts: Counter[bool] = Counter()
            for feed in made[:feeds]:
                counts.update(_read(feed, encoding, claim))
            yield EncodingCount(encoding, claim, counts.total(), counts[True])


def _fits(text: str, encoding: str) -> bool:
    """Return whether an encoding is one for a text: it has all its letters, some not of ASCII."""
    languages = (
        name for name, letters in _SCRIPTS.items() if len(letters.findall(text)) >= _OF_SCRIPT
    )
    if encoding not in _MULTI_BYTE.get(next(languages, ""), _SINGLE_BYTE):
        return False
    letters = "".join({letter for letter in text if letter.isalpha() and not letter.isascii()})
    try:
        return bool(letters.encode(_CODECS.get(encoding, encoding)))
    except UnicodeEncodeError:
        return False


def _read(written: Sequence[tuple[str, str]], encoding: str, claim: str) -> Iterator[bool]:
    """Yield for each entry of a feed in an encoding whether it is read as it was written."""
    stated = encoding if claim == RIGHT else claim
    declaration = "" if claim == NONE else f' encoding="{stated}"'
    entries = "".join(
        f"<item><guid>{number}</guid><title>{escape(escape(title))}</title>"
        f"<description>{escape(escape(text))}</description></item>"
        for number, (title, text) in enumerate(written)
    )
    head = f'<?xml version="1.0"{declaration}?><rss version="2.0"><channel><title>N</title>'
    body = f"{head}{entries}</channel></rss>".encode(
        _CODECS.get(encoding, encoding), "xmlcharrefreplace"
    )
    feed = parse_feed(body, content_type=None, address=_ADDRESS, received_at=_RECEIVED)
    for (title, text), entry in zip(written, feed.entries, strict=True):
        yield (entry.title, entry.text) == (" ".join(title.split()), escape(text))
