"""Input events that are not items: a source withdraws an item, an editor speaks.

    {"newsdedup": "retract", "source": "ria.ru", "id": "1"}
    {"newsdedup": "merge", "items": [ITEM, ITEM], "at": "2025-01-06T10:00:00Z"}
    {"newsdedup": "split", "item": ITEM, "at": ...}
    {"newsdedup": "original", "item": ITEM, "at": ...}

where ITEM is {"source": ..., "id": ...}; a missing source is the name of the input, as of items.
"""

from typing import Any

from newsdedup.adapters.formats.dates import moment
from newsdedup.adapters.formats.json_fields import Fields, name_of
from newsdedup.adapters.formats.json_object import kind
from newsdedup.adapters.formats.limits import Limits
from newsdedup.core.model import ItemKey, Micros
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.acts import Act, Merge, Pin, Retract, Split
from newsdedup.ports.errors import InvalidItem

ACT = "newsdedup"
"""The key that makes an object an act; its value says which."""


def act(fields: Fields, *, limits: Limits, source: str) -> Act:
    """Return the act that an object tells."""
    match fields[ACT]:
        case "retract":
            return Retract(_key(fields, "the retraction", limits, source))
        case "merge":
            one, other = _pair(fields.get("items"), limits, source)
            return Merge(one, other, _at(fields, limits))
        case "split":
            return Split(_item(fields, limits, source), _at(fields, limits))
        case "original":
            return Pin(_item(fields, limits, source), _at(fields, limits))
        case unknown:
            told = repr(unknown[:32]) if type(unknown) is str else kind(unknown)
            known = "retract, merge, split and original"
            raise InvalidItem("unknown_act", f"{ACT} is {told}; the acts are {known}")


def _pair(items: Any, limits: Limits, source: str) -> tuple[ItemKey, ItemKey]:
    if type(items) is not list or len(items) != 2:
        raise InvalidItem("bad_field", "items must be a list of the two items to merge")
    one, other = (_named(item, "items", limits, source) for item in items)
    if one == other:
        raise InvalidItem("bad_field", "items names one item twice")
    return one, other


def _item(fields: Fields, limits: Limits, source: str) -> ItemKey:
    return _named(fields.get("item"), "item", limits, source)


def _named(item: Any, name: str, limits: Limits, source: str) -> ItemKey:
    if type(item) is not dict:
        reason = f'{name} must name an item as {{"source": ..., "id": ...}}, not {kind(item)}'
        raise InvalidItem("bad_field", reason)
    return _key(item, name, limits, source)


def _key(fields: Fields, name: str, limits: Limits, source: str) -> ItemKey:
    item_id = name_of(fields, "id", most=limits.id_chars)
    if not item_id:
        raise InvalidItem("bad_field", f"{name}: the id is missing")
    return ItemKey(name_of(fields, "source", most=limits.id_chars) or source, item_id)


def _at(fields: Fields, limits: Limits) -> Micros:
    at = moment(fields, "at", limits)
    if at is None:
        raise InvalidItem("bad_field", "at is missing: when the editor said so")
    return to_micros(at)
