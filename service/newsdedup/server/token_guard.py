"""Slows those who guess the token: each client's wrong ones make it wait longer for the next."""

import logging
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final

LOG = logging.getLogger("newsdedup.server")
_FREE: Final = 5
"""Wrong tokens of a client before it has to wait: people mistype."""
_MOST_WAIT: Final = 30.0
"""Seconds; the wait begins with 1 and doubles with each wrong token. A longest one that is short
bounds how long others behind the same address wait; at two guesses a minute no token is found."""
_REMEMBERED: Final = 900.0
"""Seconds without a wrong token until a client is forgotten."""
_MOST_CLIENTS: Final = 10_000
"""Clients that are remembered; those that were wrong least recently are forgotten."""


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
        if wrong < _FREE:
            return 0.0
        return max(0.0, at + min(_MOST_WAIT, 2.0 ** (wrong - _FREE)) - self._clock())

    def count_wrong(self, client: str, path: str) -> None:
        """Remember and log a wrong token of a client for a path."""
        now = self._clock()
        wrong, at = self._clients.pop(client, (0, now))
        wrong = wrong + 1 if now - at < _REMEMBERED else 1
        self._clients[client] = (min(wrong, 100), now)
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        LOG.warning("wrong_token client=%s path=%s in_a_row=%d", client, path, wrong)
