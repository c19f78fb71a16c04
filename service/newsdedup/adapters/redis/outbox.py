"""Events between settling and publishing: whoever dies in between, another worker publishes them.

An event is written in the same step as the state it tells, and deleted after the broker has it. So
it may be published twice, with the same id, and is never lost.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from newsdedup.adapters.formats.event_json import decode_payload
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.core.events import Event, Judgement
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.shared_store import WaitingEvent

AT_ONCE: Final = 256
"""Events read or deleted by one call."""


_ENCODER = msgspec.json.Encoder()


class RedisOutbox:
    """The outbox of a namespace, shared by its workers."""

    def __init__(self, calls: Calls, keys: Keys) -> None:
        self._calls = calls
        self._key = keys.fixed[2]

    async def waiting(self, *, older_than_ms: int = 0, limit: int = AT_ONCE) -> list[WaitingEvent]:
        """Return the oldest events that wait for so long, by the server's clock.

        What waits much longer than a batch takes belongs to a worker that has died.
        """
        clock = await self._calls.command("TIME")
        until = int(clock[0]) * 1000 + int(clock[1]) // 1000 - older_than_ms
        rows = await self._calls.command("XRANGE", self._key, "-", until, "COUNT", limit)
        return [_waiting(number, fields) for number, fields in rows]

    async def published(self, numbers: Sequence[str]) -> None:
        """Delete events that the broker has; those already deleted change nothing."""
        for first in range(0, len(numbers), AT_ONCE):
            await self._calls.command("XDEL", self._key, *numbers[first : first + AT_ONCE])

    async def count(self) -> int:
        """Return how many events wait."""
        return int(await self._calls.command("XLEN", self._key))


def encode_payload(event: Event) -> bytes:
    """Return the payload of an event as the outbox holds it."""
    return event.encoded or _ENCODER.encode(event.payload)


def _waiting(number: bytes, kept: Mapping[bytes, bytes]) -> WaitingEvent:
    data = kept[b"e"]
    try:
        told = decode_payload(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StateUnusable(f"an event in the outbox is damaged: {error}") from error
    encoded = data if isinstance(told, Judgement) else b""
    return WaitingEvent(number.decode(), Event(told, kept[b"r"], encoded))
