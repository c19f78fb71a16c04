"""What files of events say of an item that a state no longer keeps."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from newsdedup.core.events import ItemRef, StoryRef
from newsdedup.core.item_names import possible_keys


class LastVerdict(msgspec.Struct):
    """What a line of events says of an item."""

    event: str
    item: ItemRef
    verdict: str = ""
    story: StoryRef | None = None


class _Line(msgspec.Struct):
    dedup: LastVerdict


def find_published(name: str, outputs: Iterable[Path]) -> tuple[Path, LastVerdict] | None:
    """Return the last verdict on an item of this name in files of events, and its file.

    None if there is none, or if its source withdrew the item. Lines and files that cannot be read
    are passed over.
    """
    try:
        keys = {(key.source, key.id) for key in possible_keys(name)}
        ids = {msgspec.json.encode(one) for one in (name, *(each for _, each in keys))}
    except UnicodeEncodeError:
        return None  # ids are Unicode
    found = None
    for path in filter(Path.is_file, outputs):
        with suppress(OSError), path.open("rb") as lines:
            for line in lines:
                if not any(one in line for one in ids):
                    continue
                with suppress(msgspec.DecodeError):
                    said = msgspec.json.decode(line, type=_Line).dedup
                    if said.item.id == name or (said.item.source, said.item.id) in keys:
                        found = None if said.event == "item.retracted" else (path, said)
    return found
