"""How often a host gets a request, and until when it gets none because it asked for a pause."""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

BUSY_PAUSE: Final = timedelta(minutes=5)
"""How long a host is left alone that answers 429 without Retry-After."""
LONGEST_PAUSE: Final = timedelta(hours=1)
"""For which the answer to one feed stops the others of its host; the feed itself waits longer."""


class Clock:
    """The clock of the machine; tests pass their own."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)

    def elapsed(self) -> float:
        """Return seconds since some moment, which setting the machine's clock does not change."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Return after some seconds."""
        await asyncio.sleep(seconds)


@dataclass(slots=True)
class HostPace:
    """Spaces the requests to each host by at least `gap`."""

    clock: Clock
    gap: timedelta
    _free_at: dict[str, float] = field(default_factory=dict)
    """When the next request of a host may start, by elapsed seconds."""
    _paused_until: dict[str, datetime] = field(default_factory=dict)

    async def wait(self, host: str) -> None:
        """Return when the next request to a host may start, and take that turn."""
        now = self.clock.elapsed()
        start = max(now, self._free_at.get(host, now))
        self._free_at[host] = start + self.gap.total_seconds()
        if start > now:
            await self.clock.sleep(start - now)

    def pause(self, host: str, wait: timedelta) -> None:
        """Give no feed of a host a turn for a time, an hour at most; a longer pause stays."""
        until = self.clock.now() + min(wait, LONGEST_PAUSE)
        self._paused_until[host] = max(until, self._paused_until.get(host, until))

    def paused_until(self, host: str) -> datetime | None:
        """Return when the pause of a host ends; None without one."""
        until, now = self._paused_until.get(host), self.clock.now()
        # A pause that ends later than any was begun before the clock was set back.
        if until is not None and not now < until <= now + LONGEST_PAUSE:
            del self._paused_until[host]
            return None
        return until

    def tidy(self) -> None:
        """Drop what is past, so that months of redirects to ever new hosts take no memory."""
        now, elapsed = self.clock.now(), self.clock.elapsed()
        self._free_at = {host: at for host, at in self._free_at.items() if at > elapsed}
        self._paused_until = {host: at for host, at in self._paused_until.items() if at > now}
