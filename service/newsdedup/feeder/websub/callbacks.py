"""What hubs are answered at the callbacks: their verifications, their denials and their pushes."""

import re
from collections.abc import AsyncIterable, Callable, Mapping
from http import HTTPStatus
from typing import Final, Literal

from newsdedup.feeder.polling.clock import Clock
from newsdedup.feeder.scheduling.hub_lease import (
    REQUESTED_LEASE,
    HubLease,
    after_denial,
    after_verification,
)
from newsdedup.feeder.state.hub_leases import HubLeases
from newsdedup.feeder.websub.push_signature import PushSignature

PushResult = Literal["accepted", "bad_signature", "too_large", "unknown"]

_SECONDS: Final = re.compile(r"[0-9]{1,12}")
_LONGEST_CHALLENGE: Final = 4_096


class HubCallbacks:
    """Answers hubs; `pushed` gets the lease of each push with a right signature.

    The body of a push is only read for its signature, and never as a feed
    (docs/decisions/0026-pushes-trigger-visits.md).
    """

    def __init__(
        self,
        leases: HubLeases,
        *,
        clock: Clock,
        body_bytes: int,
        pushed: Callable[[HubLease], None],
        count: Callable[[PushResult], None],
    ) -> None:
        self._leases = leases
        self._clock = clock
        self._body_bytes = body_bytes
        self._pushed = pushed
        self._count = count

    def verify(self, token: str, query: Mapping[str, str]) -> str | None:
        """Return the body with which a hub's question is answered 200; None for 404.

        A subscription is confirmed only if this feeder wants it: its topic, and not once denied.
        """
        lease = self._leases.of_token(token)
        if lease is None or query.get("hub.topic") != lease.topic:
            return None
        now = self._clock.now()
        if query.get("hub.mode") == "denied":
            self._leases.store(after_denial(lease, query.get("hub.reason", ""), at=now))
            return ""
        challenge = query.get("hub.challenge", "")
        seconds = _lease_seconds(query.get("hub.lease_seconds"))
        if query.get("hub.mode") != "subscribe" or lease.state == "denied" or not seconds:
            return None
        if not 0 < len(challenge) <= _LONGEST_CHALLENGE:
            return None
        self._leases.store(after_verification(lease, seconds, at=now))
        return challenge

    async def push(self, token: str, signature: str, body: AsyncIterable[bytes]) -> HTTPStatus:
        """Return the status that a push is answered with.

        One with a wrong signature is answered as a right one, and dropped: nobody learns from the
        answer how a signature is guessed.
        """
        lease = self._leases.of_token(token)
        if lease is None:
            self._count("unknown")
            return HTTPStatus.GONE
        check = PushSignature(signature, lease.secret)
        size = 0
        async for part in body:
            size += len(part)
            if size > self._body_bytes:
                self._count("too_large")
                return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            check.add(part)
        if check.matches():
            self._count("accepted")
            self._pushed(lease)
        else:
            self._count("bad_signature")
        return HTTPStatus.ACCEPTED


def _lease_seconds(value: str | None) -> int:
    """Return the seconds of a lease, 0 for what is none; hubs older than WebSub leave them out."""
    if value is None:
        return int(REQUESTED_LEASE.total_seconds())
    return int(value) if _SECONDS.fullmatch(value) else 0
