"""Feeds of the archive: originals alone, and the items of a story, as Atom and JSON Feed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from aiohttp import web
from msgspec import UNSET, Struct, UnsetType

from newsdedup.adapters.formats.atom_xml import AtomEntry, AtomFeed, write_atom
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.views import ItemSummary
from newsdedup.core.model import ItemKey
from newsdedup.core.moments import EPOCH
from newsdedup.core.text.clean import strip_html
from newsdedup.server.access import public_addresses
from newsdedup.server.api_queries import FeedQuery, StoryFeedQuery
from newsdedup.server.cached_answers import LIST_FRESHNESS
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import Operation, Route, answer_cached, read_query
from newsdedup.server.pages.wording import unmarked

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


class PublishedEntry(NamedTuple):
    """An entry of a feed, in either form."""

    id: str
    """A URN that does not change."""
    title: str
    at: datetime
    url: str
    text: str
    author: str
    lang: str = ""
    """Empty if it is not known."""


@dataclass(frozen=True, slots=True)
class FeedContent:
    """What a feed shows, in either form."""

    name: str
    title: str
    entries: Sequence[PublishedEntry]
    """The newest first."""


FeedWriter = Callable[[FeedContent, str, str], bytes]
"""Makes a document of a feed, given its address and that of the site."""


def read_originals(reader: ArchiveReader, query: FeedQuery) -> FeedContent:
    """Return the newest originals, of a language, a source or a query."""
    chosen = ItemFilter(
        source=query.source, lang=query.lang or "", verdict="original", text=query.q
    )
    find = reader.search if query.q else reader.items
    summaries = find(chosen, limit=query.limit).items
    parts = [part for part in (query.q, query.source, query.lang or "") if part]
    return FeedContent(
        "originals:" + urlencode({"q": query.q, "source": query.source, "lang": query.lang or ""}),
        " · ".join(["Originals", *parts]),
        item_entries(reader, summaries),
    )


def read_story_feed(reader: ArchiveReader, query: StoryFeedQuery) -> FeedContent:
    """Return the last items of a story, the newest first; raise RequestRefused if there is none."""
    detail = reader.story(query.story, limit=1)
    if detail is None:
        raise RequestRefused("not-found", "the archive holds no such story")
    newest = reader.newest_of_story(query.story, limit=_MOST_ITEMS)
    title = detail.summary.title
    return FeedContent(f"story:{query.story}", title, item_entries(reader, newest))


def item_entries(
    reader: ArchiveReader, summaries: Sequence[ItemSummary]
) -> Sequence[PublishedEntry]:
    """Return items as entries with their texts, "" where the item is gone by now."""
    details = [reader.item(ItemKey(summary.source, summary.id)) for summary in summaries]
    texts = ["" if detail is None else _plain_text(detail.text) for detail in details]
    return [
        PublishedEntry(
            id=f"urn:newsdedup:item:{quote(one.source, safe='')}:{quote(one.id, safe='')}",
            title=unmarked(one.title),
            at=one.at,
            url=_web_address(one.url),
            text=text,
            author=one.source,
            lang="" if one.lang == "other" else one.lang,
        )
        for one, text in zip(summaries, texts, strict=True)
    ]


def write_atom_feed(content: FeedContent, address: str, site: str) -> bytes:
    """Return a feed as Atom, given its URL and the site's; without items it is dated 1970."""
    newest = max((one.at for one in content.entries), default=EPOCH)
    feed = AtomFeed(
        id=f"urn:newsdedup:feed:{quote(content.name, safe=':')}",
        title=content.title,
        updated=newest,
        address=address,
        site=site,
    )
    entries = [
        AtomEntry(
            id=one.id,
            title=one.title,
            updated=one.at,
            published=one.at,
            url=one.url,
            text=one.text or one.title,
            author=one.author or "?",
            lang=one.lang,
        )
        for one in content.entries
    ]
    return write_atom(feed, entries).encode("utf-8", "replace")


def write_json_feed(content: FeedContent, address: str, site: str) -> bytes:
    """Return a feed as a JSON Feed, given its own URL and that of the site."""
    items = tuple(
        JsonFeedItem(
            id=one.id,
            url=one.url or UNSET,
            title=one.title,
            content_text=one.text or one.title,
            date_published=one.at,
            authors=(JsonFeedAuthor(one.author),),
            language=one.lang or UNSET,
        )
        for one in content.entries
    )
    feed = JsonFeed(title=content.title, home_page_url=site, feed_url=address, items=items)
    return msgspec.json.encode(feed)


def _plain_text(text: str) -> str:
    """Return the lines of a text without HTML, as far as a feed shows it."""
    lines = strip_html(text[:_LONGEST_TEXT]).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


def _web_address(url: str) -> str:
    """Return an address of http or https, "" for any other: a reader must not run a script."""
    return url if url.lower().startswith(("http://", "https://")) else ""


async def _answer_feed(
    request: web.Request,
    operation: Operation,
    read: Callable[[ArchiveReader, Any], FeedContent],
    write: FeedWriter,
) -> web.StreamResponse:
    """Answer a request for a feed: `read` reads what it shows, `write` makes its document."""
    query = read_query(request, operation.query)
    address, site = public_addresses(request)

    def make(reader: ArchiveReader) -> bytes:
        return write(read(reader, query), address, site)

    media = f"{operation.media}; charset=utf-8"
    return await answer_cached(request, address, make, LIST_FRESHNESS, media)


def feed_operations(
    name: str, path: str, query: type[Struct], about: str, *, may_miss: bool
) -> Iterator[tuple[Operation, FeedWriter]]:
    """Yield the operation of a feed in both forms, with its writer; `path` lacks its ending.

    `about` is the docstring of what reads the feed, which `may_miss` what it is asked for.
    """
    about = about.partition("\n")[0].partition(";")[0].rstrip(".")
    forms: tuple[tuple[str, str, str, type[Struct] | None, FeedWriter], ...] = (
        ("atom", "Atom", ATOM, None, write_atom_feed),
        ("json", "a JSON Feed", JSON_FEED, JsonFeed, write_json_feed),
    )
    for ending, form, media, result, write in forms:
        operation = Operation(
            name=f"{name}_{ending}",
            path=f"{path}.{ending}",
            about=f"{about}, as {form}.",
            query=query,
            result=result,
            media=media,
            errors=(HTTPStatus.NOT_FOUND,) if may_miss else (),
        )
        yield operation, write


def _routes(
    name: str,
    path: str,
    query: type[_Query],
    read: Callable[[ArchiveReader, _Query], FeedContent],
    *,
    may_miss: bool = False,
) -> Iterator[Route]:
    """Yield a feed in both forms; `path` lacks its ending."""
    about = read.__doc__ or ""
    for operation, write in feed_operations(name, path, query, about, may_miss=may_miss):
        yield operation, partial(_answer_feed, operation=operation, read=read, write=write)


FEED_ROUTES: Final[Sequence[Route]] = (
    *_routes("originals", "/feeds/originals", FeedQuery, read_originals),
    *_routes("story_feed", "/feeds/story/{story}", StoryFeedQuery, read_story_feed, may_miss=True),
)
