"""How the tasks of a process wait, are asked to stop, and end."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, Final

CANCEL_AGAIN_SECONDS: Final = 6.0
"""When to cancel a task again; one that was cancelled may take 5 s to stop its Kafka client."""


def call_at_signals(call: Callable[[], object]) -> None:
    """Make the event loop call a function on SIGTERM and SIGINT; it replaces earlier handlers.

    When the loop is closed the process is ending: later signals change nothing of its exit code.
    """
    loop = asyncio.get_running_loop()

    def pass_on(_number: int, _frame: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(call)

    # loop.add_signal_handler would restore the default, by which a second signal kills.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, pass_on)


async def wait_at_most(event: asyncio.Event, seconds: float) -> None:
    """Wait until an event is set, at most `seconds`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def run_unless_stopped(stopping: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Wait for `work` and raise its error, or cancel it as soon as `stopping` is set."""
    stopped = asyncio.ensure_future(stopping.wait())
    working = asyncio.ensure_future(work)
    try:
        await asyncio.wait({stopped, working}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
    finally:
        await cancel_all([stopped, working])


async def cancel_all(tasks: "Iterable[asyncio.Future[Any]]") -> None:
    """Cancel tasks, again and again until all have ended, and ignore their results.

    redis-py and aiokafka wait by `asyncio.wait_for`, which drops a cancellation that comes together
    with the server's answer: a task cancelled only once might run for ever.
    """
    all_of_them = set(tasks)
    left = all_of_them
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=CANCEL_AGAIN_SECONDS)
    await asyncio.gather(*all_of_them, return_exceptions=True)
