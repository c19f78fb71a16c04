"""What the readers of all formats share: values of a feed, checked and cut to the bounds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import TypeVar

from newsdedup.feeder.parsing.canonical_urls import canonical_url, join_address
from newsdedup.feeder.parsing.element_tree import XmlElement
from newsdedup.feeder.parsing.feed_dates import DateReader, date_reader
from newsdedup.feeder.parsing.html_text import choose_text, hrefs, plain_title
from newsdedup.feeder.parsing.parsed_feed import (
    DeletedEntry,
    Enclosure,
    FeedEntry,
    ParsingBounds,
    ProblemList,
)
from newsdedup.ports.isolation import internal_error

_Element = TypeVar("_Element")
_Made = TypeVar("_Made")
_CLOCK_SKEW = timedelta(minutes=5)
"""Of two machines: a date so little ahead is no problem of the feed."""
_MARKUP = 10
"""So many characters of a name with its markup are looked at for each that it may have."""
_FEED_NAME_CHARS = 300
_LANG_CHARS = 100
_MEDIA_GROUPS = ("media:group", "media:content")
"""Elements that have others of media in them."""
_LINKS_OF_FEED = 50_000
"""Of all entries together: long addresses multiply what a hostile body takes in time and memory."""


@dataclass(slots=True)
class EntryValues:
    """The values of an entry as the feed states them; FeedEntry explains them."""

    guid: str = ""
    address: str = ""
    base: str = ""
    """To which `address` refers."""
    text_base: str = ""
    """To which addresses in the text refer; "" for the page of the entry."""
    title: str = ""
    texts: tuple[str, ...] = ()
    """HTML, the preferred ones first."""
    published: str = ""
    updated: str = ""
    lang: str = ""
    authors: Iterable[str] = ()
    categories: Iterable[str] = ()
    enclosures: Iterable[Enclosure] = ()
    links: Iterable[str] = ()
    origin_address: str = ""
    origin_name: str = ""


@dataclass(slots=True)
class EntryReader:
    """Makes entries of the values that a format holds, and notes what is wrong with them."""

    address: str
    """Where the body was fetched from."""
    received_at: datetime
    bounds: ParsingBounds
    problems: ProblemList
    _links_left: int = _LINKS_OF_FEED
    _dates: DateReader = field(default_factory=DateReader)

    def entries(
        self,
        elements: Iterable[_Element],
        values_of: Callable[[_Element], EntryValues],
        lang: str = "",
    ) -> tuple[FeedEntry, ...]:
        """Return the entries of the `values_of` elements; where a bug is raised, only note it.

        `lang` is the language of the feed.
        """
        values = [made for element in elements for made in self._noted(values_of, element)]
        self._dates = date_reader(
            (date for one in values for date in (one.published, one.updated)),
            lang=lang,
            address=self.address,
            latest=self.received_at,
            problems=self.problems,
        )
        return tuple(entry for one in values for entry in self._noted(self.entry, one))

    def _noted(self, make: Callable[[_Element], _Made], element: _Element) -> Iterator[_Made]:
        """Yield what is made of an element; nothing, and a note, where a bug is raised."""
        try:
            yield make(element)
        except Exception as error:  # noqa: BLE001 - a bug costs the entry, not the feed
            self.problems.left_out.append(internal_error(error, "parse").reason)

    def entry(self, values: EntryValues) -> FeedEntry:
        """Return the entry of some values, cut to the bounds; what is wrong becomes a problem."""
        text = self._cut(choose_text(values.texts), self.bounds.text_chars, "A text")
        title = values.title[: _MARKUP * self.bounds.title_chars]
        title = self._cut(plain_title(title), self.bounds.title_chars, "A title")
        url = canonical_url(values.base, values.address) if values.address else ""
        if values.address and not url:
            self.problems.add("A link is no address of the web", values.address)
        published, updated = self.moment(values.published), self.moment(values.updated)
        if published is not None and updated is not None and updated < published:
            self.problems.add("An entry was updated before it was published", values.updated)
            updated = None
        return FeedEntry(
            guid=values.guid,
            url=url,
            title=title,
            text=text,
            published=published or updated,
            updated=updated,
            lang=self.lang(values.lang),
            authors=self.names(values.authors),
            categories=self.names(values.categories),
            enclosures=self.enclosures(values.enclosures),
            links=self._links(values, text, url),
            origin_url=join_address("", values.origin_address) if values.origin_address else "",
            origin_name=self.name(values.origin_name),
        )

    def deleted(self, stones: Iterable[XmlElement]) -> tuple[DeletedEntry, ...]:
        """Return the tombstones (RFC 6721) of elements; one without a ref is a problem."""
        deleted = []
        for stone in stones:
            if stone.attribute("ref"):
                at = self.moment(stone.attribute("when"))
                deleted.append(DeletedEntry(stone.attribute("ref"), at))
            else:
                self.problems.add("A deleted entry does not say which")
        return tuple(deleted)

    def name(self, text: str) -> str:
        """Return a name, which may be HTML, as one line of plain text within the bounds."""
        most = self.bounds.name_chars
        return plain_title(text[: _MARKUP * most])[:most] if text else ""

    def feed_name(self, text: str) -> str:
        """Return a name of the feed, at most 300 characters: it is repeated in each item."""
        return self.name(text[: _MARKUP * _FEED_NAME_CHARS])[:_FEED_NAME_CHARS]

    def lang(self, text: str) -> str:
        """Return the language that a feed states, as one line of at most 100 characters."""
        return self.name(text[:_LANG_CHARS])

    def names(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the names that are not blank, each once, at most as many as the bounds allow."""
        named = dict.fromkeys(map(self.name, islice(texts, self.bounds.candidates)))
        named.pop("", None)
        return tuple(named)[: self.bounds.list_entries]

    def enclosures(self, stated: Iterable[Enclosure]) -> tuple[Enclosure, ...]:
        """Return the enclosures that have an address, each once, within the bounds."""
        looked_at = islice(stated, self.bounds.candidates)
        different = dict.fromkeys(one for one in looked_at if one.url)
        return tuple(different)[: self.bounds.list_entries]

    def enclosure(self, base: str, address: str, *, kind: str = "", length: str = "") -> Enclosure:
        """Return an enclosure with an absolute address, "" if it has none; `length` in bytes."""
        digits = length.isascii() and length.isdigit() and len(length) < 16
        return Enclosure(
            join_address(base, address) if address else "",
            kind[: self.bounds.name_chars],
            int(length) if digits and int(length) else None,
        )

    def moment(self, text: str) -> datetime | None:
        """Return the moment of a date, at most that of receipt; None if it is "" or unreadable."""
        if not text:
            return None
        at = self._dates.read(text)
        if at is None:
            self.problems.add("A date cannot be read", text)
        elif at > self.received_at:
            if at > self.received_at + _CLOCK_SKEW:
                self.problems.add("A date lies in the future; the time of receipt counts", text)
            return self.received_at
        return at

    def _links(self, values: EntryValues, text: str, url: str) -> tuple[str, ...]:
        """Return the canonical addresses that an entry and its text link, without `url`."""
        addresses = dict.fromkeys((*values.links, *hrefs(text)))
        if not addresses:
            return ()
        base = values.text_base or url or values.base
        different: dict[str, None] = {}
        most = min(self.bounds.links, self._links_left)
        for address in addresses:
            if len(different) >= most:
                of_entry = most == self.bounds.links
                bound = f"{most} of an entry" if of_entry else f"{_LINKS_OF_FEED} of the feed"
                self.problems.add(f"Links after the first {bound} were left out")
                break
            link = canonical_url(base, address)
            if link and link != url:
                different[link] = None
        self._links_left -= len(different)
        return tuple(different)

    def _cut(self, text: str, most: int, what: str) -> str:
        """Return at most `most` characters of a text; a longer one is a problem of `what`."""
        if len(text) > most:
            self.problems.add(f"{what} has more than {most} characters; the rest was left out")
        return text[:most]


def media_title(entry: XmlElement) -> str:
    """Return the title of the media of an entry, which stands for its own where that is missing."""
    return next(
        filter(None, (one.inner_html() for one in media_elements(entry, "media:title"))), ""
    )


def media_categories(entry: XmlElement) -> Iterator[str]:
    """Yield the categories of the media of an entry by their labels, and all keywords."""
    media = media_elements(entry, "media:category", "media:keywords")
    for one in (*entry.children("itunes:keywords"), *media):
        if one.name == "media:category":
            yield one.attribute("label") or one.text()
        else:
            yield from one.text().split(",")


def media_elements(entry: XmlElement, *names: str) -> Iterator[XmlElement]:
    """Yield the children with any of these names, and those in elements that group media."""
    grouping = []
    for one in entry.children(*names, *_MEDIA_GROUPS):
        if one.name in names:
            yield one
        if one.name in _MEDIA_GROUPS:
            grouping.append(one)
    for one in grouping:
        yield from media_elements(one, *names)
