"""A line of JSON to the item or the act that it tells.

Strict about our own names, the names of other formats are in item_names.py; unknown fields are
nobody's business here: they travel in the received bytes.
"""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import xxhash

from newsdedup.adapters.formats.dates import date_field
from newsdedup.adapters.formats.field_names import fill_own_fields
from newsdedup.adapters.formats.json_object import (
    LIMITS,
    Fields,
    Limits,
    decode_object,
    json_type,
    name_field,
    string_field,
    string_list_field,
)
from newsdedup.core.model import ItemKey, Micros, NewsItem
from newsdedup.core.stories.acts import Act, Merge, Pin, Retract, Split
from newsdedup.core.window import micros
from newsdedup.ports.errors import InvalidItem

ACT_FIELD = "newsdedup"
"""The key that makes an object an act; its value says which."""


def _decode_act(fields: Fields, *, limits: Limits, source: str) -> Act:
    """Return the act that an object tells."""
    match fields[ACT_FIELD]:
        case "retract":
            return Retract(_key_of(fields, "the retraction", limits, source))
        case "merge":
            one, other = _pair(fields.get("items"), limits, source)
            return Merge(one, other, _act_time(fields, limits))
        case "split":
            return Split(_item_key(fields, limits, source), _act_time(fields, limits))
        case "original":
            return Pin(_item_key(fields, limits, source), _act_time(fields, limits))
        case unknown:
            told = repr(unknown[:32]) if type(unknown) is str else json_type(unknown)
            known = "retract, merge, split and original"
            raise InvalidItem("unknown_act", f"{ACT_FIELD} is {told}; the acts are {known}")


def _pair(items: Any, limits: Limits, source: str) -> tuple[ItemKey, ItemKey]:
    if type(items) is not list or len(items) != 2:
        raise InvalidItem("bad_field", "items must be a list of the two items to merge")
    one, other = (_named_key(item, "items", limits, source) for item in items)
    if one == other:
        raise InvalidItem("bad_field", "items names one item twice")
    return one, other


def _item_key(fields: Fields, limits: Limits, source: str) -> ItemKey:
    return _named_key(fields.get("item"), "item", limits, source)


def _named_key(item: Any, name: str, limits: Limits, source: str) -> ItemKey:
    if type(item) is not dict:
        reason = f'{name} must name an item as {{"source": ..., "id": ...}}, not {json_type(item)}'
        raise InvalidItem("bad_field", reason)
    return _key_of(item, name, limits, source)


def _key_of(fields: Fields, name: str, limits: Limits, source: str) -> ItemKey:
    item_id = name_field(fields, "id", most=limits.id_chars)
    if not item_id:
        raise InvalidItem("bad_field", f"{name}: the id is missing")
    return ItemKey(name_field(fields, "source", most=limits.id_chars) or source, item_id)


def _act_time(fields: Fields, limits: Limits) -> Micros:
    at = date_field(fields, "at", limits)
    if at is None:
        raise InvalidItem("bad_field", "at is missing: when the editor said so")
    return micros(at)


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


_UNLIMITED = Limits(
    line_bytes=2**40, title_chars=2**40, text_chars=2**40, id_chars=2**40, url_chars=2**40
)
"""What a state holds was accepted before, perhaps under wider limits than those of today."""
_HEADLINE_CHARS = 300


def headline(received: bytes) -> str:
    """Return the title of an item as it was received, else the beginning of its first line."""
    try:
        item = decode_item(received, limits=_UNLIMITED)
    except InvalidItem:
        return ""
    return title_of(item) if isinstance(item, NewsItem) else ""


def title_of(item: NewsItem) -> str:
    """Return the title of an item, else the beginning of its first line that says something."""
    said = f"{item.title}\n{item.text}".strip().partition("\n")[0].strip()
    return said if len(said) <= _HEADLINE_CHARS else said[: _HEADLINE_CHARS - 1] + "…"
