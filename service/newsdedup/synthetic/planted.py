"""What the stream yields: an item, and the truth about it."""

from dataclasses import dataclass, fields
from typing import Literal

PlantedKind = Literal[
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

COPY_KINDS: frozenset[PlantedKind] = frozenset(
    {"reprint", "retitled", "cut", "rewrite", "edit", "redelivery"}
)
"""Kinds that tell the story they were derived from again."""

NEAR_MISSES: frozenset[PlantedKind] = frozenset(
    {"update", "moved_edit", "background", "digest", "template", "score"}
)
"""Kinds that look like the item they point to and tell another story."""


@dataclass(frozen=True, slots=True)
class PlantedTruth:
    """What an item is: known to anyone who planted it, never to the product."""

    kind: PlantedKind
    story: str
    """The planted story: items of one story are true duplicates of each other."""
    of: tuple[str, str] | None = None
    """Source and id of the item it was derived from; that item may arrive later."""


@dataclass(frozen=True, slots=True)
class PlantedItem:
    """One item as a feed would deliver it, with its truth."""

    item: dict[str, object]
    truth: PlantedTruth


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of the stream by kind; the rest of the stream are originals.

    About 8 % of the items repeat an earlier story: the 6 % with an earlier
    near-duplicate that tests/synthetic measured on real streams, and rewrites on top.
    """

    reprint: float = 0.024
    retitled: float = 0.010
    cut: float = 0.010
    rewrite: float = 0.016
    copied_short: float = 0.006
    late_original: float = 0.006
    edit: float = 0.003
    redelivery: float = 0.004
    update: float = 0.022
    moved_edit: float = 0.002
    background: float = 0.030
    short: float = 0.070
    digest: float = 0.008
    template: float = 0.030
    score: float = 0.004

    def cumulative(self) -> tuple[tuple[float, str], ...]:
        """Return, in the order of the fields, the sum of shares up to each kind, and the kind."""
        total, sums = 0.0, []
        for field in fields(self):
            total += getattr(self, field.name)
            sums.append((total, field.name))
        return tuple(sums)


DEFAULT_RATES = Rates()
DEMO_RATES = Rates(
    reprint=0.06,
    retitled=0.03,
    cut=0.04,
    rewrite=0.06,
    copied_short=0.015,
    late_original=0.03,
    edit=0.025,
    redelivery=0.025,
    update=0.05,
    moved_edit=0.03,
    background=0.05,
    short=0.04,
    digest=0.025,
    template=0.04,
    score=0.015,
)
"""Shares for a small stream to look at: each kind is there several times."""
