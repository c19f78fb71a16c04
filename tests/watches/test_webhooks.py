"""Webhooks: their signature, where they may go, and when they are sent again."""

import asyncio
import base64
import hmac
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from newsdedup.ports.errors import SettingsInvalid
from newsdedup.watches.hits import UnsentHit
from newsdedup.watches.webhooks import (
    SendOutcome,
    open_sender,
    sign_body,
    signing_key,
    wait_before,
)
from watches.receiver import receiving

SECRET = "a secret of the tests alone"  # noqa: S105 - of the tests alone
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
BODY = '{"type":"hit","watch":"Пожежа"}'.encode()


def delivery(address: str, *, attempts: int = 0, name: str = "h1") -> UnsentHit:
    return UnsentHit(id=name, watch="fire", address=address, body=BODY, attempts=attempts)


def send(one: UnsentHit, *, secret: str = SECRET, allow_private: bool = True) -> SendOutcome:
    async def run() -> SendOutcome:
        key = signing_key(secret)
        async with open_sender(
            key, contact="", allow_private=allow_private, clock=lambda: NOW
        ) as sender:
            return await sender(one)

    return asyncio.run(run())


def test_the_signature_is_that_of_the_standard() -> None:
    # The example of the specification, https://www.standardwebhooks.com
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105
    signed = sign_body(
        signing_key(secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_webhook_gets_the_body_with_its_id_its_time_and_a_valid_signature() -> None:
    with receiving() as receiver:
        assert send(delivery(receiver.address)) == SendOutcome(True, "")
        (got,) = receiver.received
    assert got.body == BODY
    assert got.id == "h1"
    assert got.headers["content-type"] == "application/json"
    stamp = got.headers["webhook-timestamp"]
    assert int(stamp) == NOW.timestamp()
    mac = hmac.digest(SECRET.encode(), f"h1.{stamp}.".encode() + BODY, sha256)
    assert got.headers["webhook-signature"] == "v1," + base64.b64encode(mac).decode()


def test_only_a_status_of_success_counts_and_no_redirect_is_followed() -> None:
    with receiving() as inside:
        for status in (200, 202, 204):
            with receiving(status) as receiver:
                assert send(delivery(receiver.address)).taken
        for status in (301, 307, 308, 400, 410, 500):
            with receiving(status, location=inside.address) as receiver:
                outcome = send(delivery(receiver.address))
                assert outcome == SendOutcome(False, f"status {status}")
        with receiving(0) as receiver:
            assert not send(delivery(receiver.address)).taken
        assert not inside.received


def test_addresses_of_the_own_network_get_nothing_by_default() -> None:
    with receiving() as receiver:
        for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]"):
            address = receiver.address.replace("127.0.0.1", host)
            outcome = send(delivery(address), allow_private=False)
            assert not outcome.taken
            assert "private" not in outcome.problem.partition(";")[0]
        assert not receiver.received


def test_nothing_is_sent_unsigned() -> None:
    with receiving() as receiver:
        outcome = send(delivery(receiver.address), secret="")
        assert outcome == SendOutcome(False, "watches.secret is not set: nothing is sent unsigned")
        assert not receiver.received


@pytest.mark.parametrize("secret", ["short", "whsec_c2hvcnQ=", "whsec_no base64 at all"])
def test_a_secret_that_could_be_guessed_is_refused(secret: str) -> None:
    with pytest.raises(SettingsInvalid, match=r"watches\.secret") as refused:
        signing_key(secret)
    assert secret not in str(refused.value)


def test_waits_double_up_to_six_hours_and_are_the_same_each_time() -> None:
    first = timedelta(seconds=30)
    for attempts in (0, 1, 2, 8, 9, 10, 25, 5000):
        wait = wait_before(delivery("", attempts=attempts), first)
        assert wait == wait_before(delivery("", attempts=attempts), first)
        plain = min(timedelta(hours=6), first * 2 ** min(attempts, 20))
        assert plain * 0.75 <= wait <= plain * 1.25
    waits = {wait_before(delivery("", name=f"h{number}"), first) for number in range(20)}
    assert len(waits) == 20
