"""Errors as answers: problem+json (RFC 9457) for programs, a page for people in a browser."""

import logging
from collections.abc import Awaitable, Callable
from functools import lru_cache
from http import HTTPStatus
from time import monotonic
from typing import Final

import msgspec
from aiohttp import web
from msgspec import Struct

from newsdedup.archive.search import CursorInvalid
from newsdedup.ports.errors import InvalidItem, NewsdedupError, Unavailable

LOG = logging.getLogger("newsdedup.server")
PROBLEM_JSON: Final = "application/problem+json"
_PROGRAM_PATHS: Final = ("/v1/", "/feeds/", "/openapi.json", "/healthz", "/readyz", "/metrics")
_CODES: Final = {
    HTTPStatus.BAD_REQUEST: "bad-body bad-cursor bad-form bad-json bad-query bad-request "
    "other-address",
    HTTPStatus.UNAUTHORIZED: "no-token",
    HTTPStatus.FORBIDDEN: "foreign read-only signed-out",
    HTTPStatus.NOT_FOUND: "not-found unknown-item unknown-outcome unknown-source unknown-story",
    HTTPStatus.REQUEST_TIMEOUT: "slow-body",
    HTTPStatus.GONE: "retracted withdrawn",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too-large",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "no-json",
    HTTPStatus.MISDIRECTED_REQUEST: "other-host",
    HTTPStatus.UNPROCESSABLE_ENTITY: "bad-batch",
    HTTPStatus.TOO_MANY_REQUESTS: "too-many-requests",
    HTTPStatus.SERVICE_UNAVAILABLE: "busy no-engine no-feedback no-state unavailable unusable",
}
_STATUS_OF_CODE: Final = {code: status for status in _CODES for code in _CODES[status].split()}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ProblemDetails(Struct, frozen=True, kw_only=True):
    """Why a request was refused (RFC 9457)."""

    type: str = "about:blank"
    """A URN by which programs distinguish problems; about:blank where the status is enough."""
    title: str
    status: int
    detail: str
    instance: str
    """The path of the request."""


class RequestRefused(Exception):
    """A request that is answered by a problem.

    `code` is the end of the type of the problem, "" for about:blank; `status` is needed for a code
    that _CODES lacks.
    """

    def __init__(
        self, code: str, detail: str, *, status: HTTPStatus | None = None, **headers: str
    ) -> None:
        """Take headers of the answer by their names, with underscores for hyphens."""
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.status = status or _STATUS_OF_CODE[code]
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


ErrorPage = Callable[[web.Request, ProblemDetails], Awaitable[web.Response]]
ERROR_PAGE: Final[web.AppKey[ErrorPage]] = web.AppKey("ERROR_PAGE")
"""Makes the page of an error for people: set where pages are added to the application."""


@web.middleware
async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer what a handler raises by a problem, or by a page where a browser asked for one."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < HTTPStatus.BAD_REQUEST:
            raise
        refused = _refusal_of_http(error)
    except Exception as error:  # noqa: BLE001 - a bug is logged, and ends one request alone
        refused = _refusal_of(error)
    problem = ProblemDetails(
        type=f"urn:newsdedup:problem:{refused.code}" if refused.code else "about:blank",
        title=refused.status.phrase,
        status=refused.status.value,
        detail=refused.detail,
        instance=request.path,
    )
    page = request.app.get(ERROR_PAGE)
    is_program = request.path.startswith(_PROGRAM_PATHS) or request.path.endswith(".json")
    if page is not None and not is_program and "text/html" in request.headers.get("Accept", ""):
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


def _refusal_of(error: Exception) -> RequestRefused:
    """Return how an error is answered; a bug is logged, and its answer does not describe it."""
    if isinstance(error, RequestRefused):
        return error
    if isinstance(error, InvalidItem):
        code = error.code.replace("_", "-")
        return RequestRefused(code, str(error), status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if isinstance(error, CursorInvalid | msgspec.ValidationError | UnicodeEncodeError):
        code = "bad-cursor" if isinstance(error, CursorInvalid) else "bad-request"
        # msgspec names fields by paths such as `$.limit`.
        return RequestRefused(code, str(error).replace("`$.", "`"))
    if isinstance(error, NewsdedupError):
        _warn_once(str(error), int(monotonic() // 60))
        if isinstance(error, Unavailable):
            return RequestRefused("unavailable", str(error), Retry_After="5")
        return RequestRefused("unusable", str(error))
    LOG.error("request_failed", exc_info=error)
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return RequestRefused("", "this is a bug in newsdedup", status=status)


@lru_cache(maxsize=100)
def _warn_once(reason: str, minute: int) -> None:
    """Log why requests fail, each reason once a minute, not at each request."""
    del minute
    LOG.warning("unavailable reason=%s", reason)


def _refusal_of_http(error: web.HTTPException) -> RequestRefused:
    """Return how an error of aiohttp itself is answered, such as an unknown path."""
    status = HTTPStatus(error.status)
    headers = {name: error.headers[name] for name in ("Allow",) if name in error.headers}
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return RequestRefused("too-large", "the body is larger than this server takes")
    detail = {
        HTTPStatus.NOT_FOUND: "there is nothing at this address",
        HTTPStatus.METHOD_NOT_ALLOWED: "this address takes other methods",
    }.get(status, error.reason)
    return RequestRefused("", detail, status=status, **headers)
