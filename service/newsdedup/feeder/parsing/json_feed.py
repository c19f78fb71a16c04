"""JSON Feed 1.0 and 1.1."""

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.feeder.parsing.entry_reader import EntryReader, EntryValues
from newsdedup.feeder.parsing.html_text import as_html
from newsdedup.feeder.parsing.parsed_feed import (
    AUTHORS_OF_FEED,
    Enclosure,
    FeedUnusable,
    ParsedFeed,
)

_UNFIT = re.compile("[\0\ud800-\udfff]")
"""What an item must not hold: NUL and halves of surrogate pairs."""


def read_json_feed(text: str, reader: EntryReader) -> ParsedFeed:
    """Return the feed of a text of JSON; raise FeedUnusable if it is no JSON Feed."""
    if text.count("[") + text.count("{") > reader.bounds.brackets:
        raise FeedUnusable(f"the body has more than {reader.bounds.brackets} lists and objects")
    if text.count(":") > reader.bounds.colons:
        raise FeedUnusable(f"the body has more than {reader.bounds.colons} names of JSON")
    try:
        feed = json.loads(text.lstrip("\ufeff \t\r\n"), strict=False)
    except (ValueError, RecursionError) as error:
        raise FeedUnusable(f"the body is broken JSON: {str(error)[:200]}") from error
    if not isinstance(feed, dict) or not isinstance(feed.get("items"), list):
        raise FeedUnusable("the body is JSON, but no JSON Feed: it has no list of items")
    if "jsonfeed.org" not in _text(feed, "version"):
        reader.problems.add("The feed names no version of JSON Feed", _text(feed, "version"))
    items = [item for item in feed["items"] if isinstance(item, dict)]
    if len(items) > reader.bounds.entries:
        reader.problems.add_cut(f"Entries after the first {reader.bounds.entries} were left out")
    lang = _text(feed, "language")
    authors = [reader.feed_name(one) for one in _authors(feed)[:AUTHORS_OF_FEED]]
    hubs = [join_address("", _text(hub, "url")) for hub in _objects(feed, "hubs")]
    address = reader.address
    return ParsedFeed(
        format="json",
        address=address,
        received_at=reader.received_at,
        title=reader.feed_name(_text(feed, "title")),
        site=_address(feed, "home_page_url", address),
        lang=reader.lang(lang),
        self_link=_address(feed, "feed_url", address),
        hubs=tuple(hub for hub in hubs if hub)[: reader.bounds.list_entries],
        expired=feed.get("expired") is True,
        entries=reader.entries(
            items[: reader.bounds.entries],
            lambda item: _item_values(item, lang, authors, reader),
            lang,
        ),
    )


def _item_values(
    item: dict[str, Any], lang: str, authors: list[str], reader: EntryReader
) -> EntryValues:
    """Return what an item states; `lang` and `authors` of the feed replace missing ones."""
    plain = as_html(_text(item, "content_text"))
    external, tags = _text(item, "external_url"), item.get("tags")
    return EntryValues(
        guid=_text(item, "id"),
        address=_text(item, "url") or external,
        base=reader.address,
        title=_text(item, "title"),
        texts=(_text(item, "content_html"), plain, as_html(_text(item, "summary"))),
        published=_text(item, "date_published"),
        updated=_text(item, "date_modified"),
        lang=_text(item, "language") or lang,
        authors=_authors(item) or authors,
        categories=(_text({"": tag}, "") for tag in (tags if isinstance(tags, list) else ())),
        enclosures=_enclosures(item, reader),
        links=(external,) if external else (),
    )


def _enclosures(item: dict[str, Any], reader: EntryReader) -> Iterator[Enclosure]:
    """Yield the attachments and the image of an item."""
    base = reader.address
    for one in _objects(item, "attachments"):
        size = _text(one, "size_in_bytes")
        yield reader.enclosure(base, _text(one, "url"), kind=_text(one, "mime_type"), length=size)
    yield reader.enclosure(base, _text(item, "image"))


def _address(feed: dict[str, Any], name: str, base: str) -> str:
    """Return the absolute address in a field, "" without one."""
    address = _text(feed, name)
    return join_address(base, address) if address else ""


def _text(fields: dict[str, Any], name: str) -> str:
    """Return a field as a stripped text, a number in digits; "" for anything else or if missing."""
    value = fields.get(name)
    if isinstance(value, float) and isfinite(value):
        return repr(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**30 else ""
    text = value if isinstance(value, str) else ""
    return _UNFIT.sub("", text).strip()


def _objects(fields: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the objects of the list in a field, without other values; [] if it is no list."""
    value = fields.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _authors(fields: dict[str, Any]) -> list[str]:
    """Return the names of the authors of a feed or an item, else of the author of version 1.0."""
    author = fields.get("author")
    stated = _objects(fields, "authors") or ([author] if isinstance(author, dict) else [])
    return [name for name in (_text(one, "name") for one in stated) if name]
