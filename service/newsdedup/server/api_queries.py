"""The parameters of the API; a value that its type refuses is answered by a problem."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from newsdedup.archive.search import ItemFilter
from newsdedup.archive.story_ranks import StorySort
from newsdedup.archive.views import VolumeStep
from newsdedup.core.model import Language, Relation, Verdict

Name = Annotated[str, Meta(max_length=2_000)]
Words = Annotated[str, Meta(max_length=500)]
Cursor = Annotated[
    str, Meta(pattern="^(|0|-?[1-9a-f][0-9a-f]{0,14})$", description="`next` of the page before.")
]
StoryCursor = Annotated[
    str,
    Meta(
        pattern=r"^(|(0|-?[1-9a-f][0-9a-f]{0,14})(\.[1-9a-f][0-9a-f]{0,14})?)$",
        description="`next` of the page before, of the same order.",
    ),
]
Limit = Annotated[int, Meta(ge=1, le=200)]
Moment = Annotated[datetime, Meta(tz=True)]


class Filtered(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parameters of a filter: which items."""

    source: Name = ""
    lang: Language | None = None
    verdict: Verdict | None = None
    relation: Relation | None = None
    since: Moment | None = None
    until: Moment | None = None
    """The first moment after those that fit."""
    q: Words = ""
    """Words that the item must contain, in any form; after a minus sign, those it must not."""
    category: Name = ""
    copies_of: Name = ""
    """A source: only duplicates of its originals."""

    def filter(self) -> ItemFilter:
        """Return the filter that these parameters name."""
        return ItemFilter(
            source=self.source,
            lang=self.lang or "",
            verdict=self.verdict or "",
            relation=self.relation or "",
            since=self.since,
            until=self.until,
            text=self.q,
            category=self.category,
            copies_of=self.copies_of,
        )


class ListQuery(Filtered, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of the items or stories that a filter lets through."""

    cursor: Cursor = ""
    limit: Limit = 50


class StoriesQuery(Filtered, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of the stories with an item that a filter lets through."""

    sort: Annotated[
        StorySort,
        Meta(description="By the last item; by sources, then items; by sources in an hour."),
    ] = "new"
    least_sources: Annotated[int, Meta(ge=1, le=10_000)] = 1
    cursor: StoryCursor = ""
    limit: Limit = 50


class SearchQuery(ListQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of the items that contain the words of `q`."""

    q: Annotated[str, Meta(min_length=1, max_length=500)]


class StoryQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of the items of one story."""

    story: Name
    cursor: Cursor = ""
    limit: Limit = 200


class ItemQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The key of one item."""

    source: Name
    id: Name


class SpanQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A span of time, of whole days of UTC."""

    since: Moment | None = None
    until: Moment | None = None


class SourceQuery(SpanQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One source in a span of time."""

    name: Name


class CopiesQuery(SpanQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A span of time, and how many sources to compare."""

    most: Annotated[int, Meta(ge=1, le=100)] = 30


class VolumeQuery(Filtered, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Volumes of the items that a filter lets through."""

    step: VolumeStep = "hour"


class NoQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No parameters."""


class ChangesQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """After which change to begin; without it, after the newest."""

    after: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class FeedQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which originals a feed shows."""

    source: Name = ""
    lang: Language | None = None
    q: Words = ""
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class StoryFeedQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which story's items a feed shows."""

    story: Name


class WatchFeedQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which saved search's hits a feed shows."""

    name: Name


class CheckQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What items are checked against."""

    against: Literal["state", "batch"] = "state"
    """`state`: what newsdedup has judged lately; `batch`: the items before them in the request."""
