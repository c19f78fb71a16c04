"""A line of JSON to the item or the command that it holds.

Commands are records that are no items: a source withdraws an item, an editor corrects stories.

    {"newsdedup": "retract", "source": "ria.ru", "id": "1"}
    {"newsdedup": "merge", "items": [ITEM, ITEM], "at": "2025-01-06T10:00:00Z"}
    {"newsdedup": "split", "item": ITEM, "at": ...}
    {"newsdedup": "original", "item": ITEM, "at": ...}

where ITEM is {"source": ..., "id": ...}; a missing source is the name of the input, as for items.
Our own name of a field counts first, then those of FOREIGN_FIELDS in their order: records may be
schema.org NewsArticle, IPTC ninjs (1.x to 3.x), JSON Feed items, or what crawlers and news APIs
write. A wrong type under one of our own names is an error; under a foreign one the field is skipped
like any unknown field. Unknown fields are not looked at: they travel in the received bytes.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import xxhash

from newsdedup.adapters.formats.json_object import (
    LIMITS,
    UNLIMITED,
    Fields,
    Limits,
    date_field,
    decode_object,
    json_type,
    name_field,
    optional_date,
    string_field,
    string_list_field,
)
from newsdedup.core.model import ItemKey, Micros, NewsItem
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.commands import Command, Merge, Pin, Retract, Split
from newsdedup.core.text.clean import shows_something
from newsdedup.ports.errors import InvalidItem

COMMAND_FIELD = "newsdedup"
"""The field that makes an object a command; its value says which."""
_HEADLINE_CHARS = 300
_LONGEST_BLANK = 200
"""More characters of title and text are not searched for one that can be seen."""


def decode_item(
    line: bytes, *, limits: Limits = LIMITS, source: str = "", seen_at: datetime | None = None
) -> NewsItem | Command:
    """Return the item or command of a line; raise InvalidItem, and nothing else, without one.

    `source` is the name of the input, for items that name neither a source nor an address;
    `seen_at` is the time for items that do not say when they were seen.
    """
    fields: Fields = decode_object(line, limits)
    if COMMAND_FIELD in fields:
        return _decode_command(fields, limits, source)
    fields = fill_own_fields(fields)
    title = string_field(fields, "title", most=limits.title_chars)
    text = string_field(fields, "text", most=limits.text_chars)
    if is_blank(title) and is_blank(text):
        reason = "there is neither a title nor a text, under any name that we know"
        dedup = fields.get("dedup")  # our own output may be the input
        if type(dedup) is dict and type(event := dedup.get("event")) is str:
            reason = f"the event {event[:32]!r} carries no item"
        raise InvalidItem("no_text", reason)
    if limits.shows_something and shows_nothing(title, text):
        raise InvalidItem(
            "no_text", "title and text show nothing: only markup, spaces or invisible characters"
        )
    url = string_field(fields, "url", most=limits.url_chars)
    unread: list[str] = []
    published_at = optional_date(fields, "published_at", unread)
    seen = optional_date(fields, "seen_at", unread)
    updated_at = optional_date(fields, "updated_at", unread)
    return NewsItem(
        key=ItemKey(
            name_field(fields, "source", most=limits.id_chars) or _host(url, limits) or source,
            name_field(fields, "id", most=limits.id_chars) or _hash_id(url, title, text),
        ),
        title=title,
        text=text,
        published_at=published_at,
        seen_at=seen or seen_at,
        updated_at=updated_at,
        url=url,
        lang=string_field(fields, "lang", most=limits.id_chars),
        links=string_list_field(fields, "links", count=limits.links, most=limits.url_chars),
        unread_dates=tuple(unread),
    )


def shows_nothing(title: str, text: str) -> bool:
    """Return whether title and text have no letter, digit, sign or emoji that a reader would see.

    Markup and invisible characters are none. A longer text always counts as seen.
    """
    return len(title) + len(text) <= _LONGEST_BLANK and not shows_something(f"{title}\n{text}")


def decode_key(line: bytes) -> ItemKey | None:
    """Return the key of the item in a line, None for a command; raise InvalidItem without a key.

    An invalid item has a key as well: a bad date or a missing text does not hide its id.
    """
    fields: Fields = decode_object(line, LIMITS)
    if COMMAND_FIELD in fields:
        return None
    fields = fill_own_fields(fields)
    url = string_field(fields, "url", most=LIMITS.url_chars)
    item_id = name_field(fields, "id", most=LIMITS.id_chars)
    if not item_id and is_blank(url):
        raise InvalidItem("bad_field", "there is neither an id nor an address")
    source = name_field(fields, "source", most=LIMITS.id_chars) or _host(url, LIMITS)
    return ItemKey(source, item_id or _hash_id(url, "", ""))


def headline(received: bytes) -> str:
    """Return the title of a received item, else the first line of its text; "" if it is no item.

    It is one line of at most 300 characters. A command is no item.
    """
    item = received_item(received)
    return "" if item is None else title_of(item)


def received_item(received: bytes, *, limits: Limits = UNLIMITED) -> NewsItem | None:
    """Return an item as it was received; None if it is none within the limits any more."""
    try:
        item = decode_item(received, limits=limits)
    except InvalidItem:
        return None
    return item if isinstance(item, NewsItem) else None


def title_of(item: NewsItem) -> str:
    """Return the title of an item, else the first line of its text, at most 300 characters."""
    line = f"{item.title}\n{item.text}".strip().partition("\n")[0].strip()
    return line if len(line) <= _HEADLINE_CHARS else line[: _HEADLINE_CHARS - 1] + "…"


def _decode_command(fields: Fields, limits: Limits, source: str) -> Command:
    """Return the command in the fields of a line; raise InvalidItem if it is unknown or damaged."""
    match fields[COMMAND_FIELD]:
        case "retract":
            return Retract(_command_key(fields, "the retraction", limits, source))
        case "merge":
            items = fields.get("items")
            if type(items) is not list or len(items) != 2:
                raise InvalidItem("bad_field", "items must be a list of the two items to merge")
            one, other = (_command_key(item, "items", limits, source) for item in items)
            if one == other:
                raise InvalidItem("bad_field", "items names one item twice")
            return Merge(one, other, _command_time(fields))
        case "split" | "original" as kind:
            key = _command_key(fields.get("item"), "item", limits, source)
            at = _command_time(fields)
            return Split(key, at) if kind == "split" else Pin(key, at)
        case command:
            name = repr(command[:32]) if type(command) is str else json_type(command)
            known = "retract, merge, split and original"
            raise InvalidItem(
                "unknown_command", f"{COMMAND_FIELD} is {name}; the commands are {known}"
            )


def _command_key(item: Any, name: str, limits: Limits, source: str) -> ItemKey:
    """Return the key in a command's field `name`, by default of `source`; or raise InvalidItem."""
    if type(item) is not dict:
        reason = f'{name} must name an item as {{"source": ..., "id": ...}}, not {json_type(item)}'
        raise InvalidItem("bad_field", reason)
    item_id = name_field(item, "id", most=limits.id_chars)
    if not item_id:
        raise InvalidItem("bad_field", f"{name}: the id is missing")
    return ItemKey(name_field(item, "source", most=limits.id_chars) or source, item_id)


