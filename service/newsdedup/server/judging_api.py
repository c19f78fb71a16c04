"""The part of the API that judges: checking items, keeping them, and the feedback of editors."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web
from msgspec import Struct

from newsdedup.adapters.formats.json_object import why_no_json
from newsdedup.ports.isolation import INTERNAL_ERROR
from newsdedup.server.access import require_token
from newsdedup.server.api_queries import CheckQuery, NoQuery
from newsdedup.server.checkers import CheckResult, CheckResults
from newsdedup.server.editor_commands import Feedback, FeedbackItem, FeedbackKind, FeedbackResult
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import Operation, Route, answer_json, read_json_body, read_query
from newsdedup.server.services import services_of

_RAW: Final = msgspec.json.Decoder(msgspec.Raw)
_LIST: Final = msgspec.json.Decoder(list[msgspec.Raw])
_LINE_ENDS: Final = bytes.maketrans(b"\r\n", b"  ")


class FeedbackRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What an editor says about two items."""

    kind: FeedbackKind
    item: FeedbackItem
    """The item that is no duplicate, or should be the original."""
    other: FeedbackItem
    """What it was taken for a duplicate of, is of one story with, or replaces as the original."""


_CHECK: Final = Operation(
    name="check",
    method="POST",
    path="/v1/check",
    about="Return the verdict that an item, or each item of a list, would get now; store nothing.",
    query=CheckQuery,
    body="item or list",
    result=CheckResults,
)
_KEEP: Final = Operation(
    name="keep_items",
    method="POST",
    path="/v1/items",
    about="Judge an item or a command, or each one of a list, and keep them.",
    query=NoQuery,
    body="record or list",
    result=CheckResults,
    needs_token=True,
)
_FEEDBACK: Final = Operation(
    name="give_feedback",
    method="POST",
    path="/v1/feedback",
    about="Correct stories by what an editor says about two items, and keep it as a labelled pair.",
    query=NoQuery,
    body=FeedbackRequest,
    result=FeedbackResult,
    needs_token=True,
)


async def _answer_check(request: web.Request) -> web.StreamResponse:
    """Answer POST /v1/check by verdicts, storing nothing; raise RequestRefused without a state."""
    query = read_query(request, CheckQuery)
    services = services_of(request)
    records, alone = await _read_records(request)
    if query.against == "batch":
        return _answer(await services.mutual_checker.check(records), alone=alone)
    if services.checker is None:
        waits = f" (not ready: {'; '.join(reasons)})" if (reasons := services.missing()) else ""
        raise RequestRefused(
            "no-state",
            f"this server has no state to check against{waits}: start newsdedup serve with --state "
            "or --redis; ?against=batch needs none",
        )
    return _answer(await services.checker.check(records), alone=alone)


async def _answer_keep(request: web.Request) -> web.StreamResponse:
    """Answer POST /v1/items: keep records; raise RequestRefused without a token or an engine."""
    read_query(request, NoQuery)
    services = services_of(request)
    require_token(request)
    records, alone = await _read_records(request)
    if services.keeper is None:
        detail = "this server keeps no items: start newsdedup serve with --state and --events"
        raise RequestRefused("no-engine", detail)
    # A client that goes away does not take back what it sent.
    return _answer(await asyncio.shield(services.keeper.keep(records)), alone=alone)


def _answer(results: Sequence[CheckResult], *, alone: bool) -> web.Response:
    """Return the results as JSON; raise RequestRefused if one that came alone was refused."""
    refusal = results[0].refusal if alone else None
    if refusal is not None:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if refusal.code == INTERNAL_ERROR:
            status = HTTPStatus.INTERNAL_SERVER_ERROR
        raise RequestRefused(refusal.code.replace("_", "-"), refusal.reason, status=status)
    return answer_json(CheckResults(tuple(results)))


async def _read_records(request: web.Request) -> tuple[list[bytes], bool]:
    """Return the records of a body, each as a line of JSON, and whether it is one record, no list.

    Raise RequestRefused if the body comes too slowly, is no JSON or has too many records.
    """
    limits = services_of(request).limits
    body = await read_json_body(request)
    # In JSON line ends occur between values only: without them a record is one line.
    line = body.translate(_LINE_ENDS).strip(b" \t")
    alone = not line.startswith(b"[")
    with _json_errors(line):
        records = [_RAW.decode(line)] if alone else _LIST.decode(line)
    if not 1 <= len(records) <= limits.batch:
        detail = f"a list has 1 to {limits.batch} records, not {len(records)}"
        raise RequestRefused("bad-batch", detail)
    return [bytes(record) for record in records], alone


async def _answer_feedback(request: web.Request) -> web.StreamResponse:
    """Answer POST /v1/feedback: carry feedback out; raise RequestRefused without the token."""
    read_query(request, NoQuery)
    require_token(request)
    body = await read_json_body(request)
    with _json_errors(body):
        given = msgspec.json.decode(body, type=FeedbackRequest)
    feedback = Feedback(given.kind, given.item.key, given.other.key)
    return answer_json(await services_of(request).commands.carry_out(feedback))


@contextmanager
def _json_errors(body: bytes) -> Iterator[None]:
    """Raise RequestRefused if a block decodes a body that is no JSON; let ValidationError pass."""
    try:
        yield
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        detail = f"the body is no JSON: {why_no_json(body, error)}"
        raise RequestRefused("bad-json", detail) from error


JUDGING_ROUTES: Final[Sequence[Route]] = (
    (_CHECK, _answer_check),
    (_KEEP, _answer_keep),
    (_FEEDBACK, _answer_feedback),
)
