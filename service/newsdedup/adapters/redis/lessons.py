"""What the workers of a namespace teach each other: a log that each one reads to its end."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.core.matching.verify.lessons import Lesson
from newsdedup.core.matching.verify.school import SharedSchool
from newsdedup.ports.errors import StateUnusable

AT_ONCE: Final = 512
"""Lessons read by one call."""

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = msgspec.msgpack.Decoder(Lesson).decode


class RedisLessons:
    """The log of a namespace and what one worker has learned of it."""

    def __init__(self, calls: Calls, keys: Keys, school: SharedSchool) -> None:
        self.school = school
        self._calls = calls
        self._key = keys.fixed[4]
        self._last = 0

    async def catch_up(self) -> None:
        """Learn what was added since the last time."""
        async for number, lesson in _logged(self._calls, self._key, after=self._last):
            self._last = number + 1
            self.school.take(lesson, number=number)

    def forget(self) -> None:
        """Begin anew: the server may have lost the end of the log."""
        self._last = 0
        self.school.forget()


async def logged(calls: Calls, keys: Keys) -> AsyncIterator[Lesson]:
    """Yield all lessons of a namespace's log, numbered as its workers number them."""
    async for number, lesson in _logged(calls, keys.fixed[4], after=0):
        yield lesson._replace(number=number)


async def _logged(calls: Calls, key: str, *, after: int) -> AsyncIterator[tuple[int, Lesson]]:
    while True:
        begin = f"({after}-1" if after else "-"
        rows = await calls.command("XRANGE", key, begin, "+", "COUNT", AT_ONCE)
        for name, fields in rows:
            after = int(name.partition(b"-")[0])
            yield after - 1, decode_lesson(fields[b"l"])
        if len(rows) < AT_ONCE:
            return


def encode_lesson(lesson: Lesson) -> bytes:
    """Return a lesson as the log keeps it."""
    return _ENCODE(lesson)


def decode_lesson(data: bytes) -> Lesson:
    """Return a lesson of the log; raise StateUnusable if the bytes hold none."""
    try:
        return _DECODE(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StateUnusable(f"a lesson in the state is damaged: {error}") from error
