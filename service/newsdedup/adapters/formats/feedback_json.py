"""An editor's feedback as one line of JSON: the command and the pair that it labels.

    {"newsdedup": "split", "item": ITEM, "at": ..., "id1": NAME, "id2": NAME, "dup": "0"}

The engine reads the command and passes over the rest (item_json.py); the lab reads `id1`, `id2` and
`dup`, where a NAME is SOURCE/ID.
"""

from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, get_args

import msgspec

from newsdedup.adapters.formats.item_json import COMMAND_FIELD, decode_item
from newsdedup.core.item_names import item_name
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import InvalidItem

FeedbackKind = Literal["not_duplicate", "same_story", "wrong_original"]
FEEDBACK_KINDS: Final[tuple[FeedbackKind, ...]] = get_args(FeedbackKind)
MOST_FEEDBACK_BYTES: Final = 64 * 2**10
"""Of a line, which has the names of two items twice."""


class Feedback(NamedTuple):
    """What an editor says of two items."""

    kind: FeedbackKind
    item: ItemKey
    """The item that is no duplicate, or should be the original."""
    other: ItemKey
    """What it was taken for a duplicate of, tells the same story as, or was the original."""


def encode_feedback(feedback: Feedback, at: datetime) -> bytes:
    """Return the line of a feedback without its end; `at` says when it was given, with a zone.

    Raise InvalidItem if it names one item twice, or one that no record can name, or if the line
    would have more than 64 KiB.
    """
    kind, item, other = feedback
    if item == other:
        raise InvalidItem("bad_field", "feedback is about two items, and this names one twice")
    one, two = ({"source": key.source, "id": key.id} for key in (item, other))
    command: dict[str, Any]
    match kind:
        case "not_duplicate":
            command, dup = {COMMAND_FIELD: "split", "item": one}, "0"
        case "same_story":
            command, dup = {COMMAND_FIELD: "merge", "items": [one, two]}, "1"
        case "wrong_original":
            # Who came first says nothing about whether two items are duplicates.
            command, dup = {COMMAND_FIELD: "original", "item": one}, "?"
    pair = {"id1": item_name(item), "id2": item_name(other), "dup": dup}
    line = msgspec.json.encode({**command, "at": at.isoformat(), **pair})
    if len(line) > MOST_FEEDBACK_BYTES:
        raise InvalidItem("too_long", "the names of the two items are too long together")
    decode_item(line)
    return line
