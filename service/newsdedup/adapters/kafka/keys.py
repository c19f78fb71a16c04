"""The keys of records: an item by its source and id, as a JSON array, so that none looks alike."""

from typing import Final

import msgspec
import xxhash

from newsdedup.adapters.formats.json_object import LIMITS, Limits
from newsdedup.adapters.kafka.records import Received
from newsdedup.core.events import Judgement, OriginalMoved, Retraction
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import InvalidItem

LONGEST: Final = 200
"""Bytes of an item's key in letters."""

_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder(tuple[str, str]).decode


def item_key(key: ItemKey) -> bytes:
    """Return the key of all records about an item: ["source","id"]."""
    return _ENCODE((key.source, key.id))


def event_key(payload: Judgement | Retraction | OriginalMoved) -> bytes:
    """Return the key of an event; a story's differs from all items', or it would replace one."""
    if isinstance(payload, OriginalMoved):
        return _ENCODE({"story": payload.story})
    return _ENCODE((payload.item.source, payload.item.id))


def letter_key(key: ItemKey) -> bytes:
    """Return the key of all letters about an item; a long one is hashed, for letters are small."""
    told = item_key(key)
    if len(told) <= LONGEST:
        return told
    return _ENCODE({"item": xxhash.xxh3_128_hexdigest(told)})


def record_key(record: Received) -> bytes:
    """Return the key of a letter about no item: no other record has it."""
    return _ENCODE({"record": f"{record.topic}/{record.partition}@{record.offset}"})


def withdrawn(key: bytes | None, *, limits: Limits = LIMITS) -> ItemKey:
    """Return the item that a record without a value withdraws; raise InvalidItem if none."""
    try:
        source, name = _DECODE(key or b"")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidItem(
            "bad_key", 'a record without a value needs the key ["source","id"] of an item'
        ) from error
    if not name or max(len(source), len(name)) > limits.id_chars:
        raise InvalidItem("bad_key", "the key names no item: the id is empty or too long")
    return ItemKey(source, name)
