"""The two Redis streams of a namespace: the outbox of events, and the log of observations.

An event is committed together with the state that it announces, and deleted from the outbox once
the broker has acknowledged it. If its worker dies in between, another one publishes it: perhaps a
second time, with the same id, but it is never lost.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

import msgspec

from newsdedup.adapters.formats.event_json import decode_payload
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.core.events import Event, Judgement
from newsdedup.core.matching.stream_statistics import Observation, SharedStatisticsRecorder
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.store import WaitingEvent

_EVENTS_AT_ONCE: Final = 256
_OBSERVATIONS_AT_ONCE: Final = 512

_decode_observation = msgspec.msgpack.Decoder(Observation).decode


class RedisOutbox:
    """The outbox of a namespace, shared by its workers."""

    def __init__(self, calls: Calls, keys: Keys) -> None:
        self._calls = calls
        self._key = keys.fixed[2]

    async def waiting(
        self, *, older_than_ms: int = 0, limit: int = _EVENTS_AT_ONCE
    ) -> list[WaitingEvent]:
        """Return up to `limit` events that are at least so old, the oldest first.

        Their age is by the server's clock. Raise StateUnusable for damaged bytes.
        """
        clock = await self._calls.command("TIME")
        until = int(clock[0]) * 1000 + int(clock[1]) // 1000 - older_than_ms
        rows = await self._calls.command("XRANGE", self._key, "-", until, "COUNT", limit)
        return [_decode_waiting(number, fields) for number, fields in rows]

    async def published(self, numbers: Sequence[str]) -> None:
        """Delete acknowledged events by number (a repeat changes nothing), or raise Unavailable."""
        for first in range(0, len(numbers), _EVENTS_AT_ONCE):
            await self._calls.command("XDEL", self._key, *numbers[first : first + _EVENTS_AT_ONCE])

    async def count(self) -> int:
        """Return how many events wait in the outbox to be published; or raise Unavailable."""
        return int(await self._calls.command("XLEN", self._key))


def _decode_waiting(number: bytes, fields: Mapping[bytes, bytes]) -> WaitingEvent:
    """Return the outbox event of this entry; raise StateUnusable if it is damaged."""
    data = fields[b"e"]
    try:
        payload = decode_payload(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StateUnusable(f"an event in the outbox is damaged: {error}") from error
    encoded = data if isinstance(payload, Judgement) else b""
    return WaitingEvent(number.decode(), Event(payload, fields[b"r"], encoded))


class RedisObservationLog:
    """The log of observations of a namespace, and the statistics one worker makes of it."""

    def __init__(self, calls: Calls, keys: Keys, recorder: SharedStatisticsRecorder) -> None:
        self.recorder = recorder
        self._calls = calls
        self._key = keys.fixed[4]
        self._last = 0

    async def catch_up(self) -> None:
        """Count what any worker has logged since the last call; raise Unavailable if that fails."""
        async for number, observation in _read_log(self._calls, self._key, after=self._last):
            self._last = number + 1
            self.recorder.add_logged(observation, number=number)

    def forget(self) -> None:
        """Drop all counts and begin at the start of the log: the server may have lost its end."""
        self._last = 0
        self.recorder.reset()


async def read_observations(calls: Calls, keys: Keys) -> AsyncIterator[Observation]:
    """Yield all observations of a namespace, numbered as its workers number them."""
    async for number, observation in _read_log(calls, keys.fixed[4], after=0):
        yield observation._replace(number=number)


async def _read_log(
    calls: Calls, key: str, *, after: int
) -> AsyncIterator[tuple[int, Observation]]:
    """Yield (number, observation) behind number `after`; raise StateUnusable for a damaged one."""
    while True:
        begin = f"({after}-1" if after else "-"
        rows = await calls.command("XRANGE", key, begin, "+", "COUNT", _OBSERVATIONS_AT_ONCE)
        for name, fields in rows:
            after = int(name.partition(b"-")[0])
            try:
                observation = _decode_observation(fields[b"l"])
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise StateUnusable(f"an observation in the state is damaged: {error}") from error
            yield after - 1, observation
        if len(rows) < _OBSERVATIONS_AT_ONCE:
            return
