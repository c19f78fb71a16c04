"""Atom 1.0 (RFC 4287) and 0.3, also without its namespace."""

from base64 import b64decode
from collections.abc import Iterator
from functools import cache

from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.feeder.parsing.element_tree import XmlElement
from newsdedup.feeder.parsing.entry_reader import (
    EntryReader,
    EntryValues,
    media_categories,
    media_elements,
    media_title,
)
from newsdedup.feeder.parsing.html_text import as_html
from newsdedup.feeder.parsing.parsed_feed import (
    AUTHORS_OF_FEED,
    BOUNDS,
    Enclosure,
    ParsedFeed,
    poll_schedule,
)

_PLAIN = ("", "text", "text/plain")


@cache
def _names(*names: str) -> tuple[str, ...]:
    """Return each name as elements in the namespace of Atom have it ("atom:title"), then bare."""
    return tuple(f"{prefix}{name}" for name in names for prefix in ("atom:", ""))


_PUBLISHED = (*_names("published", "issued", "created"), "dc:date", *_names("pubdate"))
_UPDATED = (*_names("updated", "modified"), "dcterms:modified")
_ENTRIES = (*_names("entry"), "atom:item", "item")
_REGISTERED = "http://www.iana.org/assignments/relation/"


def read_atom(root: XmlElement, reader: EntryReader) -> ParsedFeed:
    """Return the feed of an element `feed`, or of an `entry` that is the whole document."""
    is_feed = root.name not in _names("entry")
    listed = root.children(*_ENTRIES) or root.descendants(*_ENTRIES)
    entries = [entry for one in (listed if is_feed else [root]) for entry in one.with_nested()]
    authors = [reader.feed_name(one) for one in _authors(root)[:AUTHORS_OF_FEED]] if is_feed else []
    return ParsedFeed(
        format="atom",
        address=reader.address,
        received_at=reader.received_at,
        title=reader.feed_name(_title(root)) if is_feed else "",
        site=_link(root, "alternate"),
        lang=reader.lang(root.lang),
        self_link=_link(root, "self"),
        hubs=tuple(_links(root, "hub"))[: reader.bounds.list_entries],
        schedule=poll_schedule(
            period=root.text_of("sy:updateperiod"), frequency=root.text_of("sy:updatefrequency")
        ),
        entries=reader.entries(
            entries, lambda entry: _entry_values(entry, authors, reader), root.lang
        ),
        deleted=reader.deleted(root.children("at:deleted-entry")),
    )


def _entry_values(entry: XmlElement, authors: list[str], reader: EntryReader) -> EntryValues:
    """Return the values of an entry; `authors` are those of the feed."""
    source = entry.child(*_names("source"))
    content = entry.child(*_names("content"))
    guid = entry.text_of(*_names("id", "guid"))
    address = entry.text_of("feedburner:origlink") or _link(entry, "alternate")
    if not address and content is not None and content.attribute("src"):
        address = join_address(content.base, content.attribute("src"))
    return EntryValues(
        guid=guid,
        address=address or (guid if guid.lower().startswith(("http://", "https://")) else ""),
        base=entry.base,
        text_base=(content if content is not None else entry).stated_base(reader.address),
        title=_title(entry) or media_title(entry),
        texts=tuple(_texts(entry)),
        published=entry.text_of(*_PUBLISHED),
        updated=entry.text_of(*_UPDATED),
        lang=(content.lang if content is not None else "") or entry.lang,
        authors=_authors(entry) or (_authors(source) if source is not None else []) or authors,
        categories=_categories(entry),
        enclosures=_enclosures(entry, reader),
        links=[*_links(entry, "related"), *_links(entry, "via")],
        origin_address=_link(source, "alternate") or _link(source, "self") if source else "",
        origin_name=_title(source) if source else "",
    )


def _title(element: XmlElement) -> str:
    """Return the title of a feed or an entry as HTML; "" if it has none."""
    title = element.child(*_names("title"), "dc:title")
    return _html(title) if title is not None else ""


def _texts(entry: XmlElement) -> Iterator[str]:
    """Yield content and summaries as HTML, without content of other types, such as pictures."""
    for one in entry.children(*_names("content"), "content:encoded"):
        kind = one.attribute("type").lower()
        is_text = kind in ("", "html", "xhtml") or kind.startswith("text") or "xml" in kind
        if is_text or _is_base64(one):
            yield _html(one)
    group = entry.child("media:group")
    for one in (
        *entry.children(*_names("summary", "description")),
        *(group.children() if group else ()),
    ):
        if one.name in (*_names("summary", "description"), "media:description"):
            yield _html(one)


def _html(element: XmlElement) -> str:
    """Return a text of Atom as HTML: plain text is escaped, unless it is in truth HTML."""
    if _is_base64(element):
        return _unpacked(element.text())
    kind = element.attribute("type").lower()
    html = element.inner_html(xhtml="xhtml" in kind)
    is_plain = kind in _PLAIN and not element.has_children() and "</" not in html
    return as_html(html) if is_plain and "/>" not in html and "&#" not in html else html


def _is_base64(element: XmlElement) -> bool:
    """Return whether an element holds its text in base64 (Atom 0.3; RFC 4287, 4.1.3.3)."""
    kind, mode = element.attribute("type").lower(), element.attribute("mode").lower()
    return mode == "base64" or kind == "application/octet-stream"


def _unpacked(packed: str) -> str:
    """Return the text that base64 holds; "" if it holds none, such as a picture."""
    try:
        return b64decode("".join(packed.split()), validate=True).decode()
    except ValueError:
        return ""


def _authors(entry: XmlElement) -> list[str]:
    """Return name, e-mail address or text of each author of an entry."""
    authors = entry.children(*_names("author"), "dc:creator")[: BOUNDS.candidates]
    return [one.text_of(*_names("name"), *_names("email")) or one.text() for one in authors]


def _categories(entry: XmlElement) -> Iterator[str]:
    """Yield the categories of an entry by their labels, then those of its media."""
    for one in entry.children(*_names("category"), "dc:subject"):
        yield one.attribute("label") or one.attribute("term") or one.text()
    yield from media_categories(entry)


def _enclosures(entry: XmlElement, reader: EntryReader) -> Iterator[Enclosure]:
    """Yield the enclosures of an entry: of its links and of its media elements."""
    for one in media_elements(entry, *_names("link"), "media:content", "media:thumbnail"):
        address = one.attribute("url")
        if one.name in _names("link"):
            if one.attribute("rel").lower() != "enclosure":
                continue
            address = one.attribute("href")
        yield reader.enclosure(
            one.base, address, kind=one.attribute("type"), length=one.attribute("length")
        )


def _links(element: XmlElement, rel: str) -> Iterator[str]:
    """Yield the absolute addresses of links with a relation such as "self", pages of HTML first."""
    stated = element.children(*_names("link"))[: BOUNDS.candidates]
    links = [one for one in stated if rel in _relations(one)]
    if len(links) > 1:
        links.sort(key=lambda link: "html" not in (link.attribute("type") or "html").lower())
    for one in links:
        address = one.attribute("href") or one.text()
        link = join_address(one.base, address) if address else ""
        if link:
            yield link


def _relations(link: XmlElement) -> list[str]:
    """Return the relations of a link in lower case, ["alternate"] if it states none."""
    stated = link.attribute("rel").lower().split()
    if not stated:
        return ["alternate"]
    return [one.removeprefix(_REGISTERED) for one in stated]


def _link(element: XmlElement, rel: str) -> str:
    """Return the absolute address of the first link of a relation; "" without one."""
    return next(_links(element, rel), "")
