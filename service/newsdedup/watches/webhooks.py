"""Webhooks: hits as signed requests, by the form of https://www.standardwebhooks.com."""

import base64
import binascii
import hmac
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from newsdedup.feeder.fetching.address_guard import admits_all, is_public
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.fetcher import FetchLimits, open_fetcher, user_agent
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.watches.hits import LONGEST_WAIT, UnsentHit

ID_HEADER: Final = "webhook-id"
TIME_HEADER: Final = "webhook-timestamp"
SIGNATURE_HEADER: Final = "webhook-signature"
_PREFIX: Final = "whsec_"
_LEAST_SECRET_BYTES: Final = 16
_LIMITS: Final = FetchLimits(
    body=2**16,
    total=timedelta(seconds=10),
    connect=timedelta(seconds=5),
    silence=timedelta(seconds=10),
    redirects=0,
)
"""Of one attempt; the answer's body is not read."""


class SendOutcome(NamedTuple):
    """What a webhook did with a request."""

    taken: bool
    problem: str
    """Why not: a status or what kept it from an answer; the address is named by its host alone."""


class Sender(Protocol):
    """Sends a body to a webhook, which may fail but never raises NewsdedupError."""

    async def __call__(self, delivery: UnsentHit) -> SendOutcome:
        """Return whether the webhook has taken the body."""


def signing_key(secret: str) -> bytes:
    """Return the key of a secret: after `whsec_` it is base64, else the characters are the key.

    Return b"" for no secret; raise SettingsInvalid for one that could be guessed.
    """
    if not secret:
        return b""
    key = secret.encode("utf-8", "surrogateescape")
    if secret.startswith(_PREFIX):
        try:
            key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
        except binascii.Error as error:
            raise SettingsInvalid("watches.secret: after whsec_ it must be base64") from error
    if len(key) < _LEAST_SECRET_BYTES:
        raise SettingsInvalid(
            f"watches.secret: it has fewer than {_LEAST_SECRET_BYTES} bytes and could be guessed; "
            "`openssl rand -hex 32` makes a good one"
        )
    return key


def sign_body(key: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of `webhook-signature`: HMAC-SHA256 of id, time and body with a key."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, sha256)).decode()


def wait_before(delivery: UnsentHit, first: timedelta) -> timedelta:
    """Return how long to wait after a failed attempt: twice as long each time, at most six hours.

    A quarter more or less keeps many from coming at once; it follows from the id and the number of
    the attempt alone, so that it is the same each time that it is computed.
    """
    seed = sha256(f"{delivery.id}.{delivery.attempts}".encode()).digest()
    part = int.from_bytes(seed[:4]) / 2**32
    doubled = first.total_seconds() * 2.0 ** min(delivery.attempts, 40)
    return timedelta(seconds=min(LONGEST_WAIT.total_seconds(), doubled) * (0.75 + part / 2))


@asynccontextmanager
async def open_sender(
    key: bytes,
    *,
    contact: str,
    allow_private: bool,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> AsyncIterator[Sender]:
    """Yield what sends bodies, signed with a key; without a key nothing is sent.

    Only addresses in the Internet get one unless `allow_private`, at the port that they name;
    a redirect is a failure, and its target gets nothing.
    """
    async with open_fetcher(
        _LIMITS,
        agent=user_agent(contact),
        now=clock,
        admits=admits_all if allow_private else is_public,
    ) as fetcher:

        async def send(delivery: UnsentHit) -> SendOutcome:
            if not key:
                return SendOutcome(False, "watches.secret is not set: nothing is sent unsigned")
            timestamp = int(clock().timestamp())
            headers = {
                "Content-Type": "application/json",
                ID_HEADER: delivery.id,
                TIME_HEADER: str(timestamp),
                SIGNATURE_HEADER: sign_body(key, delivery.id, timestamp, delivery.body),
            }
            try:
                status = await fetcher.post(delivery.address, delivery.body, headers)
            except FetchError as error:
                return SendOutcome(False, str(error))
            return SendOutcome(
                200 <= status < 300, "" if 200 <= status < 300 else f"status {status}"
            )

        yield send
