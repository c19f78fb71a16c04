"""A commit sent to the server: with what it rests upon only where others are at work."""

from typing import Any

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.promise import Promise
from newsdedup.adapters.redis.settling import Settling
from newsdedup.ports.shared_store import Commit

STALE, DONE, UNTOLD, ASLEEP = 0, 1, 3, 4
"""What the functions of the library say first."""


async def committed(
    calls: Calls, function: str, call: Settling | Promise, said: bytes, *, alone: bool
) -> Any:
    """Return what a function says to a commit; a worker that is not alone tells what was read.

    To tell it takes as long as the rest, and a worker that was not alone after all is asked for it.
    """
    names, arguments = call.names, call.arguments
    answer = [UNTOLD]
    if alone:
        answer = await calls.function(function, names, [said, b"", *arguments])
    if answer[0] == UNTOLD:
        answer = await calls.function(function, names, [said, call.reads(), *arguments])
    return answer


def is_alone(worker: str, commit: Commit) -> bool:
    """Return whether, as far as a worker saw, the last to write was itself."""
    return commit.based_on.tip.startswith(f"{worker}:")
