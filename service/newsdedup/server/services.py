"""What the handlers of the server work with; each finds it in its application."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from aiohttp import web

from newsdedup.server.change_feed import ChangeFeed
from newsdedup.server.editor_commands import EditorCommands
from newsdedup.server.entity_tags import EntityTags
from newsdedup.server.feed_overview import FeedOverview
from newsdedup.server.held_answers import HeldAnswers
from newsdedup.server.judgements import Checker, CompareItems, Keeper
from newsdedup.server.reader_pool import ReaderPool
from newsdedup.server.request_rate import OpenRequests, RequestRate


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """How much one request may bring, and how slowly."""

    body_bytes: int = 2 * 2**20
    body_seconds: float = 20.0
    batch: int = 100
    """Records of one request."""
    proxies: int = 0
    """Proxies of one's own in front of this server, which name the client."""


class ScrapedMetrics(Protocol):
    """What counts requests, and shows the counts."""

    def scrape(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        ...

    async def measure(
        self,
        request: web.Request,
        handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
    ) -> web.StreamResponse:
        """Answer a request by its handler, and count it: a middleware of aiohttp."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerServices:
    """What an application serves, made by bootstrap and closed there."""

    pool: ReaderPool
    held: HeldAnswers
    changes: ChangeFeed
    tags: EntityTags
    checker: Checker | None = None
    """Without one /v1/check answers 503."""
    keeper: Keeper | None = None
    feeds: FeedOverview | None = None
    """The feeds of the feeder that runs here, or whose file was named; None without one."""
    commands: EditorCommands
    """Takes the feedback of editors."""
    mutual_checker: Checker
    compare: CompareItems
    rate: RequestRate
    open_requests: OpenRequests
    limits: RequestLimits = RequestLimits()
    token: str = ""
    """For writing; empty: nobody may."""
    host_names: frozenset[str] = frozenset()
    """Names that this server answers to; empty: any."""
    origins: frozenset[str] = frozenset()
    """Other sites whose pages may read the API."""
    missing: Callable[[], list[str]] = list
    """Returns why the server is not ready, nothing if it is."""
    metrics: ScrapedMetrics | None = None
    """None where prometheus-client is not installed."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server ends: streams end then."""


SERVICES: Final = web.AppKey("SERVICES", ServerServices)


def services_of(request: web.Request) -> ServerServices:
    """Return the services of the application that got a request."""
    return request.app[SERVICES]
