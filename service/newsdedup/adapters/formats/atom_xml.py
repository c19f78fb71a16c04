"""Atom feeds as text (RFC 4287)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from xml.sax.saxutils import escape, quoteattr

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may contain, not even escaped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomEntry:
    """One entry; a field that is empty is left out."""

    id: str
    """An IRI that stays the same, also when the entry changes."""
    title: str
    updated: datetime
    published: datetime | None = None
    url: str = ""
    text: str = ""
    """Plain text."""
    author: str = ""
    lang: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomFeed:
    """A feed without its entries."""

    id: str
    title: str
    updated: datetime
    address: str = ""
    """Where the feed itself is."""
    site: str = ""


def write_atom(feed: AtomFeed, entries: Iterable[AtomEntry]) -> str:
    """Return a feed as a document of Atom, its entries in the order that is given."""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        _element("title", feed.title),
        _element("id", feed.id),
        _element("updated", feed.updated.isoformat()),
        *([_link(feed.address, rel="self")] if feed.address else []),
        *([_link(feed.site, rel="alternate")] if feed.site else []),
    ]
    for entry in entries:
        lines += _entry_lines(entry)
    return "\n".join([*lines, "</feed>", ""])


def _entry_lines(entry: AtomEntry) -> Iterator[str]:
    """Yield the elements of an entry, one a line; empty fields are left out."""
    lang = f" xml:lang={_quoted(entry.lang)}" if entry.lang else ""
    yield f"<entry{lang}>"
    yield _element("title", entry.title)
    yield _element("id", entry.id)
    yield _element("updated", entry.updated.isoformat())
    if entry.published is not None:
        yield _element("published", entry.published.isoformat())
    if entry.url:
        yield _link(entry.url, rel="alternate")
    if entry.author:
        yield f"<author>{_element('name', entry.author)}</author>"
    if entry.text:
        yield _element("content", entry.text, ' type="text"')
    yield "</entry>"


def _element(name: str, text: str, attributes: str = "") -> str:
    """Return an XML element; `attributes` are written as they are, with a space before each."""
    return f"<{name}{attributes}>{escape(_FORBIDDEN.sub('', text))}</{name}>"


def _link(address: str, *, rel: str) -> str:
    """Return a link element; `rel` says what the address is: "self" or "alternate"."""
    return f"<link rel={_quoted(rel)} href={_quoted(address)}/>"


def _quoted(text: str) -> str:
    """Return an attribute value in quotes, without characters that XML forbids."""
    return quoteattr(_FORBIDDEN.sub("", text))
