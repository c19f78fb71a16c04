"""Waiting that ends when there is no use in it any more."""

import asyncio
from collections.abc import Coroutine
from typing import Any


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
