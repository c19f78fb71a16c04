"""Reading an archive, also while it is written: lists, stories, items, sources, volumes, search."""

from datetime import datetime
from pathlib import Path
from typing import Self

from newsdedup.archive.filters import EVERYTHING, ItemFilter, VolumeStep
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.views import (
    ArchiveFigures,
    ChangePage,
    CopyMatrix,
    ItemDetail,
    ItemPage,
    SearchPage,
    SourceDetail,
    SourceFigures,
    StoryDetail,
    StoryPage,
    VolumeSeries,
)
from newsdedup.core.model import ItemKey


class ArchiveReader:
    """A read-only connection to an archive; each thread needs a reader of its own.

    Every call sees one committed state and raises StateUnusable where the file is damaged. Calls
    with a cursor raise CursorInvalid for one that no page gave.
    """

    def __init__(self, path: Path, words: SearchWords) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""

    def last_change(self) -> int:
        """Return the number of the last change: equal numbers mean equal pages."""
        raise NotImplementedError

    def stories(
        self, chosen: ItemFilter = EVERYTHING, *, cursor: str = "", limit: int = 50
    ) -> StoryPage:
        """Return stories by their last item that the filter lets through, the latest first."""
        raise NotImplementedError

    def story(self, story_id: str, *, cursor: str = "", limit: int = 200) -> StoryDetail | None:
        """Return a story with `limit` of its items, None if there is no such story."""
        raise NotImplementedError

    def items(
        self, chosen: ItemFilter = EVERYTHING, *, cursor: str = "", limit: int = 50
    ) -> ItemPage:
        """Return the items that the filter lets through, the newest first."""
        raise NotImplementedError

    def search(self, chosen: ItemFilter, *, cursor: str = "", limit: int = 50) -> SearchPage:
        """Return the items that hold the words of `chosen.text`, the newest first.

        None match where all words are stop words.
        """
        raise NotImplementedError

    def item(self, key: ItemKey) -> ItemDetail | None:
        """Return all that is held of an item, None if it never came, was erased or is too old."""
        raise NotImplementedError

    def is_retracted(self, key: ItemKey) -> bool:
        """Return whether the newest word about an item is that its source withdrew it."""
        raise NotImplementedError

    def sources(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[SourceFigures, ...]:
        """Return the sources that published between two moments, by name.

        Spans of sources and copies are whole days of UTC.
        """
        raise NotImplementedError

    def source(
        self, name: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> SourceDetail | None:
        """Return a source with whom it copies and who copies it, None if it published nothing."""
        raise NotImplementedError

    def copies(
        self, *, since: datetime | None = None, until: datetime | None = None, most: int = 30
    ) -> CopyMatrix:
        """Return who copies whom, of the `most` sources with most copies."""
        raise NotImplementedError

    def volumes(self, step: VolumeStep, chosen: ItemFilter = EVERYTHING) -> VolumeSeries:
        """Return how much was published in each hour, day or week, of all or of a query.

        Spans are whole hours of UTC unless the filter names words or a relation.
        """
        raise NotImplementedError

    def changes(self, *, after: int, limit: int = 500) -> ChangePage:
        """Return the items that changed behind a change, each with its newest verdict."""
        raise NotImplementedError

    def stats(self) -> ArchiveFigures:
        """Return what the archive holds."""
        raise NotImplementedError
