"""The pages of editors: signing in by the token, and what became of a feedback."""

import secrets
from collections import OrderedDict
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web
from msgspec import Struct
from msgspec.structs import astuple

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import ItemSummary
from newsdedup.core.model import ItemKey
from newsdedup.server.access import (
    require_own_page,
    require_session,
    sign_in,
    sign_out,
    token_matches,
)
from newsdedup.server.editor_commands import FEEDBACK_KINDS, Feedback, FeedbackKind, FeedbackResult
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import read_form
from newsdedup.server.pages.languages import chosen_language
from newsdedup.server.pages.links import MOST_URL_CHARS, linked_page, page_url, split_key
from newsdedup.server.pages.page_query import MOST_KEY_CHARS
from newsdedup.server.pages.rendering import html_answer, page_context, render_page
from newsdedup.server.services import services_of

_SIGN_IN_PATH: Final = "/sign-in"
_FEEDBACK_PATH: Final = "/feedback"
_MOST_OUTCOMES: Final = 200
"""What became of the latest feedback is kept, so that its page can be loaded again."""
_OUTCOMES: Final = web.AppKey("_OUTCOMES", OrderedDict[str, tuple[Feedback, FeedbackResult]])
_UNSAFE: Final = frozenset([*map(chr, range(0x21)), "\\", "\x7f"])


class SignInView(Struct, frozen=True, kw_only=True):
    """The page of signing in and out."""

    back: str
    """The page to which a browser returns."""
    wrong: bool = False
    """Whether a wrong token was given."""


class FeedbackView(Struct, frozen=True, kw_only=True):
    """What became of a feedback."""

    kind: FeedbackKind
    item: ItemSummary | None
    """The item as it is judged now; None for one that is gone."""
    other: ItemSummary | None
    result: FeedbackResult


def add_editing(app: web.Application) -> None:
    """Add the pages of editors."""
    app.router.add_get(_SIGN_IN_PATH, _show_sign_in)
    app.router.add_post(_SIGN_IN_PATH, _sign_in)
    app.router.add_post("/sign-out", _sign_out)
    app.router.add_post(_FEEDBACK_PATH, _give_feedback)
    app.router.add_get(_FEEDBACK_PATH, _show_outcome)
    app[_OUTCOMES] = OrderedDict()


def local_address(address: str) -> str:
    """Return a path of this server as it is, "/" for an address that may lead elsewhere."""
    if len(address) > MOST_URL_CHARS or not _UNSAFE.isdisjoint(address):
        return "/"
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    local = not parts.scheme and not parts.netloc and address[:1] == "/" and address[:2] != "//"
    return address if local else "/"


async def _show_sign_in(request: web.Request) -> web.Response:
    """Answer GET /sign-in with the form for the token."""
    view = SignInView(back=local_address(request.query.get("back", "/")))
    return own_page(request, "sign_in.html", view, _SIGN_IN_PATH)


async def _sign_in(request: web.Request) -> web.Response:
    """Answer POST /sign-in: begin a session, or show the form again after a wrong token."""
    require_own_page(request)
    form = await read_form(request)
    back = local_address(form.get("back", "/"))
    if not token_matches(request, form.get("token", "").strip()):
        view = SignInView(back=back, wrong=True)
        response = own_page(request, "sign_in.html", view, _SIGN_IN_PATH)
        response.set_status(HTTPStatus.FORBIDDEN)
        return response
    response = see_other(back)
    sign_in(request, response)
    return response


async def _sign_out(request: web.Request) -> web.Response:
    """Answer POST /sign-out: end the session."""
    require_own_page(request)
    response = see_other(local_address((await read_form(request)).get("back", "/")))
    sign_out(request, response)
    return response


async def _give_feedback(request: web.Request) -> web.Response:
    """Answer POST /feedback: carry out a form of our pages, and lead to what became of it.

    Raise RequestRefused for another form or a user who has not signed in, and what `carry_out`
    does.
    """
    require_own_page(request)
    require_session(request)
    feedback = await _feedback_of(request, await read_form(request))
    result = await services_of(request).commands.carry_out(feedback)
    outcomes, name = request.app[_OUTCOMES], secrets.token_urlsafe(9)
    outcomes[name] = (feedback, result)
    if len(outcomes) > _MOST_OUTCOMES:
        outcomes.popitem(last=False)
    return see_other(page_url(_FEEDBACK_PATH, id=name))


async def _show_outcome(request: web.Request) -> web.Response:
    """Answer GET /feedback?id=: what became of a feedback; loading it again changes nothing.

    Raise RequestRefused for a user who has not signed in, and if it is not known any more.
    """
    require_session(request)
    found = request.app[_OUTCOMES].get(request.query.get("id", ""))
    if found is None:
        raise RequestRefused("unknown-outcome", "what became of this correction is not kept")
    feedback, result = found
    keys = feedback.item, feedback.other
    item, other = await services_of(request).pool.run(lambda reader: reader.summaries(keys))
    view = FeedbackView(kind=feedback.kind, item=item, other=other, result=result)
    return own_page(request, "feedback.html", view, _FEEDBACK_PATH)


async def _feedback_of(request: web.Request, form: Mapping[str, str]) -> Feedback:
    """Return the feedback of a form; raise RequestRefused for a form that is not of our pages.

    The other item may be named by the address of its page, or of the page of its story.
    """
    kind = next((one for one in FEEDBACK_KINDS if one == form.get("kind")), None)
    other = "original" if kind == "wrong_original" else "other"
    keys = [split_key(form.get(name, "")[:MOST_KEY_CHARS]) for name in ("item", other)]
    if "address" in form:
        address = form["address"]
        keys[1] = await services_of(request).pool.run(lambda reader: _item_at(reader, address))
    if kind is None or keys[0] is None or keys[1] is None:
        raise RequestRefused("bad-form", "this form names no kind of feedback or no items")
    return Feedback(kind, ItemKey(*keys[0]), ItemKey(*keys[1]))


def _item_at(reader: ArchiveReader, address: str) -> tuple[str, str]:
    """Return source and id of the item that a page shows, for the page of a story its original.

    Raise RequestRefused for an address of another page, or of a story that does not exist.
    """
    shown = linked_page(address)
    if isinstance(shown, str):
        story = reader.story(shown, limit=1)
        shown = None if story is None else astuple(story.summary.original)
    if shown is None:
        detail = "this is the address of no story and of no item here"
        raise RequestRefused("other-address", detail)
    return shown


def own_page(request: web.Request, template: str, view: Struct, path: str) -> web.Response:
    """Return a page that no cache keeps; `path` is its path."""
    lang = chosen_language(request)
    html = render_page(template, view, page_context(request, lang, path, ""))
    response = html_answer(request, html, lang)
    response.headers["Cache-Control"] = "no-store"
    return response


def see_other(address: str) -> web.Response:
    """Return the answer that sends a browser to another page, which it requests by GET."""
    headers = {"Location": address, "Cache-Control": "no-store"}
    return web.Response(status=HTTPStatus.SEE_OTHER, headers=headers)
