"""What events of two releases say together."""

from collections.abc import Iterable, Mapping
from typing import Any

from newsdedup import ItemKey


def is_each_event_the_same(events: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether events with the same id are equal."""
    bodies: dict[str, object] = {}
    return all(bodies.setdefault(one["dedup"]["event_id"], one) == one for one in events)


def originals(events: Iterable[Mapping[str, Any]]) -> dict[ItemKey, ItemKey]:
    """Return the original of the story of each item by its first verdict."""
    first: dict[ItemKey, ItemKey] = {}
    for one in events:
        dedup = one["dedup"]
        if dedup["event"] == "item.judged":
            original = dedup["story"]["original"]
            key = ItemKey(dedup["item"]["source"], dedup["item"]["id"])
            first.setdefault(key, ItemKey(original["source"], original["id"]))
    return first
