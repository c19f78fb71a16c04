"""The pages of the server, each with its JSON of the same values, and the files that they load."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec
from aiohttp import ETag, web
from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.editor_session import is_signed_in
from newsdedup.server.entity_tags import add_tag, matches, not_modified
from newsdedup.server.held_answers import LIST_FRESHNESS, SUMS_FRESHNESS, Freshness
from newsdedup.server.http_errors import ERROR_PAGE, ProblemDetails
from newsdedup.server.pages.answers import (
    YEAR_SECONDS,
    html_answer,
    json_answer,
    page_context,
)
from newsdedup.server.pages.check import CheckView, check_view
from newsdedup.server.pages.editing import add_editing
from newsdedup.server.pages.feeds import feeds_view
from newsdedup.server.pages.languages import chosen_language
from newsdedup.server.pages.lists import now_view, search_view, status_view, volumes_view
from newsdedup.server.pages.page_query import PageQuery
from newsdedup.server.pages.publishers import source_view, sources_view
from newsdedup.server.pages.rendering import (
    STATIC_FILES,
    load_templates,
    render_page,
    static_file,
)
from newsdedup.server.pages.stories import compare_view, item_view, story_view
from newsdedup.server.request_bodies import read_form
from newsdedup.server.services import ServerServices, services_of

_View = Callable[[ArchiveReader, PageQuery], Struct]
_BoundView = tuple[_View, str]
"""A view with what it shows alongside the archive, and a text that changes when that does."""
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """A page that is made from the archive; its JSON has the same values."""

    path: str
    view: _View
    template: str
    freshness: Freshness = LIST_FRESHNESS
    bind: Callable[[ServerServices], Awaitable[_BoundView]] | None = None
    """Of a page that shows more than the archive."""

    async def bound_view(self, services: ServerServices) -> _BoundView:
        """Return the view for one request; raise what reading the rest raises."""
        return (self.view, "") if self.bind is None else await self.bind(services)

    @property
    def twin(self) -> str:
        """Return the path of its JSON."""
        return "/now.json" if self.path == "/" else f"{self.path}.json"


async def _bind_feeds(services: ServerServices) -> _BoundView:
    listed = None if services.feeds is None else await services.feeds.read()
    changed = "" if listed is None else str(listed.at.timestamp())
    return partial(feeds_view, listed=listed), changed


ARCHIVE_PAGES: Final = (
    ArchivePage("/", now_view, "now.html"),
    ArchivePage("/story", story_view, "story.html"),
    ArchivePage("/item", item_view, "item.html"),
    ArchivePage("/compare", compare_view, "compare.html"),
    ArchivePage("/sources", sources_view, "sources.html", SUMS_FRESHNESS),
    ArchivePage("/source", source_view, "source.html", SUMS_FRESHNESS),
    ArchivePage("/volumes", volumes_view, "volumes.html", SUMS_FRESHNESS),
    ArchivePage("/search", search_view, "search.html"),
    ArchivePage("/feeds", feeds_view, "subscriptions.html", SUMS_FRESHNESS, bind=_bind_feeds),
    ArchivePage("/status", status_view, "status.html"),
)
CHECK_PATH: Final = "/check"


def add_pages(app: web.Application) -> None:
    """Add the pages, their JSON, the files that they load, and the page of an error."""
    load_templates()
    for page in ARCHIVE_PAGES:
        app.router.add_get(page.path, _page_handler(page))
        app.router.add_get(page.twin, _twin_handler(page))
    app.router.add_get(CHECK_PATH, _answer_check)
    app.router.add_post(CHECK_PATH, _answer_check)
    app.router.add_get(f"{CHECK_PATH}.json", _answer_check_twin)
    app.router.add_post(f"{CHECK_PATH}.json", _answer_check_twin)
    add_editing(app)
    for name in STATIC_FILES:
        app.router.add_get(f"/static/{name}", _static_handler(name))
    app[ERROR_PAGE] = _error_page


def _page_handler(page: ArchivePage) -> _Handler:
    async def answer(request: web.Request) -> web.Response:
        lang = chosen_language(request)
        signed_in = is_signed_in(request)
        context = page_context(request, lang, page.path, page.twin, signed_in=signed_in)
        query = PageQuery(request.query)
        view, alongside = await page.bound_view(services_of(request))

        def make(reader: ArchiveReader) -> bytes:
            return render_page(page.template, view(reader, query), context)

        services = services_of(request)
        if signed_in:
            alongside = f"{alongside}-editor"
        key = f"{lang} {alongside} {request.path_qs}"
        stamp, html = await services.held.answer(key, make, page.freshness)
        tag = services.tags.of_archive(stamp, lang, alongside)
        return not_modified(tag) if matches(request, tag) else html_answer(request, html, lang, tag)

    return answer


def _twin_handler(page: ArchivePage) -> _Handler:
    async def answer(request: web.Request) -> web.Response:
        query = PageQuery(request.query)
        view, alongside = await page.bound_view(services_of(request))

        def make(reader: ArchiveReader) -> bytes:
            return msgspec.json.encode(view(reader, query))

        services = services_of(request)
        key = f"{alongside} {request.path_qs}" if alongside else request.path_qs
        stamp, body = await services.held.answer(key, make, page.freshness)
        tag = services.tags.of_archive(stamp, "json", alongside)
        return not_modified(tag) if matches(request, tag) else json_answer(body, tag)

    return answer


async def _answer_check(request: web.Request) -> web.Response:
    lang = chosen_language(request)
    context = page_context(
        request, lang, CHECK_PATH, f"{CHECK_PATH}.json", signed_in=is_signed_in(request)
    )
    return html_answer(request, render_page("check.html", await _checked(request), context), lang)


async def _answer_check_twin(request: web.Request) -> web.Response:
    return json_answer(msgspec.json.encode(await _checked(request)))


async def _checked(request: web.Request) -> CheckView:
    """Return the comparison of the texts that were sent, by a form or in the address."""
    form = await read_form(request) if request.method == "POST" else request.query
    return await check_view(dict(form), services_of(request))


def _static_handler(name: str) -> _Handler:
    async def answer(request: web.Request) -> web.Response:
        file = static_file(name)
        tag = ETag(file.tag)
        if matches(request, tag):
            return not_modified(tag)
        response = web.Response(body=file.body, content_type=file.content_type, charset="utf-8")
        add_tag(response, tag)
        if request.query.get("v") == file.tag:
            response.headers["Cache-Control"] = f"public, max-age={YEAR_SECONDS}, immutable"
        return response

    return answer


async def _error_page(request: web.Request, problem: ProblemDetails) -> web.Response:
    """Return the page of an error, in the language of the interface as far as it is ours."""
    lang = chosen_language(request)
    context = page_context(request, lang, request.path, "", signed_in=is_signed_in(request))
    html = render_page("error.html", problem, context)
    return html_answer(request, html, lang)
