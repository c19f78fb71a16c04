"""The part of the API that judges: checking items, and keeping them."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web

from newsdedup.ports.isolation import INTERNAL_ERROR
from newsdedup.server.access import require_token
from newsdedup.server.api_queries import CheckQuery, NoQuery
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.judgements import CheckResult, CheckResults
from newsdedup.server.operations import Operation, answer_json, read_query
from newsdedup.server.request_bodies import read_json_body
from newsdedup.server.services import services_of

_RAW: Final = msgspec.json.Decoder(msgspec.Raw)
_LIST: Final = msgspec.json.Decoder(list[msgspec.Raw])
_LINE_ENDS: Final = bytes.maketrans(b"\r\n", b"  ")

BODY_ERRORS: Final = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""What an operation with a body may answer for that."""
CHECK: Final = Operation(
    name="check",
    method="POST",
    path="/v1/check",
    about="Return the verdict that an item, or each item of a list, would get now; store nothing.",
    query=CheckQuery,
    body="item or list",
    result=CheckResults,
    errors=BODY_ERRORS,
    tagged=False,
)
KEEP: Final = Operation(
    name="keep_items",
    method="POST",
    path="/v1/items",
    about="Judge an item or a command, or each one of a list, and keep them.",
    query=NoQuery,
    body="record or list",
    result=CheckResults,
    errors=(HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, *BODY_ERRORS),
    needs_token=True,
    tagged=False,
)


async def answer_check(request: web.Request) -> web.StreamResponse:
    """Answer POST /v1/check."""
    query = read_query(request, CheckQuery)
    services = services_of(request)
    records, alone = await _read_records(request)
    if query.against == "batch":
        return _answer(await services.mutual_checker.check(records), alone=alone)
    if services.checker is None:
        raise RequestRefused(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "this server has no state to check against: start newsdedup serve with --state or "
            "--redis; ?against=batch needs none",
            code="no-state",
        )
    return _answer(await services.checker.check(records), alone=alone)


async def answer_keep(request: web.Request) -> web.StreamResponse:
    """Answer POST /v1/items."""
    read_query(request, NoQuery)
    services = services_of(request)
    require_token(request)
    records, alone = await _read_records(request)
    if services.keeper is None:
        raise RequestRefused(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "this server keeps no items: start newsdedup serve with --state and --events",
            code="no-engine",
        )
    # A client that goes away does not take back what it sent.
    return _answer(await asyncio.shield(services.keeper.keep(records)), alone=alone)


def _answer(results: Sequence[CheckResult], *, alone: bool) -> web.Response:
    """Return the results; a single record that was refused is a problem, ours if a bug was."""
    refusal = results[0].refusal if alone else None
    if refusal is not None:
        is_ours = refusal.code == INTERNAL_ERROR
        raise RequestRefused(
            HTTPStatus.INTERNAL_SERVER_ERROR if is_ours else HTTPStatus.UNPROCESSABLE_ENTITY,
            refusal.reason,
            code=refusal.code.replace("_", "-"),
        )
    return answer_json(CheckResults(tuple(results)))


async def _read_records(request: web.Request) -> tuple[list[bytes], bool]:
    """Return the records of a body, each as a line of JSON, and whether it is one, not a list.

    Raise RequestRefused if the body comes too slowly, is no JSON or holds too many.
    """
    limits = services_of(request).limits
    body = await read_json_body(request)
    # In JSON line ends stand between values only: without them a record is one line.
    line = body.translate(_LINE_ENDS).strip(b" \t")
    alone = not line.startswith(b"[")
    try:
        records = [_RAW.decode(line)] if alone else _LIST.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, f"the body is no JSON: {error}", code="bad-json"
        ) from error
    if not 1 <= len(records) <= limits.batch:
        raise RequestRefused(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"a list has 1 to {limits.batch} records, not {len(records)}",
            code="bad-batch",
        )
    return [bytes(record) for record in records], alone
