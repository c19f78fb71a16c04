"""Waiting that ends when there is no use in it any more, and tasks that end when they are told."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, Final

AGAIN_SECONDS: Final = 6.0
"""How soon a task is told again; one that noticed may need five to let go of Kafka in order."""


async def unless(stopping: asyncio.Event, waiting: Coroutine[Any, Any, None]) -> None:
    """Wait for something that has nothing at hand yet; break it off as soon as told to stop."""
    told = asyncio.ensure_future(stopping.wait())
    waited = asyncio.ensure_future(waiting)
    try:
        await asyncio.wait({told, waited}, return_when=asyncio.FIRST_COMPLETED)
        if waited.done():
            waited.result()
    finally:
        told.cancel()
        waited.cancel()
        await asyncio.gather(told, waited, return_exceptions=True)


async def cancelled(tasks: "Iterable[asyncio.Future[Any]]") -> None:
    """Cancel tasks until they have ended, whatever came of them.

    Where it meets the answer of a server, a cancellation may be lost in the client: redis-py waits
    by `asyncio.wait_for`, which then returns the answer. A task without end would go on for ever.
    """
    all_of_them = set(tasks)
    left = all_of_them
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN_SECONDS)
    await asyncio.gather(*all_of_them, return_exceptions=True)
