"""The state of one stream: its publishers, recent reports, and items that arrive later."""

import heapq
from collections import deque
from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.frames import Book
from newsdedup.synthetic.planted import PlantedItem, PlantedTruth
from newsdedup.synthetic.press import Issue, Press, PressText, Source
from newsdedup.synthetic.report import NewsReport

_HOT_SHARE = 0.35
"""How often the report that was used last is used again."""


class Published(NamedTuple):
    """A published report with its item and its place: what a copy is made from."""

    report: NewsReport
    planted: PlantedItem
    issue: Issue


class Archive:
    """Reports of one language; a new one takes the place of a random one.

    So their ages fall off exponentially, as those of copied news do, without a second list.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._reports: list[Published] = []
        self._hot: Published | None = None

    def __len__(self) -> int:
        return len(self._reports)

    def add(self, published: Published, rng: Random) -> None:
        """Store a report; in a full archive it replaces a random one."""
        if len(self._reports) < self._size:
            self._reports.append(published)
        else:
            self._reports[int(rng.random() * self._size)] = published

    def recall(self, rng: Random) -> Published:
        """Return a random report, or with the chance _HOT_SHARE the one that was returned last."""
        if self._hot is None or rng.random() >= _HOT_SHARE:
            self._hot = pick(rng, self._reports)
        return self._hot


_ARCHIVE_SIZE = 800
"""Reports kept of each language: the news of hours."""
_SHORTS = 64
"""Headlines kept of each language."""
_FIRST_REPORTS = 8
"""Reports there must be before any is copied."""


class HeldBack:
    """Items that arrive later than they were made; the first that is due comes first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[datetime, int, PlantedItem]] = []
        self._held = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def hold(self, planted: PlantedItem, due: datetime) -> None:
        """Hold an item back until the moment `due`."""
        self._held += 1
        heapq.heappush(self._waiting, (due, self._held, planted))

    def due(self, moment: datetime) -> bool:
        """Return whether an item is due at the moment."""
        return bool(self._waiting) and self._waiting[0][0] <= moment

    def release(self) -> PlantedItem:
        """Remove and return the item that is due first."""
        return heapq.heappop(self._waiting)[2]


class Newsroom:
    """Everything that a function which plants items may use."""

    def __init__(self, books: Mapping[str, Book], rng: Random) -> None:
        self.rng = rng
        self.books = books
        self.press = Press(books, rng)
        self.shorts = {language: deque[Published](maxlen=_SHORTS) for language in books}
        self.held = HeldBack()
        self.last_of_series: dict[str, tuple[str, str]] = {}
        """The last item of each series of messages."""
        self._archives = {language: Archive(_ARCHIVE_SIZE) for language in books}
        self._stories = 0

    def new_story(self, language: str) -> str:
        """Return the name of a new story, as uk-17."""
        self._stories += 1
        return f"{language}-{self._stories}"

    def publish_text(
        self, truth: PlantedTruth, source: Source, arrival: datetime, text: PressText
    ) -> PlantedItem:
        """Return an item of a text that is no report, under the next id of its source."""
        return PlantedItem(
            self.press.make_item(self.press.next_issue(source, arrival), text), truth
        )

    def publish(
        self,
        truth: PlantedTruth,
        source: Source,
        arrival: datetime,
        report: NewsReport,
        *,
        after: datetime | None = None,
    ) -> Published:
        """Publish a report under the next id of the source, shortly before it arrives.

        Its time of publication is later than `after`, the one of the report that it was made from.
        """
        issue = self.press.next_issue(source, arrival, after)
        return Published(
            report, PlantedItem(self.press.make_item(issue, _text(report)), truth), issue
        )

    def publish_version(
        self, truth: PlantedTruth, published: Published, report: NewsReport, arrival: datetime
    ) -> PlantedItem:
        """Return a published item again under its id, with the text of `report`.

        It is updated when it arrives, or a minute after its publication if that is later.
        """
        item = self.press.make_item(published.issue, _text(report))
        updated = max(arrival, published.issue.published + timedelta(minutes=1))
        return PlantedItem({**item, "updated_at": published.issue.source.local(updated)}, truth)

    def archive(self, published: Published, language: str) -> PlantedItem:
        """Add a published report to those that `recall` may return, and return its item."""
        self._archives[language].add(published, self.rng)
        return published.planted

    def recall(self, language: str) -> Published | None:
        """Return a random recent report of the language, None while there are fewer than eight."""
        archive = self._archives[language]
        return archive.recall(self.rng) if len(archive) >= _FIRST_REPORTS else None


def _text(report: NewsReport) -> PressText:
    return PressText(report.title, report.paragraphs, report.frame.category)
