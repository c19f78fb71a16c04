"""A line of JSON to the item or the act that it tells.

Strict about our own names, the names of other formats are in item_names.py; unknown fields are
nobody's business here: they travel in the received bytes.
"""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import xxhash

from newsdedup.adapters.formats.act_json import ACT_FIELD, _decode_act
from newsdedup.adapters.formats.dates import date_field
from newsdedup.adapters.formats.item_names import fill_own_fields
from newsdedup.adapters.formats.json_fields import (
    Fields,
    name_field,
    string_field,
    string_list_field,
)
from newsdedup.adapters.formats.json_object import decode_object
from newsdedup.adapters.formats.limits import LIMITS, Limits
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.stories.acts import Act
from newsdedup.ports.errors import InvalidItem


def decode_item(
    line: bytes, *, limits: Limits = LIMITS, source: str = "", seen_at: datetime | None = None
) -> NewsItem | Act:
    """Return what a line tells; raise InvalidItem, and nothing else, if it tells nothing.

    The source is the name of the input: of items that name neither a source nor an address. Those
    that do not say when they were seen were seen at `seen_at`.
    """
    fields = decode_object(line, limits)
    if ACT_FIELD in fields:
        return _decode_act(fields, limits=limits, source=source)
    return _item(fill_own_fields(fields), limits, source, seen_at)


def decode_key(line: bytes, *, limits: Limits = LIMITS) -> ItemKey | None:
    """Return the item that a line is about, None for an act; raise InvalidItem if it names none.

    It may be no item for all that: a bad date or a missing text does not hide who it is.
    """
    fields = decode_object(line, limits)
    if ACT_FIELD in fields:
        return None
    told = fill_own_fields(fields)
    url = string_field(told, "url", most=limits.url_chars)
    own = name_field(told, "id", most=limits.id_chars)
    if not own and _is_blank(url):
        raise InvalidItem("bad_field", "there is neither an id nor an address")
    source = name_field(told, "source", most=limits.id_chars) or _host(url, limits)
    return ItemKey(source, own or _hash_id(url, "", ""))


def _item(fields: Fields, limits: Limits, source: str, seen_at: datetime | None) -> NewsItem:
    title = string_field(fields, "title", most=limits.title_chars)
    text = string_field(fields, "text", most=limits.text_chars)
    if _is_blank(title) and _is_blank(text):
        raise InvalidItem("no_text", _nothing_to_read(fields.get("dedup")))
    url = string_field(fields, "url", most=limits.url_chars)
    return NewsItem(
        key=ItemKey(
            name_field(fields, "source", most=limits.id_chars) or _host(url, limits) or source,
            name_field(fields, "id", most=limits.id_chars) or _hash_id(url, title, text),
        ),
        title=title,
        text=text,
        published_at=date_field(fields, "published_at", limits),
        seen_at=date_field(fields, "seen_at", limits) or seen_at,
        updated_at=date_field(fields, "updated_at", limits),
        url=url,
        lang=string_field(fields, "lang", most=limits.id_chars),
        links=string_list_field(fields, "links", count=limits.links, most=limits.url_chars),
    )


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _nothing_to_read(dedup: Any) -> str:
    """Return the reason to refuse an item without words; our own output may be the input."""
    if type(dedup) is dict and type(event := dedup.get("event")) is str:
        return f"the event {event[:32]!r} carries no item"
    return "there is neither a title nor a text, under any name that we know"


def _host(url: str, limits: Limits) -> str:
    """Return the host of an address, "" if it has none that could name a source."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host if len(host) <= limits.id_chars and "\0" not in host else ""


def _hash_id(url: str, title: str, text: str) -> str:
    """Return an id made from the address, else from all that was said."""
    said = f"{len(title)}:{title}{text}" if _is_blank(url) else url
    return xxhash.xxh3_128_hexdigest(said.encode())
