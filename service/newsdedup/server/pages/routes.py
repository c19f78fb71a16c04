"""The pages of the server, each with its JSON of the same values, and the files that they load."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import ETag, web
from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.entity_tags import add_tag, matches, not_modified
from newsdedup.server.held_answers import LIST_FRESHNESS, SUMS_FRESHNESS, Freshness
from newsdedup.server.http_errors import ERROR_PAGE, ProblemDetails, RequestRefused
from newsdedup.server.pages.check import CheckView, check_view
from newsdedup.server.pages.languages import (
    INTERFACE_LANGUAGES,
    LANGUAGE_COOKIE,
    chosen_language,
)
from newsdedup.server.pages.lists import now_view, search_view, status_view, volumes_view
from newsdedup.server.pages.page_query import PageQuery
from newsdedup.server.pages.publishers import source_view, sources_view
from newsdedup.server.pages.rendering import (
    STATIC_FILES,
    PageContext,
    load_templates,
    render_page,
    static_file,
)
from newsdedup.server.pages.stories import compare_view, item_view, story_view
from newsdedup.server.services import services_of

_YEAR_SECONDS: Final = 365 * 24 * 3_600
_View = Callable[[ArchiveReader, PageQuery], Struct]
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """A page that is made from the archive alone; its JSON has the same values."""

    path: str
    view: _View
    template: str
    freshness: Freshness = LIST_FRESHNESS

    @property
    def twin(self) -> str:
        """Return the path of its JSON."""
        return "/now.json" if self.path == "/" else f"{self.path}.json"


ARCHIVE_PAGES: Final = (
    ArchivePage("/", now_view, "now.html"),
    ArchivePage("/story", story_view, "story.html"),
    ArchivePage("/item", item_view, "item.html"),
    ArchivePage("/compare", compare_view, "compare.html"),
    ArchivePage("/sources", sources_view, "sources.html", SUMS_FRESHNESS),
    ArchivePage("/source", source_view, "source.html", SUMS_FRESHNESS),
    ArchivePage("/volumes", volumes_view, "volumes.html", SUMS_FRESHNESS),
    ArchivePage("/search", search_view, "search.html"),
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
    for name in STATIC_FILES:
        app.router.add_get(f"/static/{name}", _static_handler(name))
    app[ERROR_PAGE] = _error_page


def _page_handler(page: ArchivePage) -> _Handler:
    async def answer(request: web.Request) -> web.Response:
        lang = chosen_language(request)
        context = _context(request, lang, page.path, page.twin)
        query = PageQuery(request.query)

        def make(reader: ArchiveReader) -> bytes:
            return render_page(page.template, page.view(reader, query), context)

        key = f"{lang} {request.path_qs}"
        services = services_of(request)
        change, html = await services.held.answer(key, make, page.freshness)
        tag = services.tags.of_change(change, lang)
        return not_modified(tag) if matches(request, tag) else _html(request, html, lang, tag)

    return answer


def _twin_handler(page: ArchivePage) -> _Handler:
    async def answer(request: web.Request) -> web.Response:
        query = PageQuery(request.query)

        def make(reader: ArchiveReader) -> bytes:
            return msgspec.json.encode(page.view(reader, query))

        services = services_of(request)
        change, body = await services.held.answer(request.path_qs, make, page.freshness)
        tag = services.tags.of_change(change, "json")
        return not_modified(tag) if matches(request, tag) else _json(body, tag)

    return answer


async def _answer_check(request: web.Request) -> web.Response:
    lang = chosen_language(request)
    context = _context(request, lang, CHECK_PATH, f"{CHECK_PATH}.json")
    return _html(request, render_page("check.html", await _checked(request), context), lang)


async def _answer_check_twin(request: web.Request) -> web.Response:
    return _json(msgspec.json.encode(await _checked(request)))


async def _checked(request: web.Request) -> CheckView:
    """Return the comparison of the texts that were sent, by a form or in the address."""
    services = services_of(request)
    try:
        async with asyncio.timeout(services.limits.body_seconds):
            form = await request.post() if request.method == "POST" else request.query
    except TimeoutError:
        raise RequestRefused(
            HTTPStatus.REQUEST_TIMEOUT, "the texts did not arrive in time", code="slow-body"
        ) from None
    texts = {name: value for name, value in form.items() if isinstance(value, str)}
    return await check_view(texts, services.compare)


def _static_handler(name: str) -> _Handler:
    async def answer(request: web.Request) -> web.Response:
        file = static_file(name)
        tag = ETag(file.tag)
        if matches(request, tag):
            return not_modified(tag)
        response = web.Response(body=file.body, content_type=file.content_type, charset="utf-8")
        add_tag(response, tag)
        if request.query.get("v") == file.tag:
            response.headers["Cache-Control"] = f"public, max-age={_YEAR_SECONDS}, immutable"
        return response

    return answer


async def _error_page(request: web.Request, problem: ProblemDetails) -> web.Response:
    """Return the page of an error, in the language of the interface as far as it is ours."""
    lang = chosen_language(request)
    context = _context(request, lang, request.path, "")
    html = render_page("error.html", problem, context)
    return _html(request, html, lang)


def _context(request: web.Request, lang: str, path: str, twin: str) -> PageContext:
    query = {name: value for name, value in request.query.items() if name != "lang" and value}
    return PageContext(lang=lang, path=path, twin_path=twin, query=query)


def _html(request: web.Request, html: bytes, lang: str, tag: ETag | None = None) -> web.Response:
    """Return a page; keep the language that its address chose in a cookie."""
    response = web.Response(body=html, content_type="text/html", charset="utf-8")
    response.headers["Content-Language"] = lang
    response.headers["Vary"] = "Accept-Language, Cookie"
    if tag is not None:
        add_tag(response, tag)
    if request.query.get("lang") in INTERFACE_LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE, lang, max_age=_YEAR_SECONDS, httponly=True, samesite="Lax"
        )
    return response


def _json(body: bytes, tag: ETag | None = None) -> web.Response:
    response = web.Response(body=body, content_type="application/json")
    if tag is not None:
        add_tag(response, tag)
    return response
