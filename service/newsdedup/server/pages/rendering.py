"""HTML of the values that a page shows: templates, and what they may call."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

import jinja2
from msgspec import Struct

from newsdedup.server.editor_commands import FeedbackEffect
from newsdedup.server.pages import charts, links, wording
from newsdedup.server.pages.languages import INTERFACE_LANGUAGES, interface_texts
from newsdedup.server.pages.wording import Wording

STATIC_FILES: Final = {
    "pages.css": "text/css",
    "pages.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file of ours, and a tag that changes with it."""

    name: str
    body: bytes
    content_type: str
    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """What every page shows alongside its values."""

    lang: str
    path: str
    twin_path: str
    query: Mapping[str, str]
    """Without the language of the interface."""
    has_feeds: bool = False
    """Whether a feeder is known, whose feeds a page shows."""

    can_sign_in: bool = False
    """Whether there is a token, and a place for feedback."""
    signed_in: bool = False
    effect: FeedbackEffect = "none"
    """What feedback does here."""

    @property
    def gives_feedback(self) -> bool:
        """Return whether the page has the buttons of editors."""
        return self.can_sign_in and self.signed_in

    @property
    def own_address(self) -> str:
        """Return the address of this page, "/" of one that only a form leads to."""
        return links.changed_url(self.path, self.query) if self.twin_path else "/"

    def here(self, **values: object) -> str:
        """Return the address of this page with other values."""
        return links.changed_url(self.path, self.query, **values)

    @property
    def twin(self) -> str:
        """Return the address of the same values as JSON."""
        return links.changed_url(self.twin_path, self.query)


@cache
def static_file(name: str) -> StaticFile:
    """Return one of STATIC_FILES."""
    body = (files(__package__) / "static" / name).read_bytes()
    return StaticFile(name, body, STATIC_FILES[name], sha256(body).hexdigest()[:12])


def static_url(name: str) -> str:
    """Return the address of a file of ours, another one for another body."""
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
        item_url=links.item_url,
        story_url=links.story_url,
        source_url=links.source_url,
        compare_url=links.compare_url,
        joined_key=links.joined_key,
        page_url=links.page_url,
        foreign_url=links.foreign_url,
        foreign_host=links.foreign_host,
        static_url=static_url,
        spark_line=charts.spark_line,
        volume_chart=charts.volume_chart,
        timeline_chart=charts.timeline_chart,
        heat=charts.heat,
        interface_languages=INTERFACE_LANGUAGES,
    )
    environment.filters.update(isolated=wording.isolated, plain_line=wording.plain_line)
    return environment


def load_templates() -> None:
    """Compile all templates, which the first pages would wait for."""
    for name in _environment().list_templates():
        _environment().get_template(name)


def render_page(template: str, view: Struct, context: PageContext) -> bytes:
    """Return the HTML of a page in the language of its context."""
    texts = interface_texts(context.lang)
    html = (
        _environment()
        .get_template(template)
        .render(view=view, page=context, t=texts, w=Wording(texts))
    )
    # A lone surrogate of a hostile text cannot be sent.
    return html.encode("utf-8", "replace")