def _command_time(fields: Fields) -> Micros:
    """Return the time in the field `at`; raise InvalidItem if it is missing or no date."""
    at = date_field(fields, "at")
    if at is None:
        raise InvalidItem("bad_field", "at is missing: when the editor said so")
    return to_micros(at)


def _host(url: str, limits: Limits) -> str:
    """Return the host of an address, "" if it has none that could name a source."""
    host = address_host(url)
    return host if len(host) <= limits.id_chars and "\0" not in host else ""


def address_host(address: str) -> str:
    """Return the host of an address in lower case; "" if it has none or is malformed."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def site_host(address: str) -> str:
    """Return the host of an address without "www."; "" if it has none or is malformed."""
    return address_host(address).removeprefix("www.")


def _hash_id(url: str, title: str, text: str) -> str:
    """Return 32 hexadecimal digits: a hash of the address, of title and text if that is blank."""
    content = f"{len(title)}:{title}{text}" if is_blank(url) else url
    return xxhash.xxh3_128_hexdigest(content.encode())


FieldReader = Callable[[Any], Any]
"""Returns the value that a foreign field holds for ours, None if it holds none."""


def is_blank(value: Any) -> bool:
    """Return whether a value is missing, or text of white space alone."""
    return value is None or (isinstance(value, str) and (not value or value.isspace()))


def _text(value: Any) -> str | None:
    """Return a string that is not blank, None for any other value."""
    return value if type(value) is str and value and not value.isspace() else None


def _text_or_number(value: Any) -> str | float | None:
    """Return a number, or a string that is not blank; None for any other value."""
    return value if type(value) is int or type(value) is float else _text(value)


def _text_in(value: Any, name: str) -> str | None:
    """Return a text: the value, its field `name`, or the first of either in a list; else None."""
    if type(value) is dict:
        return _text(value.get(name))
    if type(value) is list:
        texts = (_text_in(one, name) for one in value if type(one) is not list)
        return next((text for text in texts if text is not None), None)
    return _text(value)


def _text_of(name: str) -> FieldReader:
    """Return a reader of the text in the field `name` of an object, see `_text_in`."""
    return partial(_text_in, name=name)


def _web_address(value: Any) -> str | None:
    """Return an http: or https: address, None for any other value."""
    text = _text(value)
    return text if text is not None and text.startswith(("https://", "http://")) else None


def _node_name(value: Any) -> str | None:
    """Return the name of a JSON-LD node; None for no text or a name valid in its document only."""
    text = _text(value)
    return None if text is None or text.startswith(("#", "_:")) else text


def _addresses(value: Any) -> list[str] | None:
    """Return the addresses in a value or list: strings, or `url` of objects; None without any."""
    texts = [_text_in(one, "url") for one in (value if type(value) is list else [value])]
    return [text for text in texts if text is not None] or None


def _each(read: FieldReader, names: str) -> Iterator[tuple[str, FieldReader]]:
    """Yield the names in a string separated by spaces, each with the same reader."""
    return ((name, read) for name in names.split())


FOREIGN_FIELDS: Mapping[str, tuple[tuple[str, FieldReader], ...]] = {
    "id": (
        ("uri", _text_or_number),
        ("@id", _node_name),
        ("guid", _text_or_number),
        ("identifier", _text_of("value")),
    ),
    "source": (
        *_each(_text_of("name"), "publisher provider sourceOrganization"),
        *_each(_text_of("name"), "copyrightholder copyrightHolder"),
    ),
    "url": (
        ("mainEntityOfPage", _text_of("@id")),
        *_each(_web_address, "@id uri"),
        ("link", _text),
    ),
    "title": (*_each(_text_of("value"), "headline headlines"),),
    # Plain text before HTML, the whole before a summary.
    "text": (
        *_each(_text, "articleBody body_text content_text"),
        ("bodies", _text_of("value")),
        *_each(_text, "body_html body_xhtml content_html body content description_text"),
        ("descriptions", _text_of("value")),
        *_each(_text, "description_html description abstract summary"),
    ),
    "published_at": (
        *_each(_text_or_number, "datePublished date_published firstcreated firstCreated"),
        *_each(_text_or_number, "versioncreated versionCreated dateCreated"),
        *_each(_text_or_number, "published publishedAt publish_date pub_date pubDate date"),
    ),
    "updated_at": (
        *_each(_text_or_number, "dateModified date_modified versioncreated versionCreated"),
        *_each(_text_or_number, "updated updatedAt"),
    ),
    "lang": (("inLanguage", _text_of("alternateName")), ("language", _text)),
    "links": (*_each(_addresses, "isBasedOn external_url"),),
}

FOREIGN_NAMES = frozenset(name for names in FOREIGN_FIELDS.values() for name, _ in names)


def fill_own_fields(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a record whose blank own fields are filled from foreign ones; others unchanged.

    A source that is an object with a name, as news APIs have it, is that name.
    """
    source = fields.get("source")
    named = _text(source.get("name")) if type(source) is dict else None
    if named is None and FOREIGN_NAMES.isdisjoint(fields):
        return fields
    filled = dict(fields) if named is None else {**fields, "source": named}
    for own, names in FOREIGN_FIELDS.items():
        if is_blank(fields.get(own)):
            values = (read(fields[name]) for name, read in names if name in fields)
            filled[own] = next((value for value in values if value is not None), None)
    return filled
