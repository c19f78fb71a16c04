"""Letting go of a broker, in bounded time: it may be away, or a task of the client never end."""

import asyncio
from typing import Final, Protocol

CLOSE_SECONDS: Final = 5.0


class Stoppable(Protocol):
    """A consumer or a producer."""

    async def stop(self) -> None:
        """Let go of the broker."""
        ...


async def let_go(client: Stoppable, *, seconds: float = CLOSE_SECONDS) -> bool:
    """Return whether a client could be stopped in time; if not, it is left as it is.

    aiokafka waits for its own tasks after it has cancelled them, and now and then one of them
    does not notice: whoever pressed Ctrl-C would wait for ever.
    """
    try:
        async with asyncio.timeout(seconds):
            await client.stop()
    except TimeoutError:
        return False
    return True
