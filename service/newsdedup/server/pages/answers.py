"""Pages and their JSON as responses, and what every page shows of its request."""

from typing import Final

from aiohttp import ETag, web

from newsdedup.server.entity_tags import add_tag
from newsdedup.server.pages.languages import INTERFACE_LANGUAGES, LANGUAGE_COOKIE
from newsdedup.server.pages.rendering import PageContext
from newsdedup.server.services import services_of

YEAR_SECONDS: Final = 365 * 24 * 3_600


def page_context(
    request: web.Request, lang: str, path: str, twin: str, *, signed_in: bool
) -> PageContext:
    """Return what the frame of a page shows; `twin` is the path of its JSON, "" without one."""
    services = services_of(request)
    effect = services.commands.effect
    query = {name: value for name, value in request.query.items() if name != "lang" and value}
    return PageContext(
        lang=lang,
        path=path,
        twin_path=twin,
        query=query,
        has_feeds=services.feeds is not None,
        can_sign_in=bool(services.token) and effect != "none",
        signed_in=signed_in,
        effect=effect,
    )


def html_answer(
    request: web.Request, html: bytes, lang: str, tag: ETag | None = None
) -> web.Response:
    """Return a page; the browser remembers the language that its address chose in a cookie."""
    response = web.Response(body=html, content_type="text/html", charset="utf-8")
    response.headers["Content-Language"] = lang
    response.headers["Vary"] = "Accept-Language, Cookie"
    if tag is not None:
        add_tag(response, tag)
    if request.query.get("lang") in INTERFACE_LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE, lang, max_age=YEAR_SECONDS, httponly=True, samesite="Lax"
        )
    return response


def json_answer(body: bytes, tag: ETag | None = None) -> web.Response:
    """Return the JSON of a page."""
    response = web.Response(body=body, content_type="application/json")
    if tag is not None:
        add_tag(response, tag)
    return response
