"""From a text to an item: the source, its number, its address, its time, its markup."""

from collections.abc import Container, Mapping
from datetime import datetime, timedelta, timezone
from html import escape
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import exponential, pick, zipf
from newsdedup.synthetic.frames import Book

SOURCES_PER_LANGUAGE = 90
"""How many publish in one language; each has a Zipf share of the stream."""
_SITES = 0.35
"""Share of sites among them; the others are messenger channels with short posts."""


class Source(NamedTuple):
    """One publisher."""

    name: str
    base: str
    """What the addresses of its items begin with."""
    language: str
    zone: timezone
    site: bool
    style: int
    """Which of its kind's ways to lay a text out it follows."""
    tail: str
    """The line under its texts, and how often it is there."""
    tails: float
    dateline: str
    """What opens its texts; only agencies' sites have one."""

    def address(self, number: int) -> str:
        """Return where an item is published."""
        return f"{self.base}/{number}"

    def local(self, moment: datetime) -> str:
        """Return a moment as the source writes it."""
        return moment.astimezone(self.zone).isoformat(timespec="seconds")


def draw_sources(book: Book, rng: Random) -> tuple[Source, ...]:
    """Draw the publishers of a language, each with a name of its own."""
    found: dict[str, Source] = {}
    for number in range(SOURCES_PER_LANGUAGE):
        source = _draw_source(book, rng, number, found)
        found[source.name] = source
    return tuple(found.values())


def _draw_source(book: Book, rng: Random, number: int, taken: Container[str]) -> Source:
    """Draw a publisher; its name gets a number if it is among `taken`."""
    lists, lexicon = book.sources, book.lexicon
    site = rng.random() < _SITES
    city = lexicon.city(rng)
    name = pick(rng, lists["sites" if site else "channels"]).format(city=city)
    name = f"{name} {number + 1}" if name in taken else name
    handle = f"{pick(rng, lists['handles'])}{pick(rng, lists['handles'])}{number}"
    base = f"https://{handle}.example" + ("/news" if site else "")
    dateline = ""
    if site and rng.random() < 0.4:
        dateline = pick(rng, lists["datelines"]).replace("{agency}", pick(rng, lists["agencies"]))
        dateline = dateline.replace("{CITY}", str(city).upper()).replace("{city}", str(city)) + " "
    return Source(
        name=name,
        base=base,
        language=lexicon.language,
        zone=timezone(timedelta(hours=int(pick(rng, lists["zones"])))),
        site=site,
        style=int(rng.random() * 4),
        tail=pick(rng, lists["site_tails" if site else "tails"]).format(
            name=name, link=base, handle=handle
        ),
        tails=pick(rng, (0.0, 0.3, 0.9, 1.0)),
        dateline=dateline,
    )


EMOJI = ("❗️", "⚡️", "🔥", "🚨", "📌", "🗞", "👀", "💬", "🔴", "📣", "🤷‍♂️", "✅")


def lay_out_text(
    title: str, paragraphs: tuple[str, ...], source: Source, day: str
) -> tuple[str, str]:
    """Return title and text in the layout of a source: with dateline, markup and closing line.

    Nothing is drawn at random, so that versions of one item look alike. `day` stands in the
    dateline. A text that is its headline alone gets at most the closing line.
    """
    if paragraphs == (title,):
        return title, title if len(title) % 3 else f"{title}\n\n{source.tail}"
    if source.dateline:
        paragraphs = (source.dateline.replace("{day}", day) + paragraphs[0], *paragraphs[1:])
    if source.tail and len(title) % 10 < 10 * source.tails:
        paragraphs = (*paragraphs, source.tail)
    return (
        _lay_out_site(title, paragraphs, source)
        if source.site
        else _lay_out_post(title, paragraphs, source)
    )


def _lay_out_site(title: str, paragraphs: tuple[str, ...], source: Source) -> tuple[str, str]:
    """Lay out a site's text, in HTML or in plain paragraphs; return it behind its title."""
    if source.style == 0:
        return title, "".join([f"<p>{escape(text, quote=False)}</p>\n" for text in paragraphs])
    return title, ("\n" if source.style == 1 else "\n\n").join(paragraphs)


def _lay_out_post(title: str, paragraphs: tuple[str, ...], source: Source) -> tuple[str, str]:
    """Lay out a channel's post, whose first line may be its title; return title and post."""
    body = "\n\n".join(paragraphs)
    if source.style == 0:
        return title, f"**{title}**\n\n{body}"
    if source.style == 1:
        return title, f"{EMOJI[len(title) % len(EMOJI)]} **{title}.** {body}"
    if source.style == 2:
        return title, f"{title}\n\n{body}"
    return paragraphs[0].partition(". ")[0].rstrip("."), body


_LAG_SECONDS = 60
"""How long an item takes from its publication to its arrival, on average."""
_LINKED = 0.08
"""Share of items that list links."""


class PressText(NamedTuple):
    """What is to be published."""

    title: str
    paragraphs: tuple[str, ...]
    category: str


class Issue(NamedTuple):
    """Where and when something is published."""

    source: Source
    number: int
    published: datetime

    @property
    def key(self) -> tuple[str, str]:
        """Return the source and id of the item."""
        return self.source.name, str(self.number)


class Press:
    """The publishers of a stream and the numbers they have given their items."""

    def __init__(self, books: Mapping[str, Book], rng: Random) -> None:
        self._books = books
        self._rng = rng
        self._sources = {language: draw_sources(book, rng) for language, book in books.items()}
        self._numbers: dict[str, int] = {}

    def draw_source(self, language: str, *, other_than: Source | None = None) -> Source:
        """Return a random publisher of the language, large ones more often, never `other_than`."""
        known = self._sources[language]
        source = known[zipf(self._rng, len(known))]
        while source is other_than:
            source = known[zipf(self._rng, len(known))]
        return source

    def next_issue(self, source: Source, arrival: datetime, after: datetime | None = None) -> Issue:
        """Return the next number of a source, published about a minute before it arrives.

        If that is not later than `after`, it is published a second after that. Each source counts
        for itself, so that ids of different sources collide.
        """
        number = self._numbers.get(source.name, 1000) + 1
        self._numbers[source.name] = number
        published = arrival - timedelta(seconds=1 + int(exponential(self._rng, _LAG_SECONDS)))
        if after is not None and published <= after:
            published = after + timedelta(seconds=1)
        return Issue(source, number, published)

    def make_item(self, issue: Issue, text: PressText) -> dict[str, object]:
        """Return the fields of an item, its text in the layout of the source; a few get a link."""
        source, number, published = issue
        lexicon = self._books[source.language].lexicon
        day = lexicon.day(published).date if source.dateline else ""
        title, body = lay_out_text(text.title, text.paragraphs, source, day)
        item: dict[str, object] = {
            "id": str(number),
            "source": source.name,
            "url": source.address(number),
            "published_at": source.local(published),
            "title": title,
            "text": body,
            "lang": source.language,
            "category": text.category,
        }
        if self._rng.random() < _LINKED:
            item["links"] = [source.address(number - 1 - int(self._rng.random() * 40))]
        return item
