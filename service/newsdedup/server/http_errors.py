"""Errors as answers: problem+json (RFC 9457) for programs, a page for people where one is made."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Final

import msgspec
from aiohttp import web
from msgspec import Struct

from newsdedup.archive.filters import CursorInvalid
from newsdedup.ports.errors import InvalidItem, NewsdedupError, Unavailable

LOG = logging.getLogger("newsdedup.server")
PROBLEM_JSON: Final = "application/problem+json"
_PROGRAM_PATHS: Final = ("/v1/", "/feeds/", "/openapi.json", "/healthz", "/readyz", "/metrics")
_CLIENT_ERRORS: Final[Mapping[type[Exception], str]] = {
    CursorInvalid: "bad-cursor",
    msgspec.ValidationError: "bad-request",
    UnicodeEncodeError: "bad-request",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ProblemDetails(Struct, frozen=True, kw_only=True):
    """Why a request was refused, as RFC 9457 says."""

    type: str = "about:blank"
    """A URN by which programs tell problems apart; about:blank where the status says all."""
    title: str
    status: int
    detail: str
    instance: str
    """The path of the request."""


class RequestRefused(Exception):
    """A request that is answered by a problem; `code` is the end of its type, a word or two."""

    def __init__(
        self,
        status: HTTPStatus,
        detail: str,
        *,
        code: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.code = code
        self.headers = dict(headers or {})


ErrorPage = Callable[[web.Request, ProblemDetails], Awaitable[web.Response]]
ERROR_PAGE: Final[web.AppKey[ErrorPage]] = web.AppKey("ERROR_PAGE")
"""Makes the page of an error for people: set by anyone who adds pages to the application."""


@web.middleware
async def answer_errors(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Answer what a handler raises by a problem, or by a page where a browser asked for one."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < HTTPStatus.BAD_REQUEST:
            raise
        refused = _refusal_of_http(error)
    except Exception as error:  # noqa: BLE001 - a bug is logged, and ends one request alone
        refused = refusal_of(error)
    return await answer_refusal(request, refused)


async def answer_refusal(request: web.Request, refused: RequestRefused) -> web.Response:
    """Return the answer to a refused request."""
    problem = ProblemDetails(
        type=f"urn:newsdedup:problem:{refused.code}" if refused.code else "about:blank",
        title=refused.status.phrase,
        status=refused.status.value,
        detail=refused.detail,
        instance=request.path,
    )
    page = request.app.get(ERROR_PAGE)
    if page is not None and wants_page(request):
        response = await page(request, problem)
        response.set_status(refused.status.value)
    else:
        response = web.Response(
            status=refused.status.value,
            body=msgspec.json.encode(problem),
            content_type=PROBLEM_JSON,
        )
    response.headers.update(refused.headers)
    response.headers["Cache-Control"] = "no-store"
    return response


def wants_page(request: web.Request) -> bool:
    """Return whether an error is to be shown as a page: to a browser, of a path of pages."""
    if request.path.startswith(_PROGRAM_PATHS) or request.path.endswith(".json"):
        return False
    return "text/html" in request.headers.get("Accept", "")


def refusal_of(error: Exception) -> RequestRefused:
    """Return how an error is answered; what nobody foresaw is logged and says nothing of itself."""
    if isinstance(error, RequestRefused):
        return error
    if isinstance(error, InvalidItem):
        code = error.code.replace("_", "-")
        return RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), code=code)
    for kind, code in _CLIENT_ERRORS.items():
        if isinstance(error, kind):
            # msgspec names fields by paths such as `$.limit`.
            detail = str(error).replace("`$.", "`")
            return RequestRefused(HTTPStatus.BAD_REQUEST, detail, code=code)
    if isinstance(error, NewsdedupError):
        LOG.warning("unavailable reason=%s", error)
        later = {"Retry-After": "5"} if isinstance(error, Unavailable) else {}
        code = "unavailable" if later else "unusable"
        return RequestRefused(HTTPStatus.SERVICE_UNAVAILABLE, str(error), code=code, headers=later)
    LOG.error("request_failed", exc_info=error)
    return RequestRefused(HTTPStatus.INTERNAL_SERVER_ERROR, "this is a bug in newsdedup")


def _refusal_of_http(error: web.HTTPException) -> RequestRefused:
    """Return the refusal for an error that aiohttp raised."""
    status = HTTPStatus(error.status)
    headers = {name: error.headers[name] for name in ("Allow",) if name in error.headers}
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return RequestRefused(status, "the body is larger than this server takes", code="too-large")
    detail = {
        HTTPStatus.NOT_FOUND: "there is nothing at this address",
        HTTPStatus.METHOD_NOT_ALLOWED: "this address takes other methods",
    }.get(status, error.reason)
    return RequestRefused(status, detail, headers=headers)
