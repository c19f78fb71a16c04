"""What the archive returns of one day, for a front page."""

from datetime import datetime

from msgspec import Struct

from newsdedup.archive.views import ArchivedStory, ItemSummary
from newsdedup.core.model import Relation


class DayTotals(Struct, frozen=True, kw_only=True):
    """How much was published in a span of whole hours, and in the seven days before it."""

    items: int
    duplicates: int
    items_before: int
    duplicates_before: int
    hours_before: int
    """How many hours of those seven days the archive has: 168, or fewer where it begins later."""
    most_copied: str
    """The source whose originals others copied most in the span; empty without copies."""
    copies: int
    """Copies of that source's originals by others."""


class UncopiedStories(Struct, frozen=True, kw_only=True):
    """Stories of one source only: how many there are, and the latest of them."""

    count: int
    latest: tuple[ArchivedStory, ...]


class SourceCopy(Struct, frozen=True, kw_only=True):
    """The first item of one source in a story."""

    source: str
    id: str
    at: datetime
    relation: Relation
    """`none`: an editor joined it."""
    delay_seconds: float | None
    """How much later than the original it is; None where the archive does not have the original."""


class StorySpread(Struct, frozen=True, kw_only=True):
    """Who took a story over, when, and which other stories are about the same event."""

    original_at: datetime | None
    """None: the archive does not have the original."""
    copies: tuple[SourceCopy, ...]
    """The earliest of each source but the original's, in the order of time."""
    items_before: int
    """Its items before the day."""
    growth: tuple[int, ...]
    """Its items in each of 48 equal spans of the day."""
    before: tuple[ItemSummary, ...]
    """Items of earlier stories that it follows, one for each story."""
    after: tuple[ItemSummary, ...]
    """Originals of later stories that follow it."""
