"""From a text to an item: the source, its number, its address, its time, its markup."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import exponential, zipf
from newsdedup.synthetic.dressing import dressed
from newsdedup.synthetic.frames import Book
from newsdedup.synthetic.sources import Source, sources

LAG_SECONDS = 60
"""How long an item takes from its publication to its arrival, on average."""
LINKED = 0.08
"""Share of items that list links."""


class Text(NamedTuple):
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
        self._sources = {language: sources(book, rng) for language, book in books.items()}
        self._numbers: dict[str, int] = {}

    def source(self, language: str, *, other_than: Source | None = None) -> Source:
        """Return a publisher, the large ones more often."""
        known = self._sources[language]
        source = known[zipf(self._rng, len(known))]
        while source is other_than:
            source = known[zipf(self._rng, len(known))]
        return source

    def issue(self, source: Source, arrival: datetime, after: datetime | None = None) -> Issue:
        """Return the next number of a source, published a little before it arrives.

        Each source counts for itself, so that ids of different sources collide.
        """
        number = self._numbers.get(source.name, 1000) + 1
        self._numbers[source.name] = number
        published = arrival - timedelta(seconds=1 + int(exponential(self._rng, LAG_SECONDS)))
        if after is not None and published <= after:
            published = after + timedelta(seconds=1)
        return Issue(source, number, published)

    def item(self, issue: Issue, text: Text) -> dict[str, object]:
        """Return the item a source publishes."""
        source, number, published = issue
        lexicon = self._books[source.language].lexicon
        day = lexicon.day(published).date if source.dateline else ""
        title, body = dressed(text.title, text.paragraphs, source, day)
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
        if self._rng.random() < LINKED:
            item["links"] = [source.address(number - 1 - int(self._rng.random() * 40))]
        return item
