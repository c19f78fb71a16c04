"""The state of one stream: who publishes, what was published lately, what waits to arrive."""

import heapq
from collections import deque
from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.frames import Book
from newsdedup.synthetic.planted import Planted, Truth
from newsdedup.synthetic.press import Issue, Press, Source, Text
from newsdedup.synthetic.report import Report

HOT = 0.35
"""How often the report that was used last is used again."""


class Kept(NamedTuple):
    """A published report and what is needed to make something of it."""

    report: Report
    planted: Planted
    issue: Issue


class Archive:
    """Reports of one language; a new one takes the place of a random one.

    So their ages fall off exponentially, as those of copied news do, without a second list.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: list[Kept] = []
        self._hot: Kept | None = None

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, kept: Kept, rng: Random) -> None:
        """Keep a report for a while."""
        if len(self._kept) < self._size:
            self._kept.append(kept)
        else:
            self._kept[int(rng.random() * self._size)] = kept

    def recall(self, rng: Random) -> Kept:
        """Return one of the reports kept; now and then the last one again, as all talk of it."""
        if self._hot is None or rng.random() >= HOT:
            self._hot = pick(rng, self._kept)
        return self._hot


ARCHIVE = 800
"""Reports kept of each language: the news of hours."""
SHORTS = 64
"""Headlines kept of each language."""
FIRST_REPORTS = 8
"""Reports there must be before any is copied."""


class HeldBack:
    """Items that wait for their time to arrive, earliest first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[datetime, int, Planted]] = []
        self._held = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def hold(self, planted: Planted, due: datetime) -> None:
        """Keep an item until it is due."""
        self._held += 1
        heapq.heappush(self._waiting, (due, self._held, planted))

    def due(self, moment: datetime) -> bool:
        """Return whether an item should have arrived by the moment."""
        return bool(self._waiting) and self._waiting[0][0] <= moment

    def release(self) -> Planted:
        """Return the item that has waited for the earliest moment."""
        return heapq.heappop(self._waiting)[2]


class Newsroom:
    """What the kinds of items are made with."""

    def __init__(self, books: Mapping[str, Book], rng: Random) -> None:
        self.rng = rng
        self.books = books
        self.press = Press(books, rng)
        self.shorts = {language: deque[Kept](maxlen=SHORTS) for language in books}
        self.held = HeldBack()
        self.issued: dict[str, tuple[str, str]] = {}
        """The last item of each series of messages."""
        self._archives = {language: Archive(ARCHIVE) for language in books}
        self._stories = 0

    def story(self, language: str) -> str:
        """Return the name of a new story."""
        self._stories += 1
        return f"{language}-{self._stories}"

    def plain(self, truth: Truth, source: Source, arrival: datetime, text: Text) -> Planted:
        """Return an item that is no report."""
        return Planted(self.press.item(self.press.issue(source, arrival), text), truth)

    def report(
        self,
        truth: Truth,
        source: Source,
        arrival: datetime,
        report: Report,
        *,
        after: datetime | None = None,
    ) -> Kept:
        """Return a report as published; after: no earlier than what it was made of."""
        issue = self.press.issue(source, arrival, after)
        return Kept(report, Planted(self.press.item(issue, _text(report)), truth), issue)

    def version(self, truth: Truth, kept: Kept, report: Report, arrival: datetime) -> Planted:
        """Return an item again, with another text, updated when it arrives."""
        item = self.press.item(kept.issue, _text(report))
        updated = max(arrival, kept.issue.published + timedelta(minutes=1))
        return Planted({**item, "updated_at": kept.issue.source.local(updated)}, truth)

    def file(self, kept: Kept, language: str) -> Planted:
        """Return the item, its report kept for others to use."""
        self._archives[language].keep(kept, self.rng)
        return kept.planted

    def recalled(self, language: str) -> Kept | None:
        """Return a report published lately, once there are some."""
        archive = self._archives[language]
        return archive.recall(self.rng) if len(archive) >= FIRST_REPORTS else None


def _text(report: Report) -> Text:
    return Text(report.title, report.paragraphs, report.frame.category)
