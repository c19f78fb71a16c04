"""Input events that are not items: a source withdraws an item, an editor speaks.

    {"newsdedup": "retract", "source": "ria.ru", "id": "1"}
    {"newsdedup": "merge", "items": [ITEM, ITEM], "at": "2025-01-06T10:00:00Z"}
    {"newsdedup": "split", "item": ITEM, "at": ...}
    {"newsdedup": "original", "item": ITEM, "at": ...}

where ITEM is {"source": ..., "id": ...}; a missing source is the name of the input, as of items.
"""

from typing import Any

from newsdedup.adapters.formats.dates import date_field
from newsdedup.adapters.formats.json_fields import Fields, name_field
from newsdedup.adapters.formats.json_object import json_type
from newsdedup.adapters.formats.limits import Limits
from newsdedup.core.model import ItemKey, Micros
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
