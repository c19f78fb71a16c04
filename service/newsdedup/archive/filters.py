"""Which items a list shows, and the cursors of its pages."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, get_args

from newsdedup.core.model import Relation, Verdict

VolumeStep = Literal["hour", "day", "week"]
VOLUME_STEPS: Final[tuple[VolumeStep, ...]] = get_args(VolumeStep)


class CursorInvalid(ValueError):
    """A cursor that no page gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Lets an item through that fits all fields; an empty one fits every item."""

    source: str = ""
    lang: str = ""
    verdict: Verdict | Literal[""] = ""
    relation: Relation | Literal[""] = ""
    since: datetime | None = None
    until: datetime | None = None
    """Excluded."""
    text: str = ""
    """Words that the item must hold, in any form; those behind a minus sign it must not hold."""


EVERYTHING: Final = ItemFilter()


def encode_cursor(number: int) -> str:
    """Return the cursor of the page behind an item of this number."""
    return f"{number:x}"


def decode_cursor(cursor: str) -> int | None:
    """Return the number in a cursor, None for the first page; raise CursorInvalid if it is none."""
    if not cursor:
        return None
    try:
        number = int(cursor, 16)
    except ValueError:
        raise CursorInvalid("no page gave this cursor") from None
    if not -(2**63) <= number < 2**63 or encode_cursor(number) != cursor:
        raise CursorInvalid("no page gave this cursor")
    return number
