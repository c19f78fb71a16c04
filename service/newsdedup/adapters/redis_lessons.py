"""What the workers of a namespace teach each other: a log that each one reads to its end."""

from typing import Final

import msgspec

from newsdedup.adapters.redis_calls import Calls
from newsdedup.adapters.redis_keys import Keys
from newsdedup.core.verify.lessons import Lesson
from newsdedup.core.verify.school import SharedSchool
from newsdedup.ports import StateUnusable

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
        while True:
            begin = f"({self._last}-1" if self._last else "-"
            rows = await self._calls.command("XRANGE", self._key, begin, "+", "COUNT", AT_ONCE)
            for name, fields in rows:
                self._last = int(name.partition(b"-")[0])
                self.school.take(decoded(fields[b"l"]), number=self._last - 1)
            if len(rows) < AT_ONCE:
                return

    def forget(self) -> None:
        """Begin anew: the server may have lost the end of the log."""
        self._last = 0
        self.school.forget()


def encoded(lesson: Lesson) -> bytes:
    """Return a lesson as the log keeps it."""
    return _ENCODE(lesson)


def decoded(data: bytes) -> Lesson:
    """Return a lesson of the log; raise StateUnusable if the bytes hold none."""
    try:
        return _DECODE(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StateUnusable(f"a lesson in the state is damaged: {error}") from error
