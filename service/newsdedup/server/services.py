"""What the handlers of the server work with; `services_of` finds it for a request."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from aiohttp import web

from newsdedup.server.cached_answers import CachedAnswers
from newsdedup.server.change_feed import ChangeFeed
from newsdedup.server.checkers import EngineKeeper
from newsdedup.server.editor_commands import EditorCommands
from newsdedup.server.feed_overview import FeedOverview
from newsdedup.server.judgements import Checker, CompareItems
from newsdedup.server.reader_pool import ReaderPool
from newsdedup.server.request_rate import OpenRequests, RequestRate

if TYPE_CHECKING:
    from newsdedup.server.request_metrics import RequestMetrics


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """How large the body of a request may be, and how slowly it may arrive."""

    body_bytes: int = 2 * 2**20
    body_seconds: float = 20.0
    batch: int = 100
    """Records of one request."""
    proxies: int = 0
    """Own proxies in front of this server, which name the client in X-Forwarded-For."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerServices:
    """What an application serves; bootstrap makes and closes it."""

    pool: ReaderPool
    answers: CachedAnswers
    changes: ChangeFeed
    start: str = field(default_factory=partial(secrets.token_hex, 4))
    """A tag of this start of the server, for its entity tags."""
    checker: Checker | None = None
    """Without one /v1/check answers 503."""
    keeper: EngineKeeper | None = None
    feeds: FeedOverview | None = None
    """The feeds of the feeder that runs here, or whose file was named; None without a feeder."""
    commands: EditorCommands
    """Takes the feedback of editors."""
    mutual_checker: Checker
    compare: CompareItems
    rate: RequestRate
    open_requests: OpenRequests
    limits: RequestLimits = RequestLimits()
    token: str = ""
    """For writing; empty: nobody may write."""
    host_names: frozenset[str] = frozenset()
    """Names that this server answers to; empty: any."""
    origins: frozenset[str] = frozenset()
    """Other sites whose pages may read the API."""
    missing: Callable[[], list[str]] = list
    """Returns why the server is not ready, an empty list if it is."""
    metrics: "RequestMetrics | None" = None
    """None where prometheus-client is not installed."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server ends: streams end then."""


SERVICES: Final = web.AppKey("SERVICES", ServerServices)


def services_of(request: web.Request) -> ServerServices:
    """Return the services of the application that got a request."""
    return request.app[SERVICES]
