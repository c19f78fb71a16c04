"""What the archive returns: values that are sent as JSON as they are.

Moments are in UTC. Lists are bounded; `next` is the cursor of the following page, None on the last.
"""

from datetime import datetime
from typing import Literal

from msgspec import Raw, Struct

from newsdedup.archive.query_words import IgnoredPart
from newsdedup.core.events import ItemRef, Judgement, Revision
from newsdedup.core.model import Language, Relation, Verdict


class ItemSummary(Struct, frozen=True, kw_only=True):
    """An item as lists show it, by its newest verdict."""

    source: str
    id: str
    at: datetime
    """The time by which items are ordered: `effective_at` of its verdict."""
    title: str
    """Its title, else the first line of its text; one line."""
    url: str
    lang: Language
    verdict: Verdict
    relation: Relation
    score: float | None
    """How well it matched; None where it matched nothing."""
    decided_by: str
    story: str
    original: ItemRef
    """The original of its story: an original names itself."""
    matched: ItemRef | None
    """The leader that it follows or resembles."""
    delay_seconds: float | None
    """How much later than its original a duplicate is, negative if it is earlier; None for an
    original, and where the archive does not have the original."""
    late: bool
    revision: Revision


class ItemPage(Struct, frozen=True, kw_only=True):
    """Items, the newest first."""

    items: tuple[ItemSummary, ...]
    next: str | None


SearchSort = Literal["new", "relevance"]


class PassagePart(Struct, frozen=True):
    """A piece of a passage, and whether it is a word of the query."""

    text: str
    hit: bool


class SpellingHint(Struct, frozen=True, kw_only=True):
    """A word that no item has, and one of the archive that differs from it by one letter."""

    word: str
    instead: str


class SearchPage(ItemPage, frozen=True, kw_only=True):
    """Items that contain all words of a query, the newest first, or by relevance."""

    words: tuple[str, ...]
    """The words that were searched for, without stop words."""
    matches: int
    """How many items match, at most 10,000; of phrases those with all of their words."""
    ignored: tuple[IgnoredPart, ...] = ()
    """Parts of the query that were not searched for."""
    read: int = 0
    """How many items were read for phrases, or to choose by relevance; else 0."""
    hints: tuple[SpellingHint, ...] = ()
    """On the pages, where nothing matches."""
    passages: tuple[tuple[PassagePart, ...], ...] = ()
    """On the pages, for each item the passage with most words of the query."""
    index_share: float = 1.0
    """Below 1 the index is of an earlier version of newsdedup, and may lack words: the share of the
    items of which the new one is made."""


class Standing(Struct, frozen=True):
    """What a verdict made of an item."""

    verdict: Verdict
    relation: Relation
    story: str
    original: ItemRef
    decided_by: str
    version: str


class Correction(Struct, frozen=True, kw_only=True):
    """A verdict on an item that was published after another one, and what it changed.

    Two revisions of equal standing differ in their evidence alone.
    """

    item: ItemRef
    revision: Revision
    changed: tuple[str, ...]
    """Names of the fields of Standing that differ."""
    before: Standing
    after: Standing


class EarlierText(Struct, frozen=True, kw_only=True):
    """What an item said before its source edited it."""

    title: str
    text: str
    updated_at: datetime | None
    """When its source wrote it; None where it names no time."""


class ItemDetail(Struct, frozen=True, kw_only=True):
    """All that the archive has of an item."""

    summary: ItemSummary
    text: str
    """Its text as received; markup is not taken out."""
    published_at: datetime | None
    updated_at: datetime | None
    links: tuple[str, ...]
    received: Raw
    """The JSON object that was received, untouched."""
    judgement: Judgement
    """Its newest verdict with the evidence."""
    corrections: tuple[Correction, ...]
    """In the order of their revisions; the latest, if there are many."""


class ArchivedStory(Struct, frozen=True, kw_only=True):
    """A story as lists show it."""

    id: str
    original: ItemRef
    title: str
    """The title of its original, or of its earliest item if the archive lacks the original."""
    url: str
    lang: Language
    first_source: str
    """Who published its earliest item."""
    first_at: datetime
    last_at: datetime
    items: int
    duplicates: int
    sources: int
    spark: tuple[int, ...]
    """Its items over 24 equal spans from `first_at` to `last_at`; one number if these are equal."""


class StoryPage(Struct, frozen=True, kw_only=True):
    """Stories with an item that a filter lets through, in the order that was asked for."""

    stories: tuple[ArchivedStory, ...]
    next: str | None


class StoryDetail(Struct, frozen=True, kw_only=True):
    """A story with its items, what it follows and what follows it."""

    summary: ArchivedStory
    items: tuple[ItemSummary, ...]
    """In the order of time."""
    next: str | None
    follows: tuple[ItemSummary, ...]
    """Items of other stories that its originals update, contain or resemble; `matched` of an item
    here names them."""
    updates: tuple[ItemSummary, ...]
    """Originals of other stories that update, contain or resemble an item of this one."""
    corrections: tuple[Correction, ...]
    """Corrections of its items by revision; the latest, if there are many."""


