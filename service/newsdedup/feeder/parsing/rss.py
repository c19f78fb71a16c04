"""RSS 0.9 to 2.0 and RDF Site Summary 1.0, with the modules that news feeds use."""

import re
from collections.abc import Iterable, Iterator, Mapping

from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.feeder.parsing.element_tree import XmlElement
from newsdedup.feeder.parsing.entry_reader import (
    EntryReader,
    EntryValues,
    media_categories,
    media_elements,
    media_title,
)
from newsdedup.feeder.parsing.parsed_feed import BOUNDS, Enclosure, ParsedFeed, poll_schedule

_TEXTS = (
    *("content:encoded", "xhtml:body", "atom:content", "content", "body", "fulltext"),
    *("description", "media:description", "atom:summary", "summary", "dc:description"),
    *("abstract", "itunes:summary"),
)
"""The whole texts first, then the summaries."""
_FULL_TEXTS = ("full-text", "fulltext", "full_text", "fullitem", "turbo:content")
"""Ends of names of whole texts in any namespace: yandex:full-text, rbc_news:full-text."""
_AUTHORS = ("author", "atom:author", "dc:creator", "dc:author", "itunes:author")
_CATEGORIES = ("category", "atom:category", "dc:subject", "itunes:category")
_ITEMS = ("item", "entry", "atom:entry")
_PUBLISHED = (
    *("pubdate", "dc:date", "atom:published", "published"),
    *("dcterms:issued", "dcterms:created", "date"),
)
_MAIL_WITH_NAME = re.compile(r"\A[^\s@()]++@[^\s@()]++\s*+\(([^()]++)\)\Z")
"""An author as RSS has it: the name stands in parentheses after an address of mail."""
_NAME_WITH_MAIL = re.compile(r"\A([^<>()@]*[^<>()@\s])\s*[(<][^\s@()<>]+@[^\s@()<>]+[)>]\Z")
"""An author as mail has it: the address stands after the name."""
_LONGEST_AUTHOR = 500
"""Characters of an author who may be a name with an address."""
_UPDATED = ("atom:updated", "dcterms:modified", "lastbuilddate", "updated")


def read_rss(root: XmlElement, reader: EntryReader) -> ParsedFeed:
    """Return the feed of an element `rss`, `RDF` or `channel`."""
    channel = root if root.name == "channel" else root.child("channel") or root
    # RDF and RSS 0.90 put the items alongside the channel, RSS 1.1 into a list, all others into it.
    channels = root.children("channel") or [channel]
    holders = [
        *(holder for one in channels for holder in (one, *one.children("items"))),
        *([root] if root is not channel else []),
    ]
    listed = [item for holder in holders for item in holder.children(*_ITEMS)]
    listed = listed or root.descendants(*_ITEMS)
    items = [item for one in listed for item in one.with_nested()]
    lang = channel.text_of("language", "dc:language") or channel.lang
    links = _links(channel)
    return ParsedFeed(
        format="rdf" if root.name.startswith("rdf") else "rss",
        address=reader.address,
        received_at=reader.received_at,
        title=reader.feed_name(channel.text_of("title", "dc:title", "atom:title")),
        site=join_address(channel.base, channel.text_of("link") or _first(links, "alternate")),
        lang=reader.lang(lang),
        self_link=_first(links, "self"),
        hubs=tuple(links.get("hub", ()))[: reader.bounds.list_entries],
        schedule=poll_schedule(
            ttl=channel.text_of("ttl"),
            period=channel.text_of("sy:updateperiod"),
            frequency=channel.text_of("sy:updatefrequency"),
            hours=_texts_within(channel, "skiphours"),
            days=_texts_within(channel, "skipdays"),
        ),
        entries=reader.entries(items, lambda item: _item_values(item, lang, reader), lang),
        deleted=reader.deleted(channel.children("at:deleted-entry")),
    )


