"""Eras: the time from one awakening of a namespace to the next, each with a name and a generation.

A server that was started, or took over from another one, may have lost what was published: it
sleeps until a worker lets an era begin. Law: no worker follows an era whose generation it has seen
in another one, for that one may have been lost with revisions that were published.
"""

from typing import Final, NamedTuple
from uuid import uuid4

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.ports.errors import StateMoved, StateUnusable


class StateLost(StateUnusable):
    """The server has lost a namespace: what was published may be restored, not what is kept."""

    def __init__(self, namespace: str) -> None:
        super().__init__(f"redis has lost namespace {namespace!r}: its verdicts must be rebuilt")


class Era(NamedTuple):
    """An era as meta data tell it."""

    name: str
    generation: int


NEVER: Final = Era("", -1)
"""Before all eras."""


class Eras:
    """What one worker has seen of them."""

    def __init__(self, namespace: str, born: str) -> None:
        self._namespace = namespace
        self._born = born
        """What the namespace was when it was opened; another one has lost all that was kept."""
        self.seen = NEVER
        """The latest that was seen."""

    def follow(self, era: Era, *, born: str) -> bool:
        """Return whether an era may be followed; if not, another one must begin after it.

        Raise StateMoved where it is another one than before, StateLost where the namespace is.
        """
        if self._born and born != self._born:
            raise StateLost(self._namespace)
        before = self.seen
        if era == before:
            return True
        if era.generation <= before.generation:
            return False
        self.seen = era
        if before != NEVER:
            raise StateMoved(f"redis namespace {self._namespace!r} began a new generation")
        return True


async def begin(calls: Calls, keys: Keys, *, after: Era) -> None:
    """Let an era of a later generation begin, unless one has."""
    await calls.function("begin", keys.fixed[:1], [uuid4().hex, after.generation, after.name])
