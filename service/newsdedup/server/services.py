"""What the handlers of the server work with; `services_of` finds it for a request."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from aiohttp import web

from newsdedup.feeder.scheduling.hub_lease import HubLease
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.state.feed_state import read_feeds
from newsdedup.feeder.state.feeds_file import read_leases
from newsdedup.server.cached_answers import CachedAnswers
from newsdedup.server.change_feed import ChangeFeed
from newsdedup.server.checkers import Checker, CompareItems, EngineKeeper
from newsdedup.server.editor_commands import EditorCommands
from newsdedup.server.http_errors import LOG
from newsdedup.server.reader_pool import ReaderPool
from newsdedup.watches.watcher import Watcher

if TYPE_CHECKING:
    from newsdedup.server.request_metrics import RequestMetrics

_HOLD_SECONDS: Final = 2.0
"""How long the feeds of a feeder are shown as they were read."""
_MOST_CLIENTS: Final = 10_000
"""Clients whose requests or wrong tokens are counted; the least recent ones are forgotten."""
_FREE_TOKENS: Final = 5
"""Wrong tokens of a client before it has to wait: people mistype."""
_MOST_WAIT: Final = 30.0
"""Seconds; the wait begins with 1 and doubles with each wrong token. A longest one that is short
bounds how long others at the same address wait; at two guesses a minute no token is found."""
_REMEMBERED: Final = 900.0
"""Seconds without a wrong token until a client is forgotten."""


class RequestRate:
    """Lets each client make `per_second` requests, and twice as many at once (a token bucket)."""

    def __init__(self, per_second: int) -> None:
        self._per_second = per_second
        self._burst = 2.0 * per_second
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_seconds(self, client: str) -> float:
        """Count a request; return 0, or for how long the client has to wait before the next one."""
        if not self._per_second:
            return 0.0
        now = monotonic()
        tokens, since = self._clients.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._per_second)
        allowed = tokens >= 1
        self._clients[client] = (tokens - 1 if allowed else tokens, now)
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / self._per_second


class TokenGuard:
    """Counts the wrong tokens of each client.

    While a client waits no token of it is looked at, not even the right one, else it could go on
    guessing. The right token does not shorten the wait of those who share its address.
    """

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._clients: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """How many wrong tokens a client gave, and when the last; the latest client last."""

    def wait_seconds(self, client: str) -> float:
        """Return how long a client has to wait before its next token is looked at, mostly 0."""
        wrong, at = self._clients.get(client, (0, 0.0))
        if wrong < _FREE_TOKENS:
            return 0.0
        return max(0.0, at + min(_MOST_WAIT, 2.0 ** (wrong - _FREE_TOKENS)) - self._clock())

    def count_wrong(self, client: str, path: str) -> None:
        """Remember and log a wrong token of a client for a path."""
        now = self._clock()
        wrong, at = self._clients.pop(client, (0, now))
        wrong = wrong + 1 if now - at < _REMEMBERED else 1
        self._clients[client] = (min(wrong, 100), now)
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        LOG.warning("wrong_token client=%s path=%s in_a_row=%d", client, path, wrong)


class OpenRequests:
    """How many requests are open now, and at most."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.number = 0


class FeedsOfFile(NamedTuple):
    """The feeds and hub leases in the file of a feeder, and when it was read."""

    at: datetime
    feeds: tuple[StoredFeed, ...]
    leases: tuple[HubLease, ...]


class FeedOverview:
    """Reads the file of a feeder, at most every two seconds."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read_at = float("-inf")
        self._feeds: FeedsOfFile | None = None
        self._turn = asyncio.Lock()

    async def read(self) -> FeedsOfFile:
        """Return the feeds as they were at most two seconds ago.

        Raise SourceUnusable if there is no such file, StateUnusable if it cannot be read.
        """
        async with self._turn:
            if self._feeds is None or monotonic() - self._read_at >= _HOLD_SECONDS:
                feeds = await asyncio.to_thread(read_feeds, self._path)
                leases = await asyncio.to_thread(read_leases, self._path)
                self._feeds = FeedsOfFile(datetime.now(UTC), tuple(feeds), tuple(leases))
                self._read_at = monotonic()
            return self._feeds


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
    """None: /v1/check answers 503."""
    keeper: EngineKeeper | None = None
    feeds: FeedOverview | None = None
    """The feeds of the feeder that runs here, or whose file was named; None without a feeder."""
    watcher: Watcher | None = None
    """None without saved searches."""
    commands: EditorCommands
    mutual_checker: Checker
    compare: CompareItems
    rate: RequestRate
    open_requests: OpenRequests
    limits: RequestLimits = RequestLimits()
    token: str = ""
    """For writing; empty: nobody may write."""
    guard: TokenGuard = field(default_factory=TokenGuard)
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
