"""A line of JSON to the item or the command that it holds.

Commands are records that are no items: a source withdraws an item, an editor corrects stories.

    {"newsdedup": "retract", "source": "ria.ru", "id": "1"}
    {"newsdedup": "merge", "items": [ITEM, ITEM], "at": "2025-01-06T10:00:00Z"}
    {"newsdedup": "split", "item": ITEM, "at": ...}
    {"newsdedup": "original", "item": ITEM, "at": ...}

where ITEM is {"source": ..., "id": ...}; a missing source is the name of the input, as for items.
Own names must have their types, names of other formats are in field_names.py, and unknown fields
are not looked at: they travel in the received bytes.
"""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import xxhash

from newsdedup.adapters.formats.dates import date_field, optional_date
from newsdedup.adapters.formats.field_names import fill_own_fields, is_blank
from newsdedup.adapters.formats.json_object import (
    LIMITS,
    UNLIMITED,
    Fields,
    Limits,
    decode_object,
    json_type,
    name_field,
    string_field,
    string_list_field,
)
from newsdedup.core.model import ItemKey, Micros, NewsItem
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.commands import Command, Merge, Pin, Retract, Split
from newsdedup.ports.errors import InvalidItem

COMMAND_FIELD = "newsdedup"
"""The field that makes an object a command; its value says which."""
_HEADLINE_CHARS = 300


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
    url = string_field(fields, "url", most=limits.url_chars)
    unread: list[str] = []
    published_at = optional_date(fields, "published_at", limits, unread)
    seen = optional_date(fields, "seen_at", limits, unread)
    updated_at = optional_date(fields, "updated_at", limits, unread)
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


def decode_key(line: bytes, *, limits: Limits = LIMITS) -> ItemKey | None:
    """Return the key of the item in a line, None for a command; raise InvalidItem without a key.

    An invalid item has a key as well: a bad date or a missing text does not hide its id.
    """
    fields: Fields = decode_object(line, limits)
    if COMMAND_FIELD in fields:
        return None
    fields = fill_own_fields(fields)
    url = string_field(fields, "url", most=limits.url_chars)
    item_id = name_field(fields, "id", most=limits.id_chars)
    if not item_id and is_blank(url):
        raise InvalidItem("bad_field", "there is neither an id nor an address")
    source = name_field(fields, "source", most=limits.id_chars) or _host(url, limits)
    return ItemKey(source, item_id or _hash_id(url, "", ""))


def headline(received: bytes) -> str:
    """Return the title of a received item, else the first line of its text; "" if it is no item.

    It is one line of at most 300 characters. A command is no item.
    """
    try:
        item = decode_item(received, limits=UNLIMITED)
    except InvalidItem:
        return ""
    return title_of(item) if isinstance(item, NewsItem) else ""


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
            return Merge(one, other, _command_time(fields, limits))
        case "split" | "original" as kind:
            key = _command_key(fields.get("item"), "item", limits, source)
            at = _command_time(fields, limits)
            return Split(key, at) if kind == "split" else Pin(key, at)
        case command:
            name = repr(command[:32]) if type(command) is str else json_type(command)
            known = "retract, merge, split and original"
            raise InvalidItem(
                "unknown_command", f"{COMMAND_FIELD} is {name}; the commands are {known}"
            )


def _command_key(item: Any, name: str, limits: Limits, source: str) -> ItemKey:
    """Return the key of the item that a command names; `name` is the field, for messages."""
    if type(item) is not dict:
        reason = f'{name} must name an item as {{"source": ..., "id": ...}}, not {json_type(item)}'
        raise InvalidItem("bad_field", reason)
    item_id = name_field(item, "id", most=limits.id_chars)
    if not item_id:
        raise InvalidItem("bad_field", f"{name}: the id is missing")
    return ItemKey(name_field(item, "source", most=limits.id_chars) or source, item_id)


def _command_time(fields: Fields, limits: Limits) -> Micros:
    """Return the time in the field `at`; raise InvalidItem if it is missing or no date."""
    at = date_field(fields, "at", limits)
    if at is None:
        raise InvalidItem("bad_field", "at is missing: when the editor said so")
    return to_micros(at)


def _host(url: str, limits: Limits) -> str:
    """Return the host of an address, "" if it has none that could name a source."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host if len(host) <= limits.id_chars and "\0" not in host else ""


def _hash_id(url: str, title: str, text: str) -> str:
    """Return a hash of the address as id, of title and text where that is blank."""
    content = f"{len(title)}:{title}{text}" if is_blank(url) else url
    return xxhash.xxh3_128_hexdigest(content.encode())
