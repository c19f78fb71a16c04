"""What the stream yields: an item, and the truth about it."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "original",
    "short",
    "digest",
    "template",
    "score",
    "background",
    "late_original",
    "reprint",
    "retitled",
    "cut",
    "rewrite",
    "update",
    "edit",
    "moved_edit",
    "redelivery",
]

COPIES: frozenset[Kind] = frozenset({"reprint", "retitled", "cut", "rewrite", "edit", "redelivery"})
"""Kinds that tell the story they were derived from again."""

NEAR_MISSES: frozenset[Kind] = frozenset(
    {"update", "moved_edit", "background", "digest", "template", "score"}
)
"""Kinds that look like the item they point to and tell another story."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What an item is: known to whoever planted it, never to the product."""

    kind: Kind
    story: str
    """The planted story: items of one story are true duplicates of each other."""
    of: tuple[str, str] | None = None
    """Source and id of the item it was derived from; that item may arrive later."""


@dataclass(frozen=True, slots=True)
class Planted:
    """One item as a feed would deliver it, with its truth."""

    item: dict[str, object]
    truth: Truth
