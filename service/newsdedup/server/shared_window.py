"""The window that workers share in Redis, opened when a check first asks for it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from newsdedup.core.events import Event
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import StateUnusable


class SharedWindow:
    """Previews items over a namespace; it is opened anew after an attempt that failed."""

    def __init__(
        self, open_engine: Callable[[], AbstractAsyncContextManager[SharedEngine]]
    ) -> None:
        self._open_engine = open_engine
        self._stack = AsyncExitStack()
        self._engine: SharedEngine | None = None
        self._turn = asyncio.Lock()

    async def preview(self, analyzed: Analyzed) -> list[Event]:
        """Return the events that an item would give; one item at a time.

        Raise Unavailable if Redis does not answer, StateUnusable if the namespace is missing or
        was made by other settings.
        """
        # The log of observations is read by one call at a time.
        async with self._turn:
            if self._engine is None:
                self._engine = await self._stack.enter_async_context(self._open_engine())
            try:
                return await self._engine.preview(analyzed)
            except StateUnusable:
                # As after `newsdedup rebuild`: what comes next is found in the new namespace.
                await self.close()
                raise

    async def close(self) -> None:
        """Close the connection; the next check opens another one."""
        self._engine = None
        await self._stack.aclose()
