"""The page of the feeds that a feeder visits: the condition of each, and its items."""

import re
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import SourceStats
from newsdedup.feeder.scheduling.hub_lease import LeaseCondition
from newsdedup.feeder.scheduling.stored_feed import NEVER
from newsdedup.feeder.watching.feed_health import (
    CONDITIONS,
    FeedCondition,
    FeedHealth,
    feed_health,
    longest_wait,
)
from newsdedup.server.pages.page_query import PageQuery
from newsdedup.server.services import FeedsOfFile

_FEEDS_A_PAGE: Final = 100
_QUERY: Final = re.compile(r"\?\S+")


class FeedLine(Struct, frozen=True, kw_only=True):
    """One feed as a page shows it, without the query of its address, which may contain a key."""

    title: str
    address: str
    source: str
    category: str
    condition: FeedCondition
    problem: str
    failures: int
    interval_seconds: float | None
    """None before the first success."""
    last_success: datetime | None
    last_news: datetime | None
    next_visit: datetime | None
    """None for a feed that is not visited, or is due at once."""
    entries: int
    hub: LeaseCondition | None
    """The condition of its subscription at a hub; None without one."""
    stats: SourceStats | None
    """The numbers of its source; None if the archive has no items of it."""


class FeedsView(Struct, frozen=True, kw_only=True):
    """The feeds of a feeder, those with problems first; none without a feeder."""

    at: datetime | None
    """When the file of the feeder was read; None without one."""
    conditions: dict[str, int]
    """How many feeds there are in each condition, the worst first."""
    condition: FeedCondition | None
    """Feeds in this condition are shown; None: all feeds."""
    waiting_seconds: float
    """For how long the most overdue feed has been due."""
    feeds: tuple[FeedLine, ...]
    pages: int
    page: int


def feeds_view(
    reader: ArchiveReader, query: PageQuery, listed: FeedsOfFile | None = None
) -> FeedsView:
    """Return the feeds, those with problems first, with the numbers of their sources.

    `listed` is None where no feeder is known.
    """
    condition = query.choice("condition", CONDITIONS)
    if listed is None:
        health, stats, waiting = [], {}, 0.0
    else:
        at, feeds, leases = listed
        health = feed_health(feeds, {}, leases=leases, at=at)
        stats = {one.source: one for one in reader.sources()}
        waiting = longest_wait(feeds, at=at, started_at=at).total_seconds()
    counts = Counter(one.condition for one in health)
    chosen = [one for one in health if condition in (None, one.condition)]
    rows = query.rows(_FEEDS_A_PAGE)
    pages = max(1, -(-len(chosen) // rows))
    page = 1 if listed is None else query.number("page", default=1, most=pages)
    begin = (page - 1) * rows
    return FeedsView(
        at=None if listed is None else listed.at,
        conditions={name: counts[name] for name in CONDITIONS if counts[name]},
        condition=condition,
        waiting_seconds=waiting,
        feeds=tuple([_line(one, stats) for one in chosen[begin : begin + rows]]),
        pages=pages,
        page=page,
    )


def _line(one: FeedHealth, stats: Mapping[str, SourceStats]) -> FeedLine:
    """Return a feed as the page shows it; `stats` has the sources of the archive by name."""
    feed = one.feed
    source = feed.source or feed.publisher
    return FeedLine(
        title=feed.title,
        address=without_query(feed.subscribed),
        source=source,
        category=feed.category,
        condition=one.condition,
        problem=_QUERY.sub("?…", feed.problem),
        failures=feed.failures,
        interval_seconds=feed.interval.total_seconds() or None,
        last_success=_moment(feed.succeeded_at),
        last_news=_moment(feed.news_at),
        next_visit=_moment(feed.next_at) if feed.status == "active" else None,
        entries=feed.entries,
        hub=one.lease_state,
        stats=stats.get(source),
    )


def without_query(address: str) -> str:
    """Return an address without its query, user and password; an ellipsis stands for a query."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    location = parts.netloc.rpartition("@")[2] + parts.path
    return f"{parts.scheme}://{location}{'?…' if parts.query else ''}"


def _moment(at: datetime) -> datetime | None:
    """Return a moment, None for NEVER."""
    return None if at == NEVER else at