def _item_values(item: XmlElement, lang: str, reader: EntryReader) -> EntryValues:
    """Return what an item states; `lang` is the language of the feed, for an item without one."""
    guid = item.child("guid")
    stated = guid.text() if guid is not None else ""
    address = item.text_of("feedburner:origlink", "pheedo:origlink", "link", "atom:id")
    links = _links(item)
    address = address or _first(links, "alternate") or item.attribute("about")
    permalink = guid.attribute("ispermalink").lower() if guid is not None else "false"
    # Only a guid that says so is a path of the site.
    begins = ("http", "/") if permalink == "true" else ("http",)
    if (
        not address.startswith(("http", "/", "."))
        and permalink != "false"
        and stated.lower().startswith(begins)
    ):
        address = stated
    source = item.child("source")
    link = item.child("link")
    return EntryValues(
        guid=stated or item.text_of("atom:id", "id", "dc:identifier") or item.attribute("about"),
        address=address.replace("&amp;", "&"),
        base=link.base if link is not None else item.base,
        text_base=item.stated_base(reader.address),
        title=item.html_of("title", "dc:title", "atom:title") or media_title(item),
        texts=(*_full_texts(item), *_texts(item)),
        published=item.text_of(*_PUBLISHED),
        updated=item.text_of(*_UPDATED),
        lang=item.text_of("dc:language", "language") or item.lang or lang,
        authors=map(_author, item.children(*_AUTHORS)),
        categories=_categories(item),
        enclosures=_enclosures(item, reader),
        links=links.get("related", ()),
        origin_address=source.attribute("url") if source is not None else "",
        origin_name=source.text() if source is not None else "",
    )


def _texts(item: XmlElement) -> Iterator[str]:
    """Yield the texts of an item as HTML, the whole ones first."""
    present = item.names()
    for name in _TEXTS:
        for one in item.children(name) if name in present else ():
            yield one.inner_html(xhtml=name == "xhtml:body" or "xhtml" in one.attribute("type"))


def _full_texts(item: XmlElement) -> Iterator[str]:
    """Yield the whole texts that an item has under names of publishers, as HTML."""
    for name in item.names():
        if name.endswith(_FULL_TEXTS):
            yield from (one.inner_html() for one in item.children(name))


def _author(element: XmlElement) -> str:
    """Return the name of an author, without its address of mail unless there is nothing else."""
    parts = element.has_children()
    text = (parts and element.text_of("name", "atom:name", "email", "atom:email")) or element.text()
    if "@" not in text or len(text) > _LONGEST_AUTHOR:
        return text
    return _MAIL_WITH_NAME.sub(r"\1", _NAME_WITH_MAIL.sub(r"\1", text))


def _categories(item: XmlElement) -> Iterator[str]:
    for holder in (item, *item.children("categories")):
        for one in holder.children(*_CATEGORIES):
            yield from _category(one)
    yield from media_categories(item)


def _category(element: XmlElement) -> Iterator[str]:
    """Yield the name of a category and of those within it."""
    yield (
        element.attribute("label")
        or (element.attribute("text") if element.name == "itunes:category" else "")
        or element.text()
        or element.attribute("term")
    )
    for one in element.children(element.name) if element.has_children() else ():
        yield from _category(one)


def _enclosures(item: XmlElement, reader: EntryReader) -> Iterator[Enclosure]:
    """Yield the enclosures and media elements of an item."""
    for one in media_elements(item, "enclosure", "media:content", "media:thumbnail"):
        yield reader.enclosure(
            one.base,
            one.attribute("url") or one.attribute("resource"),
            kind=one.attribute("type"),
            length=one.attribute("length") or one.attribute("filesize"),
        )


def _links(element: XmlElement) -> dict[str, dict[str, None]]:
    """Return the absolute addresses of links by their relations such as "self", each once."""
    links: dict[str, dict[str, None]] = {}
    for one in element.children("atom:link", "link", "atom10:link")[: BOUNDS.candidates]:
        address = one.attribute("href")
        link = join_address(one.base, address) if address else ""
        if link:
            for rel in set((one.attribute("rel") or "alternate").lower().split()):
                links.setdefault(rel, {})[link] = None
    return links


def _first(links: Mapping[str, Iterable[str]], rel: str) -> str:
    """Return the first of the links of a relation; "" without one."""
    for link in links.get(rel, ()):
        return link
    return ""


def _texts_within(channel: XmlElement, name: str) -> tuple[str, ...]:
    """Return the texts of the children of element `name`, such as "skipdays"; () without it."""
    element = channel.child(name)
    return tuple(one.text() for one in element.children()) if element is not None else ()
