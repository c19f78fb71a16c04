"""One visit of a feed: fetched, parsed, completed by pages, delivered, stored."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal
from urllib.parse import urlsplit

from newsdedup.feeder.fetching.address_guard import host_name, read_credentials
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.fetcher import Fetched, Fetcher, FetchRequest
from newsdedup.feeder.fetching.page_fetcher import PageFetcher
from newsdedup.feeder.parsing.feed_items import feed_source
from newsdedup.feeder.parsing.parsed_feed import HubOffer, ParsedFeed, hub_offer
from newsdedup.feeder.polling.host_pace import BUSY_PAUSE, Clock, HostPace
from newsdedup.feeder.polling.item_identity import (
    ListedEntry,
    crowded_pages,
    identify_entries,
    item_pages,
    sendable,
    uncommon_items,
)
from newsdedup.feeder.scheduling.stored_feed import (
    IntervalBounds,
    StoredFeed,
    after_failure,
    after_success,
    one_line,
)
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.ports.errors import NewsdedupError
from newsdedup.ports.isolation import internal_error

MOST_PAGES: Final = 50
"""Of one visit; a sitemap may list all pages of a site. The newest come first."""
_MOST_SILENT: Final = 3
"""Pages in a row that do not come: then no more are tried in this visit."""
_SILENCE: Final = frozenset({"timeout", "connection", "name", "tls"})
"""Kinds of errors of a site that does not answer."""

ReadPage = Callable[[ListedEntry, Fetched], ListedEntry]
"""Returns an entry with the article of its page and the address that the page states; raises a
NewsdedupError if the response holds no article."""
VisitOutcome = Literal["content", "unchanged", "failed", "gone", "merged", "paused"]

_SPREAD: Final = timedelta(minutes=10)
"""Over which the feeds of a paused host come back."""


@dataclass(slots=True)
class PagesVisit:
    """How the pages of a visit went."""

    entries: list[ListedEntry]
    """In their order, completed where a page gave an article; without the postponed ones."""
    postponed: int = 0
    """Entries that wait for the next visit."""
    tried: int = 0
    problems: list[str] = field(default_factory=list)
    """One for each page that failed; its entry stays as the feed shows it."""

    @property
    def problem(self) -> str:
        """Return what went wrong in a sentence; "" if nothing did."""
        if not self.problems:
            return ""
        count = f"{len(self.problems)} of {self.tried} {'page' if self.tried == 1 else 'pages'}"
        return f"{count} gave no text; the first one: {self.problems[0]}"


@dataclass(slots=True)
class PageTexts:
    """Completes entries by their pages, for feeds whose user asked for full texts.

    One page comes after the other.
    """

    fetcher: PageFetcher
    read: ReadPage
    pace: HostPace
    _stopped: bool = False

    def stop(self) -> None:
        """Fetch no more pages: entries whose page was not fetched wait for the next visit."""
        self._stopped = True

    async def complete(self, entries: Sequence[ListedEntry]) -> PagesVisit:
        """Return entries with what their pages say; raise nothing that a page is to blame for.

        If the site ceases to answer or asks for a pause, the entries that are left wait for the
        next visit; but if no page came at all, they stay as the feed shows them.
        """
        waiting = [at for at, entry in enumerate(entries) if entry.address]
        visit = PagesVisit([])
        completed: dict[int, ListedEntry] = {}
        silent = 0
        while waiting and visit.tried < MOST_PAGES and silent < _MOST_SILENT and not self._stopped:
            # The newest first.
            at = waiting.pop()
            visit.tried += 1
            try:
                fetched = await self._fetched(entries[at].address)
                silent = 0
                completed[at] = await asyncio.to_thread(self.read, entries[at], fetched)
            except FetchError as error:
                visit.problems.append(str(error))
                silent += error.kind in _SILENCE
                if error.kind == "busy":
                    break
            except Exception as error:  # noqa: BLE001 - a bug costs the page, not the feeder
                visit.problems.append(parsing_problem(error))
        waits = completed or self._stopped or visit.tried == MOST_PAGES
        postponed = set(waiting) if waits else set()
        visit.postponed = len(postponed)
        visit.entries = [
            completed.get(at, entry) for at, entry in enumerate(entries) if at not in postponed
        ]
        return visit

    async def _fetched(self, address: str) -> Fetched:
        """Return the response with a page; raise FetchError for any other answer or a home page."""
        host = host_name(address)
        if self.pace.paused_until(host) is not None:
            raise FetchError("busy", f"{host} asked for a pause")
        fetched = await self.fetcher.fetch(address)
        answer = fetched.answer
        if answer.busy:
            self.pace.pause(host_name(fetched.address), answer.wait or BUSY_PAUSE)
            raise FetchError("busy", answer.problem)
        if answer.meaning != "content":
            raise FetchError("status", answer.problem)
        if urlsplit(fetched.address).path in ("", "/") and urlsplit(address).path not in ("", "/"):
            raise FetchError("redirect", "the page leads to the home page of its site")
        return fetched


def parsing_problem(error: Exception) -> str:
    """Return why a body was not read: what is wrong with it, or which bug of ours it raised."""
    is_known = isinstance(error, NewsdedupError)
    return str(error) if is_known else internal_error(error, "parse").reason


@dataclass(frozen=True, slots=True)
class FeedContents:
    """A feed that was parsed, and its entries, an older version before a newer one."""

    feed: ParsedFeed
    entries: Sequence[ListedEntry]


ParseFeed = Callable[[StoredFeed, Fetched, datetime], FeedContents]
"""Parses a response that came at a time; raises a NewsdedupError if it holds no feed."""
DeliverEntries = Callable[[StoredFeed, Sequence[ListedEntry]], Awaitable[None]]
"""Returns when all entries are acknowledged, which may be sent again after a crash; raises
SinkUnusable or Unavailable if they cannot be: polling ends, and they are new again."""


@dataclass(frozen=True, slots=True)
class Visit:
    """How a visit went."""

    feed: StoredFeed
    """As it is stored now."""
    outcome: VisitOutcome
    new_entries: int = 0
    offer: HubOffer | None = None
    """The hubs that a feed with content names."""


@dataclass(frozen=True, slots=True)
class FeedVisitor:
    """Visits feeds; `draw` returns random numbers from 0 up to 1.

    Without `texts` the feeds whose user asks for full texts have those that they show.
    """

    state: FeedState
    fetcher: Fetcher
    pace: HostPace
    parse: ParseFeed
    deliver: DeliverEntries
    bounds: IntervalBounds
    clock: Clock
    draw: Callable[[], float]
    texts: PageTexts | None = None

    async def visit(self, feed: StoredFeed) -> Visit:
        """Return how the visit of a feed went, which is stored then.

        Raise the errors of the output and of the state; those of the feed are stored with it.
        """
        until = self.pace.paused_until(host_name(feed.address))
        if until is not None:
            tried_at = min(feed.tried_at, self.clock.now())
            paused = replace(feed, next_at=until + _SPREAD * self.draw(), tried_at=tried_at)
            return self._stored(Visit(paused, "paused"))
        try:
            request = FetchRequest(
                address=feed.address,
                subscribed=feed.subscribed,
                etag=feed.etag,
                last_modified=feed.last_modified,
                credentials=read_credentials(feed.secret) if feed.secret else None,
            )
            fetched = await self.fetcher.fetch(request)
        except FetchError as error:
            return self._failed(feed, str(error))
        match fetched.answer.meaning:
            case "content":
                return await self._take(feed, fetched)
            case "unchanged":
                return self._unchanged(feed, fetched)
            case "gone":
                gone = _ended(feed, fetched.answer.problem, at=self.clock.now())
                return self._stored(Visit(replace(gone, failures=feed.failures + 1), "gone"))
            case _:
                answer = fetched.answer
                if answer.busy:
                    self.pace.pause(host_name(fetched.address), answer.wait or BUSY_PAUSE)
                return self._failed(feed, answer.problem, retry_after=answer.wait)

    async def _take(self, feed: StoredFeed, fetched: Fetched) -> Visit:
        """Deliver what is new in a body, store the visit when that is acknowledged, return it."""
        try:
            # In a thread: a large feed takes a second, in which no other answer would be read.
            contents = await asyncio.to_thread(self.parse, feed, fetched, self.clock.now())
        except Exception as error:  # noqa: BLE001 - a bug costs the visit, not the feeder
            # Without its validators: a later version of the parser shall get the body again.
            again = replace(feed, etag="", last_modified="")
            return self._failed(again, parsing_problem(error))
        parsed, entries = contents.feed, dict[str, ListedEntry]()
        for entry in contents.entries:
            # Of several with one id the last counts: each would change the other at every visit.
            entries.pop(entry.id, None)
            entries[entry.id] = entry
        versions = {name: entry.content for name, entry in entries.items()}
        unseen = self.state.unseen(feed.number, versions)
        new = [entry for name, entry in entries.items() if name in unseen]
        if merged := self._merged(feed, fetched):
            return merged
        pages = PagesVisit(new)
        if new and feed.full_text and self.texts is not None:
            pages = await self.texts.complete(new)
        items, sent = self._identify(feed, entries, pages.entries)
        if sent:
            await self.deliver(feed, sent)
        at = self.clock.now()
        record = after_success(
            _described(feed, fetched, parsed, pages),
            self.bounds,
            new_entries=len(sent),
            asked=(fetched.answer.wait, parsed.schedule.interval),
            at=at,
            draw=self.draw(),
            skip_hours=parsed.schedule.skip_hours,
            skip_days=parsed.schedule.skip_days,
        )
        if parsed.expired:
            record = _ended(record, "The feed says that nothing will come any more", at=at)
        self.state.commit(
            record,
            delivered={entry.id: versions[entry.id] for entry in pages.entries},
            listed=versions.keys(),
            at=at,
            items=uncommon_items(items, entries, feed.source or feed_source(parsed)),
            pages={page for entry in entries.values() for page in item_pages(entry)},
        )
        offer = hub_offer(fetched.links, parsed.hubs, parsed.self_link, address=fetched.address)
        return Visit(record, "content", len(sent), offer)

    def _identify(
        self, feed: StoredFeed, listed: Mapping[str, ListedEntry], new: Sequence[ListedEntry]
    ) -> tuple[dict[str, str], list[ListedEntry]]:
        """Return the keys of the items of new entries by entry id, and the entries to deliver.

        `listed` are all entries that the feed shows, by id.

        The pages of new entries are stored before anything is sent: neither a crash nor the visit
        of another feed of the site at the same time gives a page two items.
        """
        if not new:
            return {}, []
        delivered = self.state.items_of(feed.number, listed)
        placed = [(entry, [*item_pages(listed[entry.id]), *item_pages(entry)]) for entry in new]
        crowded = crowded_pages(listed.values())
        items, pages = identify_entries(
            placed,
            delivered=delivered,
            known=self.state.pages.known({*crowded, *(page for _, own in placed for page in own)}),
            crowded=crowded,
        )
        if pages:
            self.state.pages.store(pages, at=self.clock.now())
        before = {name: item or listed[name].item for name, item in delivered.items()}
        versions = [one.edited(feed.succeeded_at) if one.id in delivered else one for one in new]
        return items, sendable(versions, listed.values(), before | items)

    def _unchanged(self, feed: StoredFeed, fetched: Fetched) -> Visit:
        """Store and return a visit that was answered 304 Not Modified."""
        if merged := self._merged(feed, fetched):
            return merged
        # A feed that did not fail has the problem of the body that it still shows.
        problem = "" if feed.failures else feed.problem
        at, read = self.clock.now(), replace(feed, address=fetched.moved_to, problem=problem)
        asked = (fetched.answer.wait,)
        record = after_success(
            read, self.bounds, new_entries=0, asked=asked, at=at, draw=self.draw()
        )
        self.state.unchanged(record, at=at)
        return Visit(record, "unchanged")

    def _failed(
        self, feed: StoredFeed, problem: str, *, retry_after: timedelta | None = None
    ) -> Visit:
        """Store a failed visit and the next attempt; `retry_after` is the wish of the server."""
        at, draw = self.clock.now(), self.draw()
        failed = after_failure(
            feed, problem, self.bounds, at=at, draw=draw, retry_after=retry_after
        )
        return self._stored(Visit(failed, "failed"))

    def _merged(self, feed: StoredFeed, fetched: Fetched) -> Visit | None:
        """Store and return the visit of a feed that moved to the address of another; else None."""
        if fetched.moved_to == feed.address:
            return None
        other = self.state.at_address(fetched.moved_to)
        if other is None or other.number == feed.number:
            return None
        problem = f"moved to the address of another feed of the list: {other.subscribed}"
        moved = replace(feed, status="merged", problem=problem, tried_at=self.clock.now())
        return self._stored(Visit(moved, "merged"))

    def _stored(self, visit: Visit) -> Visit:
        """Store the record of a visit that showed no entries, and return the visit."""
        self.state.commit(visit.feed, delivered={}, listed=(), at=self.clock.now())
        return visit


def _ended(feed: StoredFeed, problem: str, *, at: datetime) -> StoredFeed:
    """Return the record of a feed that is not visited again after a visit."""
    return replace(feed, status="gone", tried_at=at, problem=problem)


def _described(
    feed: StoredFeed, fetched: Fetched, parsed: ParsedFeed, pages: PagesVisit
) -> StoredFeed:
    """Return the record of a feed with what a response and the feed in it say.

    Without validators if entries wait for the next visit, or for a release that can read them: it
    shall get the body again.
    """
    again = bool(pages.postponed or parsed.left_out)
    problem = pages.problem or parsed.cut
    if parsed.left_out:
        number = len(parsed.left_out)
        entries = "1 entry" if number == 1 else f"{number} entries"
        problem = f"{entries} left out; {parsed.left_out[0]}"
    return replace(
        feed,
        address=fetched.moved_to,
        etag="" if again else fetched.etag,
        last_modified="" if again else fetched.last_modified,
        problem=one_line(problem),
        title=one_line(parsed.title) or feed.title,
        publisher=feed_source(parsed) or feed.publisher,
    )
