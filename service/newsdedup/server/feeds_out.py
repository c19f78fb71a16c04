"""Feeds of the archive: originals alone, and the items of a story, as Atom and JSON Feed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from aiohttp import web
from msgspec import UNSET, Struct, UnsetType

from newsdedup.adapters.formats.atom_xml import AtomEntry, AtomFeed, write_atom
from newsdedup.archive.filters import ItemFilter
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import ItemSummary
from newsdedup.core.model import ItemKey
from newsdedup.server.api_queries import FeedQuery, StoryFeedQuery
from newsdedup.server.held_answers import LIST_FRESHNESS
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import Operation, answer_held, read_query

ATOM: Final = "application/atom+xml"
JSON_FEED: Final = "application/feed+json"
_MOST_ITEMS: Final = 100
_LONGEST_TEXT: Final = 20_000
"""Characters of a text in a feed; the page of the item has all."""
_Query = TypeVar("_Query", bound=Struct)


class JsonFeedAuthor(Struct, frozen=True):
    """Who wrote an item."""

    name: str


class JsonFeedItem(Struct, frozen=True, kw_only=True):
    """An item of a JSON Feed."""

    id: str
    url: str | UnsetType = UNSET
    title: str
    content_text: str
    date_published: datetime
    authors: tuple[JsonFeedAuthor, ...]
    language: str | UnsetType = UNSET


class JsonFeed(Struct, frozen=True, kw_only=True):
    """A JSON Feed (https://www.jsonfeed.org/version/1.1/)."""

    version: str = "https://jsonfeed.org/version/1.1"
    title: str
    home_page_url: str
    feed_url: str
    items: tuple[JsonFeedItem, ...]


@dataclass(frozen=True, slots=True)
class FeedContent:
    """What a feed shows, in either form."""

    name: str
    title: str
    items: Sequence[tuple[ItemSummary, str]]
    """Heads with their texts, the newest first."""


def read_originals(reader: ArchiveReader, query: FeedQuery) -> FeedContent:
    """Return the newest originals, of a language, a source or a query."""
    chosen = ItemFilter(
        source=query.source, lang=query.lang or "", verdict="original", text=query.q
    )
    page = reader.search(chosen, limit=query.limit) if query.q else None
    summaries = reader.items(chosen, limit=query.limit).items if page is None else page.items
    parts = [part for part in (query.q, query.source, query.lang or "") if part]
    return FeedContent(
        "originals:" + urlencode({"q": query.q, "source": query.source, "lang": query.lang or ""}),
        " · ".join(["Originals", *parts]),
        _with_texts(reader, summaries),
    )


def read_story_feed(reader: ArchiveReader, query: StoryFeedQuery) -> FeedContent:
    """Return the last items of a story, the newest first; raise RequestRefused if there is none."""
    detail = reader.story(query.story, limit=1)
    if detail is None:
        raise RequestRefused(
            HTTPStatus.NOT_FOUND, "the archive holds no such story", code="not-found"
        )
    newest = reader.newest_of_story(query.story, limit=_MOST_ITEMS)
    title = detail.summary.title
    return FeedContent(f"story:{query.story}", title, _with_texts(reader, newest))


def _with_texts(
    reader: ArchiveReader, summaries: Sequence[ItemSummary]
) -> Sequence[tuple[ItemSummary, str]]:
    """Return summaries with their texts, "" where the item is gone by now."""
    details = [(summary, reader.item(ItemKey(summary.source, summary.id))) for summary in summaries]
    return [
        (summary, "" if detail is None else detail.text[:_LONGEST_TEXT])
        for summary, detail in details
    ]


def write_atom_feed(content: FeedContent, address: str, site: str) -> bytes:
    """Return a feed as a document of Atom; without items it was updated in 1970."""
    newest = max(
        (summary.at for summary, _ in content.items), default=datetime.fromtimestamp(0, UTC)
    )
    feed = AtomFeed(
        id=f"urn:newsdedup:feed:{quote(content.name, safe=':')}",
        title=content.title,
        updated=newest,
        address=address,
        site=site,
    )
    entries = [
        AtomEntry(
            id=item_urn(summary),
            title=summary.title,
            updated=summary.at,
            published=summary.at,
            url=web_address(summary.url),
            text=text,
            author=summary.source or "?",
            lang="" if summary.lang == "other" else summary.lang,
        )
        for summary, text in content.items
    ]
    return write_atom(feed, entries).encode("utf-8", "replace")


def write_json_feed(content: FeedContent, address: str, site: str) -> bytes:
    """Return a feed as a JSON Feed."""
    items = tuple(
        JsonFeedItem(
            id=item_urn(summary),
            url=web_address(summary.url) or UNSET,
            title=summary.title,
            content_text=text or summary.title,
            date_published=summary.at,
            authors=(JsonFeedAuthor(summary.source),),
            language=UNSET if summary.lang == "other" else summary.lang,
        )
        for summary, text in content.items
    )
    feed = JsonFeed(title=content.title, home_page_url=site, feed_url=address, items=items)
    return msgspec.json.encode(feed)


def item_urn(summary: ItemSummary) -> str:
    """Return the name of an item for readers of feeds: the same for as long as it has its id."""
    return f"urn:newsdedup:item:{quote(summary.source, safe='')}:{quote(summary.id, safe='')}"


def web_address(url: str) -> str:
    """Return an address of the web as it is, "" for anything else: no reader may run it."""
    return url if url.lower().startswith(("http://", "https://")) else ""


_Writer = Callable[[FeedContent, str, str], bytes]


@dataclass(frozen=True, slots=True)
class FeedOperation(Generic[_Query]):
    """A feed in one of its forms."""

    operation: Operation
    query: type[_Query]
    read: Callable[[ArchiveReader, _Query], FeedContent]
    write: _Writer

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Return the feed, or 304 to a reader that has it."""
        query = read_query(request, self.query)
        site = str(request.url.origin()) + "/"
        address = str(request.url)

        def make(reader: ArchiveReader) -> bytes:
            return self.write(self.read(reader, query), address, site)

        return await answer_held(
            request, address, make, LIST_FRESHNESS, f"{self.operation.media}; charset=utf-8"
        )


def _feed(
    name: str, path: str, query: type[_Query], read: Callable[[ArchiveReader, _Query], FeedContent]
) -> list[FeedOperation[Any]]:
    """Return a feed in both forms; `path` lacks its ending."""
    about = (read.__doc__ or "").partition("\n")[0].partition(";")[0].rstrip(".")
    errors = (HTTPStatus.NOT_FOUND,) if query is StoryFeedQuery else ()
    forms: tuple[tuple[str, str, type[Struct] | None, _Writer], ...] = (
        ("atom", ATOM, None, write_atom_feed),
        ("json", JSON_FEED, JsonFeed, write_json_feed),
    )
    return [
        FeedOperation(
            Operation(
                name=f"{name}_{ending}",
                path=f"{path}.{ending}",
                about=f"{about}, as {'Atom' if ending == 'atom' else 'a JSON Feed'}.",
                query=query,
                result=result,
                media=media,
                errors=errors,
            ),
            query,
            read,
            write,
        )
        for ending, media, result, write in forms
    ]


OUTGOING_FEEDS: Final[Sequence[FeedOperation[Any]]] = (
    *_feed("originals", "/feeds/originals", FeedQuery, read_originals),
    *_feed("story_feed", "/feeds/story/{story}", StoryFeedQuery, read_story_feed),
)
"""The feeds that anyone may subscribe to."""
