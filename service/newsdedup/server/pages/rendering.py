"""HTML of the values that a page shows: templates, what they may call, and responses."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

import jinja2
from aiohttp import web
from msgspec import Struct

from newsdedup.server.access import is_signed_in
from newsdedup.server.compression import add_vary
from newsdedup.server.editor_commands import FeedbackEffect
from newsdedup.server.pages import charts, links, volume_charts, wording
from newsdedup.server.pages.languages import (
    INTERFACE_FIELD,
    INTERFACE_LANGUAGES,
    LANGUAGE_COOKIE,
    interface_texts,
)
from newsdedup.server.pages.wording import Wording
from newsdedup.server.services import services_of

YEAR_SECONDS: Final = 365 * 24 * 3_600

STATIC_FILES: Final = {
    "pages.css": "text/css",
    "pages.js": "text/javascript",
    "front.css": "text/css",
    "front.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file that pages load, and a tag that changes with it."""

    name: str
    body: bytes
    content_type: str
    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """What every page shows besides its values."""

    lang: str
    path: str
    twin_path: str
    query: Mapping[str, str]
    """The parameters of the page, without the language of the interface."""
    ignored: tuple[str, ...] = ()
    """Names of the address that mean nothing to the page."""
    has_feeds: bool = False
    """Whether there is a feeder, whose feeds a page shows."""
    has_watches: bool = False
    """Whether there are saved searches, or could be."""
    can_sign_in: bool = False
    """Whether there is a token, and something that editors may change."""
    signed_in: bool = False
    effect: FeedbackEffect = "none"

    def reading(self, names: Container[str]) -> "PageContext":
        """Return the context of a page that has read the parameters `names` and ignores others."""
        query = {name: value for name, value in self.query.items() if name in names}
        ignored = tuple([name for name in self.query if name not in names])
        return replace(self, query=query, ignored=ignored)

    @property
    def gives_feedback(self) -> bool:
        """Return whether the page has the buttons of editors."""
        return self.edits and self.effect in ("engine", "topic")

    @property
    def edits(self) -> bool:
        """Return whether the reader has signed in and may change something."""
        return self.can_sign_in and self.signed_in

    @property
    def own_address(self) -> str:
        """Return the address of this page, "/" for a page that only a form leads to."""
        return self.here() if self.twin_path else "/"

    def here(self, **values: object) -> str:
        """Return the address of this page with other values; an empty one omits its name."""
        return self.elsewhere(self.path, **values)

    def elsewhere(self, path: str, **values: object) -> str:
        """Return the address of another page with the values of this one, and with other ones."""
        return links.page_url(path, **(dict(self.query) | values))

    @property
    def twin(self) -> str:
        """Return the address of the same values as JSON."""
        return links.page_url(self.twin_path, **self.query)

    def csv(self, table: str, **values: object) -> str:
        """Return the address of a table of this page as CSV, from its first row on."""
        query = {**self.query, "cursor": "", "page": "", "table": table, **values}
        return links.page_url(csv_path(self.twin_path), **query)


def csv_path(twin: str) -> str:
    """Return the path of the tables of a page as CSV, by that of its JSON."""
    return twin.removesuffix(".json") + ".csv"


@cache
def static_file(name: str) -> StaticFile:
    """Return the file with a name of STATIC_FILES."""
    body = (files(__package__) / "static" / name).read_bytes()
    return StaticFile(name, body, STATIC_FILES[name], sha256(body).hexdigest()[:12])


def _static_url(name: str) -> str:
    """Return the address of one of STATIC_FILES, which changes with its body."""
    return f"/static/{name}?v={static_file(name).tag}"


@cache
def _environment() -> jinja2.Environment:
    """Return the templates: every value in them is escaped, a missing one is an error."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("newsdedup.server.pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(
        links=links,
        charts=charts,
        volume_charts=volume_charts,
        static_url=_static_url,
        interface_languages=INTERFACE_LANGUAGES,
    )
    environment.filters.update(
        isolated=wording.isolated,
        without_overrides=wording.without_overrides,
        plain_line=wording.plain_line,
        unmarked=wording.unmarked,
    )
    return environment


def load_templates() -> None:
    """Compile all templates, so that the first pages do not wait for that."""
    for name in _environment().list_templates():
        _environment().get_template(name)


def render_page(
    template: str, view: Struct, context: PageContext, give_way: Callable[[], object] = lambda: None
) -> bytes:
    """Return the HTML of a view by its template (a file name), in the language of the context.

    `give_way` is called between its parts: other threads may go first.
    """
    texts = interface_texts(context.lang)
    made = _environment().get_template(template)
    parts: list[str] = []
    for part in made.generate(view=view, page=context, t=texts, w=Wording(texts)):
        parts.append(part)
        give_way()
    # A lone surrogate of a hostile text cannot be sent.
    return "".join(parts).encode("utf-8", "replace")


def page_context(request: web.Request, lang: str, path: str, twin: str) -> PageContext:
    """Return what the frame of a page shows; `twin` is the path of its JSON, "" without one."""
    services = services_of(request)
    effect, has_watches = services.commands.effect, services.watcher is not None
    return PageContext(
        lang=lang,
        path=path,
        twin_path=twin,
        # Of a value that is given twice the first counts, as for the page.
        query={
            name: request.query[name]
            for name in request.query
            if name != INTERFACE_FIELD and request.query[name]
        },
        has_feeds=services.feeds is not None,
        has_watches=has_watches,
        can_sign_in=bool(services.token) and (effect in ("engine", "topic") or has_watches),
        signed_in=is_signed_in(request),
        effect=effect,
    )


def html_answer(request: web.Request, html: bytes, lang: str) -> web.Response:
    """Return HTML in a language as a response; ?interface= in the address sets the cookie, too."""
    response = web.Response(body=html, content_type="text/html", charset="utf-8")
    response.headers["Content-Language"] = lang
    add_vary(response, "Accept-Language", "Cookie")
    if request.query.get(INTERFACE_FIELD) in INTERFACE_LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE, lang, max_age=YEAR_SECONDS, httponly=True, samesite="Lax"
        )
    return response
