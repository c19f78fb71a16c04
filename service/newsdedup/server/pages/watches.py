"""The pages of saved searches: the list of them, the hits of one, and the digest of a day."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Final

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import ItemSummary
from newsdedup.core.model import ItemKey
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.pages.page_query import PageQuery
from newsdedup.watches.hits import DeadLetter, StoredHit
from newsdedup.watches.watch_states import WatchState
from newsdedup.watches.watch_store import WatchStore
from newsdedup.watches.watcher import Watcher

_HITS_A_PAGE: Final = 40
_MOST_OF_DIGEST: Final = 200
"""Hits of a day that a digest shows, the newest."""
_DAY: Final = timedelta(days=1)
_LAST_NUMBER: Final = 2**62


class WatchRow(Struct, frozen=True, kw_only=True):
    """A saved search as pages show it: of its webhook nothing but the host."""

    name: str
    q: str
    source: str
    lang: str
    least_sources: int
    copies_of: str
    webhook: str
    """The host of the webhook, empty without one."""
    listed: bool
    hits: int
    new_hits: int
    waiting: int
    dead: int
    failing_since: datetime | None
    problem: str


class ShownHit(Struct, frozen=True, kw_only=True):
    """A hit with its item as it is archived now; None where that is gone."""

    hit: StoredHit
    item: ItemSummary | None


class WatchTest(Struct, frozen=True, kw_only=True):
    """How the last test of a webhook went, since the start of the server."""

    at: datetime
    taken: bool
    problem: str


class WatchesView(Struct, frozen=True, kw_only=True):
    """All saved searches."""

    watches: tuple[WatchRow, ...]


class RefusedWatch(WatchesView, frozen=True, kw_only=True):
    """All saved searches, and what was typed of one that cannot be kept, by the fields."""

    typed: Mapping[str, str]
    problem: str


class WatchView(Struct, frozen=True, kw_only=True):
    """A saved search with its hits, the newest first."""

    watch: WatchRow
    hits: tuple[ShownHit, ...]
    next: str | None
    later_pages: bool
    dead_letters: tuple[DeadLetter, ...]
    test: WatchTest | None


class DigestPart(Struct, frozen=True, kw_only=True):
    """What one saved search found in a day."""

    name: str
    hits: tuple[ShownHit, ...]


class DigestView(Struct, frozen=True, kw_only=True):
    """What all saved searches found in a day of UTC."""

    day: datetime
    parts: tuple[DigestPart, ...]
    total: int
    shortened: bool
    before: datetime
    after: datetime | None
    """None: the day is today."""


class WatchData(Struct, frozen=True, kw_only=True):
    """What a page shows of the file of saved searches, read before the archive is."""

    states: tuple[WatchState, ...] = ()
    hits: tuple[tuple[int, StoredHit], ...] = ()
    dead_letters: tuple[DeadLetter, ...] = ()
    test: WatchTest | None = None
    now: datetime


async def read_watch_data(watcher: Watcher, path: str, values: Mapping[str, str]) -> WatchData:
    """Return what the page at a path shows; raise RequestRefused for values it cannot show."""
    query, now = PageQuery(values), datetime.now(UTC)
    states = await watcher.store.run(partial(WatchStore.states, now=now))
    if path == "/watch":
        name = query.text("name")
        if not any(state.watch.name == name for state in states):
            raise RequestRefused("not-found", "there is no saved search of this name")
        below = query.number("cursor", default=_LAST_NUMBER, most=10**9)
        hits = await watcher.store.run(
            partial(WatchStore.hits, watch=name, below=below, limit=_HITS_A_PAGE + 1)
        )
        dead = await watcher.store.run(partial(WatchStore.dead_letters, watch=name))
        tested = watcher.tests.get(name)
        test = tested and WatchTest(at=tested[0], taken=tested[1].taken, problem=tested[1].problem)
        return WatchData(
            states=states, hits=tuple(hits), dead_letters=tuple(dead), test=test, now=now
        )
    if path == "/digest":
        day = _day(query, now)
        # One more than is shown.
        hits = await watcher.store.run(
            partial(WatchStore.hits, since=day, until=day + _DAY, limit=_MOST_OF_DIGEST + 1)
        )
        return WatchData(states=states, hits=tuple(hits), now=now)
    return WatchData(states=states, now=now)


def watches_view(reader: ArchiveReader, query: PageQuery, *, data: WatchData) -> WatchesView:
    """Return all saved searches by name."""
    del reader, query
    return WatchesView(watches=watch_rows(data.states))


def watch_view(reader: ArchiveReader, query: PageQuery, *, data: WatchData) -> WatchView:
    """Return a saved search with a page of its hits."""
    name = query.text("name")
    shown = data.hits[:_HITS_A_PAGE]
    (row,) = (one for one in watch_rows(data.states) if one.name == name)
    return WatchView(
        watch=row,
        hits=shown_hits(reader, [hit for _, hit in shown]),
        next=str(shown[-1][0]) if len(data.hits) > _HITS_A_PAGE else None,
        later_pages=bool(query.text("cursor")),
        dead_letters=data.dead_letters,
        test=data.test,
    )


def digest_view(reader: ArchiveReader, query: PageQuery, *, data: WatchData) -> DigestView:
    """Return what was found on a day, by search."""
    day = _day(query, data.now)
    found = [hit for _, hit in data.hits[:_MOST_OF_DIGEST]]
    return DigestView(
        day=day,
        parts=digest_parts(reader, found),
        total=len(found),
        shortened=len(data.hits) > _MOST_OF_DIGEST,
        before=day - _DAY,
        after=day + _DAY if day + _DAY <= data.now else None,
    )


def digest_parts(reader: ArchiveReader, hits: Sequence[StoredHit]) -> tuple[DigestPart, ...]:
    """Return hits by the names of their searches."""
    by_name: dict[str, list[StoredHit]] = {}
    for hit in hits:
        by_name.setdefault(hit.watch, []).append(hit)
    return tuple(
        DigestPart(name=name, hits=shown_hits(reader, by_name[name])) for name in sorted(by_name)
    )


def shown_hits(reader: ArchiveReader, hits: Sequence[StoredHit]) -> tuple[ShownHit, ...]:
    """Return hits with their items as they are archived now, all read by one query."""
    items = reader.summaries([ItemKey(hit.item.source, hit.item.id) for hit in hits])
    return tuple(ShownHit(hit=hit, item=item) for hit, item in zip(hits, items, strict=True))


def watch_rows(states: tuple[WatchState, ...]) -> tuple[WatchRow, ...]:
    """Return the rows of a table of saved searches, in their order."""
    return tuple(
        WatchRow(
            name=state.watch.name,
            q=state.watch.q,
            source=state.watch.source,
            lang=state.watch.lang,
            least_sources=state.watch.least_sources,
            copies_of=state.watch.copies_of,
            webhook=state.watch.webhook_host,
            listed=state.listed,
            hits=state.hits,
            new_hits=state.new_hits,
            waiting=state.waiting,
            dead=state.dead,
            failing_since=state.failing_since,
            problem=state.problem,
        )
        for state in states
    )


def _day(query: PageQuery, now: datetime) -> datetime:
    """Return the day that a digest is of, by default today; or raise RequestRefused."""
    text = query.text("day", most=10)
    try:
        day = date.fromisoformat(text) if text else now.date()
        start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    except ValueError:
        raise RequestRefused("bad-query", "day is no day, such as 2026-11-02") from None
    if not 1970 < start.year < 9999:
        raise RequestRefused("bad-query", "day is out of range")
    return start
