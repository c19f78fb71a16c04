"""Counts requests: those of each client in time, and those that are worked on now."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final

_MOST_CLIENTS: Final = 10_000
"""Clients whose requests are counted; more push out those that were quiet longest."""


class RequestRate:
    """Lets each client make `per_second` requests, and twice as many at once (a token bucket)."""

    def __init__(self, per_second: int, *, now: Callable[[], float] = monotonic) -> None:
        self._per_second = per_second
        self._burst = 2.0 * per_second
        self._now = now
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_seconds(self, client: str) -> float:
        """Count a request; return 0, or how long the client is to wait before the next one."""
        if not self._per_second:
            return 0.0
        now = self._now()
        tokens, since = self._clients.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._per_second)
        allowed = tokens >= 1
        self._clients[client] = (tokens - 1 if allowed else tokens, now)
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / self._per_second


class OpenRequests:
    """How many requests are worked on now."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.number = 0
