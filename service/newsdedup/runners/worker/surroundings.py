"""What a worker asks its servers beside its work: whether they answer, and how much they keep.

A worker without records asks nobody anything; it would call itself ready while a server is away.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from newsdedup.ports.errors import NewsdedupError, Unavailable
from newsdedup.ports.telemetry import StoreSize, Telemetry

LOG: Final = logging.getLogger("newsdedup.surroundings")
AGAIN_SECONDS: Final = 1.0
PROBE_SECONDS: Final = 3.0
SAMPLE_SECONDS: Final = 60.0
"""Weighing a namespace takes about a thousand small questions."""


async def answered(
    server: str,
    ask: Callable[[], Awaitable[object]],
    telemetry: Telemetry,
    *,
    seconds: float = AGAIN_SECONDS,
) -> None:
    """Return as soon as a server answers, however long that takes."""
    told = ""
    while True:
        try:
            await ask()
        except Unavailable as error:
            if str(error) != told:
                LOG.warning("waiting server=%s reason=%s", server, error)
            told = str(error)
            telemetry.reached(server, answers=False)
            await asyncio.sleep(seconds)
        else:
            telemetry.reached(server, answers=True)
            return


async def probing(
    server: str,
    ask: Callable[[], Awaitable[object]],
    telemetry: Telemetry,
    *,
    seconds: float = PROBE_SECONDS,
) -> None:
    """Tell again and again whether a server answers."""
    while True:
        try:
            await ask()
        except NewsdedupError as error:
            LOG.debug("no_answer server=%s reason=%s", server, error)
            telemetry.reached(server, answers=False)
        else:
            telemetry.reached(server, answers=True)
        await asyncio.sleep(seconds)


async def sampling(
    weigh: Callable[[], Awaitable[StoreSize]],
    telemetry: Telemetry,
    *,
    seconds: float = SAMPLE_SECONDS,
) -> None:
    """Tell again and again how much is kept."""
    while True:
        try:
            telemetry.store_size(await weigh())
        except NewsdedupError as error:
            LOG.info("not_sampled reason=%s", error)
        await asyncio.sleep(seconds)