class SourceSpread(Struct, frozen=True, kw_only=True):
    """When a source had the items of a story."""

    source: str
    items: int
    first_at: datetime
    last_at: datetime
    slots: tuple[int, ...]
    """In which of the 200 equal spans of the story it has an item, from 0 on."""


class StorySources(Struct, frozen=True, kw_only=True):
    """How a story came from source to source."""

    sources: tuple[SourceSpread, ...]
    """In the order of their first items; twenty at most."""
    others: int
    """Further sources."""
    items: int
    """The items that were looked at: the first 5,000 of the story."""


class SourceStats(Struct, frozen=True, kw_only=True):
    """What a source published in a span of time, whom it copied and who copied it."""

    source: str
    items: int
    originals: int
    duplicates: int
    originality: float
    """Share of originals among its items."""
    originality_low: float
    originality_high: float
    """The ends of the 95 % interval of that share (Wilson 1927): wide where items are few."""
    own_repeats: int
    """Its duplicates of its own originals."""
    copies_of_others: int
    """Its duplicates of other sources' originals."""
    copied_by_others: int
    """Other sources' duplicates of its originals."""
    copied_sources: int
    """How many other sources it copies."""
    copying_sources: int
    """How many other sources copy it."""
    median_delay_seconds: float | None
    """Of its copies of others after their originals, interpolated in a histogram; None without
    any whose original the archive has."""
    links: int
    """References to other sites that its items list."""


class CopyCell(Struct, frozen=True, kw_only=True):
    """How often one source copies another, and how soon."""

    source: str
    original_source: str
    items: int
    median_delay_seconds: float | None
    mean_delay_seconds: float | None


class CopyMatrix(Struct, frozen=True, kw_only=True):
    """Who copies whom: the sources with most copies, and a cell for each pair with copies."""

    sources: tuple[str, ...]
    """In the order of the copies that they make and that are made of them, the most first."""
    cells: tuple[CopyCell, ...]
    """For pairs of these sources, also of one source with itself, by both names."""
    strongest: tuple[CopyCell, ...]
    """The thirty pairs of two sources, of any sources, with most copies, the most first."""


class DelaySpan(Struct, frozen=True, kw_only=True):
    """How many copies came within a span of time after the original."""

    from_seconds: float | None
    """None: before the original, as where an editor chose the original."""
    to_seconds: float | None
    """None: no bound."""
    items: int


class Republication(Struct, frozen=True, kw_only=True):
    """An original and its copies in a span of time."""

    original: ItemSummary
    copies: int
    """Duplicates of its story, including those of its own source."""
    sources: int
    """Other sources that published it again."""
    reprints: int
    """Copies that are neither rewritten nor part of another item."""
    last_at: datetime


class SourceDetail(Struct, frozen=True, kw_only=True):
    """A source: its numbers, whom it copies, who copies it, how soon, and what of it is copied."""

    stats: SourceStats
    copies: tuple[CopyCell, ...]
    copied_by: tuple[CopyCell, ...]
    delays: tuple[DelaySpan, ...]
    """Delays of its copies of others."""
    republished: tuple[Republication, ...]
    """Its originals with most copies, the most first; ten at most."""


VolumeStep = Literal["hour", "day", "week"]


class VolumePoint(Struct, frozen=True, kw_only=True):
    """How much was published in one hour, day or week."""

    start: datetime
    """A week begins on Monday; hours and days are those of UTC."""
    total: int
    originals: int
    duplicates: int


class VolumeSeries(Struct, frozen=True, kw_only=True):
    """Volumes in the order of time, also of spans without items if among the latest 10,000."""

    step: VolumeStep
    points: tuple[VolumePoint, ...]


class ArchiveChange(Struct, frozen=True, kw_only=True):
    """An item that was added, judged anew, or retracted."""

    change: int
    item: ItemRef
    summary: ItemSummary | None
    """None: it was retracted."""


class ChangePage(Struct, frozen=True, kw_only=True):
    """Changes in the order in which they were written."""

    changes: tuple[ArchiveChange, ...]
    last: int
    """The change after which the next page begins."""


class ArchiveStats(Struct, frozen=True, kw_only=True):
    """What the archive contains."""

    items: int
    originals: int
    duplicates: int
    stories: int
    sources: int
    retracted: int
    languages: dict[str, int]
    relations: dict[str, int]
    first_at: datetime | None
    last_at: datetime | None
    items_last_hour: int
    """Published in the hour, and in the day, before the newest item that is not of the future."""
    items_last_day: int
    duplicates_last_day: int
    change: int
    """Grows with each change: a tag of what any page shows."""
    size_bytes: int
