"""Entries completed by their pages, for feeds whose user asked for full texts."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from newsdedup.feeder.fetching.address_guard import host_name
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.fetcher import Fetched
from newsdedup.feeder.fetching.page_fetcher import PageFetcher
from newsdedup.feeder.polling.host_pace import BUSY_PAUSE, HostPace
from newsdedup.feeder.polling.item_identity import ListedEntry
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
    """Completes entries by their pages, one page after the other."""

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
