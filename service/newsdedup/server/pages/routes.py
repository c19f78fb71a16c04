"""The pages of the server, each with its JSON of the same values, and the files that they load."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final, Literal

import msgspec
from aiohttp import ETag, web
from msgspec import Struct
from msgspec.structs import asdict

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.cached_answers import DAY_FRESHNESS, LIST_FRESHNESS, SUMS_FRESHNESS, Freshness
from newsdedup.server.http_errors import ERROR_PAGE, ProblemDetails, RequestRefused
from newsdedup.server.operations import JSON, archive_tag, cached_body, read_form, tagged_answer
from newsdedup.server.pages.check import CHECK_FIELDS, check_view
from newsdedup.server.pages.editing import add_editing
from newsdedup.server.pages.feeds import feeds_view
from newsdedup.server.pages.front import front_view
from newsdedup.server.pages.languages import chosen_language
from newsdedup.server.pages.lists import items_view, search_view, status_view
from newsdedup.server.pages.page_query import PageQuery
from newsdedup.server.pages.rendering import (
    STATIC_FILES,
    YEAR_SECONDS,
    StaticFile,
    csv_path,
    html_answer,
    load_templates,
    page_context,
    render_page,
    static_file,
)
from newsdedup.server.pages.sources import source_view, sources_view
from newsdedup.server.pages.stories import compare_view, item_view, story_view
from newsdedup.server.pages.tables import MOST_ROWS, PAGE_TABLES, chosen_table
from newsdedup.server.pages.volumes import volumes_view
from newsdedup.server.pages.watch_editing import add_watch_editing
from newsdedup.server.pages.watches import digest_view, read_watch_data, watch_view, watches_view
from newsdedup.server.services import services_of

_Form = Literal["html", "json", "csv"]
_HEADERS: Final[dict[_Form, dict[str, str]]] = {
    "json": {"Content-Type": JSON},
    "csv": {"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": "attachment"},
}
_View = Callable[..., Struct]
"""Makes the values of a page from a reader and the query, and perhaps more by name."""


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """A page that is made from the archive; its JSON has the same values."""

    path: str
    view: _View
    template: str
    freshness: Freshness = LIST_FRESHNESS
    by_clock: bool = False
    """Whether it tells old news from new: it is made anew in each hour."""

    @property
    def twin(self) -> str:
        """Return the path of its JSON."""
        return "/now.json" if self.path == "/" else f"{self.path}.json"

    @property
    def table_twin(self) -> str:
        """Return the path of its tables as CSV, "" where it has none."""
        return csv_path(self.twin) if self.path in PAGE_TABLES else ""


ARCHIVE_PAGES: Final = (
    ArchivePage("/", front_view, "now.html", DAY_FRESHNESS, by_clock=True),
    ArchivePage("/items", items_view, "items.html"),
    ArchivePage("/story", story_view, "story.html"),
    ArchivePage("/item", item_view, "item.html"),
    ArchivePage("/compare", compare_view, "compare.html"),
    ArchivePage("/sources", sources_view, "sources.html", SUMS_FRESHNESS),
    ArchivePage("/source", source_view, "source.html", SUMS_FRESHNESS),
    ArchivePage("/volumes", volumes_view, "volumes.html", SUMS_FRESHNESS),
    ArchivePage("/search", search_view, "search.html"),
    ArchivePage("/feeds", feeds_view, "subscriptions.html", SUMS_FRESHNESS),
    ArchivePage("/watches", watches_view, "watches.html", by_clock=True),
    ArchivePage("/watch", watch_view, "watch.html", by_clock=True),
    ArchivePage("/digest", digest_view, "digest.html", by_clock=True),
    ArchivePage("/status", status_view, "status.html"),
)
_WATCH_PATHS: Final = ("/", "/watches", "/watch", "/digest")
"""Pages that also show what saved searches found; only the first exists without them."""
_CHECK_PATH: Final = "/check"
_CHECK_TWIN: Final = "/check.json"


def add_pages(app: web.Application) -> None:
    """Add the pages, their JSON, the files that they load, and the page of an error."""
    load_templates()
    for page in ARCHIVE_PAGES:
        app.router.add_get(page.path, partial(_answer_page, page=page, form="html"))
        app.router.add_get(page.twin, partial(_answer_page, page=page, form="json"))
        if page.table_twin:
            app.router.add_get(page.table_twin, partial(_answer_page, page=page, form="csv"))
    for add in (app.router.add_get, app.router.add_post):
        add(_CHECK_PATH, partial(_answer_check, as_json=False))
        add(_CHECK_TWIN, partial(_answer_check, as_json=True))
    add_editing(app)
    add_watch_editing(app)
    for name in STATIC_FILES:
        app.router.add_get(f"/static/{name}", partial(_answer_file, file=static_file(name)))
    app[ERROR_PAGE] = _error_page


async def _answer_page(
    request: web.Request, *, page: ArchivePage, form: _Form
) -> web.StreamResponse:
    """Answer a page, its values or a table, from the cache; 304 to a client that has it.

    A value of the address that means nothing is named: on the page, as `ignored` in the JSON, and
    by a refusal of a table, which has no place for it.
    """
    view, alongside = await _page_view(request, page)
    if page.by_clock:
        alongside = f"{alongside}-{datetime.now(UTC):%j%H}"
    lang = chosen_language(request) if form == "html" else form
    context = page_context(request, lang, page.path, page.twin)
    if form == "html" and context.signed_in:
        alongside = f"{alongside}-editor"

    def make(reader: ArchiveReader) -> bytes:
        """Return the page, the JSON of its values, or one of its tables."""
        query = PageQuery(request.query, rows=MOST_ROWS if form == "csv" else 0)
        table = chosen_table(page.path, query.text("table")) if form == "csv" else None
        shown = view(reader, query)
        reading = context.reading(query.read)
        if table is not None:
            if reading.ignored:
                detail = f"unknown in this address: {', '.join(reading.ignored)[:200]}"
                raise RequestRefused("bad-query", detail)
            return table.csv_of(shown, reader.give_way)
        return (
            _values(shown, reading.ignored)
            if form == "json"
            else render_page(page.template, shown, reading, reader.give_way)
        )

    key = f"{lang} {alongside} {request.path_qs}"
    stamp, body = await cached_body(request, key, make, page.freshness)
    if form == "html":
        response = html_answer(request, body, lang)
        if context.signed_in:
            # A browser that goes back would show a story as it was before its correction.
            response.headers["Cache-Control"] = "no-store"
    else:
        response = web.Response(body=body, headers=_HEADERS[form])
    return tagged_answer(request, archive_tag(request, stamp, lang, alongside), response)


async def _page_view(request: web.Request, page: ArchivePage) -> tuple[_View, str]:
    """Return the view of a page, and a text that changes with what it shows besides the archive.

    That are feeds and saved searches. Raise RequestRefused for a page of saved searches if there
    are none.
    """
    services = services_of(request)
    if page.view is feeds_view and services.feeds is not None:
        listed = await services.feeds.read()
        return partial(feeds_view, listed=listed), str(listed.at.timestamp())
    if page.path in _WATCH_PATHS and services.watcher is not None:
        # Before the data, which may change meanwhile: newer data under an older version do no harm.
        version = services.watcher.version
        data = await read_watch_data(services.watcher, page.path, request.query)
        return partial(page.view, data=data), version
    if page.path in _WATCH_PATHS[1:]:
        raise RequestRefused("not-found", "this server has no saved searches")
    return page.view, ""


def _values(shown: Struct, ignored: tuple[str, ...]) -> bytes:
    """Return the values of a page as JSON, with the names of the address that it ignores."""
    if not ignored:
        return msgspec.json.encode(shown)
    return msgspec.json.encode({**asdict(shown), "ignored": ignored})


async def _answer_check(request: web.Request, *, as_json: bool) -> web.Response:
    """Answer GET and POST, by a page or `as_json`: the verdict on texts in form or address."""
    form = await read_form(request) if request.method == "POST" else request.query
    view = await check_view(dict(form), services_of(request))
    lang = chosen_language(request)
    context = page_context(request, lang, _CHECK_PATH, _CHECK_TWIN).reading(CHECK_FIELDS)
    if as_json:
        return web.Response(body=_values(view, context.ignored), content_type=JSON)
    return html_answer(request, render_page("check.html", view, context), lang)


async def _answer_file(request: web.Request, *, file: StaticFile) -> web.StreamResponse:
    """Answer a static file; with its tag in the address it may be kept for a year."""
    response = web.Response(body=file.body, content_type=file.content_type, charset="utf-8")
    if request.query.get("v") == file.tag:
        response.headers["Cache-Control"] = f"public, max-age={YEAR_SECONDS}, immutable"
    return tagged_answer(request, ETag(file.tag, is_weak=True), response)


async def _error_page(request: web.Request, problem: ProblemDetails) -> web.Response:
    lang = chosen_language(request)
    context = page_context(request, lang, request.path, "")
    return html_answer(request, render_page("error.html", problem, context), lang)
