"""The time of the machine, behind a protocol so that tests pass their own."""

import asyncio
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after a time."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Return after a time."""
        await asyncio.sleep(seconds)
