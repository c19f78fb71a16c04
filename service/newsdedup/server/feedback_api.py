"""The part of the API by which an editor corrects stories: feedback on two items."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web
from msgspec import Struct

from newsdedup.adapters.formats.feedback_json import Feedback, FeedbackKind
from newsdedup.server.access import require_token
from newsdedup.server.api_queries import NoQuery
from newsdedup.server.editor_commands import FeedbackItem, FeedbackResult
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.judging_api import BODY_ERRORS
from newsdedup.server.operations import Operation, answer_json, read_query
from newsdedup.server.request_bodies import read_json_body
from newsdedup.server.services import services_of


class FeedbackRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What an editor says of two items."""

    kind: FeedbackKind
    item: FeedbackItem
    """The item that is no duplicate, or should be the original."""
    other: FeedbackItem
    """What it was taken for a duplicate of, tells the same story as, or was the original."""


FEEDBACK: Final = Operation(
    name="give_feedback",
    method="POST",
    path="/v1/feedback",
    about="Correct stories by what an editor says of two items, and keep it as a labelled pair.",
    query=NoQuery,
    takes=FeedbackRequest,
    result=FeedbackResult,
    errors=(HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, *BODY_ERRORS),
    needs_token=True,
    tagged=False,
)


async def answer_feedback(request: web.Request) -> web.StreamResponse:
    """Answer POST /v1/feedback."""
    read_query(request, NoQuery)
    require_token(request)
    body = await read_json_body(request)
    try:
        given = msgspec.json.decode(body, type=FeedbackRequest)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, f"the body is no JSON: {error}", code="bad-json"
        ) from error
    return answer_json(
        await carry_out(request, Feedback(given.kind, given.item.key, given.other.key))
    )


async def carry_out(request: web.Request, feedback: Feedback) -> FeedbackResult:
    """Return what became of a feedback; raise RequestRefused where none is taken."""
    commands = services_of(request).commands
    if commands.effect == "none":
        raise RequestRefused(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "this server takes no feedback: set server.feedback, or start newsdedup serve with "
            "--events or --kafka",
            code="no-feedback",
        )
    return await commands.carry_out(feedback, datetime.now(UTC))
