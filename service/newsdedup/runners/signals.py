"""The signals that ask a process to stop."""

import asyncio
import signal
from collections.abc import Callable


def call_at_signals(call: Callable[[], object]) -> None:
    """Make the event loop call a function on SIGTERM and SIGINT; it replaces earlier handlers."""
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, call)
