"""Which items a list shows, and the cursors of its pages."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, get_args

from newsdedup.core.model import Relation, Verdict

VolumeStep = Literal["hour", "day", "week"]
VOLUME_STEPS: Final[tuple[VolumeStep, ...]] = get_args(VolumeStep)


class CursorInvalid(ValueError):
    """A cursor that no page of a list gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Lets an item through that fits all fields; an empty one fits every item."""

    source: str = ""
    lang: str = ""
    verdict: Verdict | Literal[""] = ""
    relation: Relation | Literal[""] = ""
    since: datetime | None = None
    until: datetime | None = None
    """The first moment after those that fit."""
    text: str = ""
    """Words that the item must contain, in any form; after a minus sign, those it must not."""


EVERYTHING: Final = ItemFilter()


def encode_cursor(number: int) -> str:
    """Return the cursor of the page that begins after the item of this number."""
    return f"{number:x}"


def decode_cursor(cursor: str) -> int | None:
    """Return the number in a cursor, None for ""; raise CursorInvalid for what no page gave."""
    if not cursor:
        return None
    with suppress(ValueError):
        number = int(cursor, 16)
        if -(2**63) <= number < 2**63 and encode_cursor(number) == cursor:
            return number
    raise CursorInvalid("no page gave this cursor")
