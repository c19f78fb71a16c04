"""Threads that hang, at a dead disk or a silent name server, and that no exit waits for."""

import threading
from collections.abc import Callable
from typing import Final

_PREFIX: Final = "abandoned when it hangs: "


def start_thread(name: str, work: Callable[[], None]) -> threading.Thread:
    """Start a thread that may hang for ever, and return it."""
    thread = threading.Thread(target=work, name=_PREFIX + name, daemon=True)
    thread.start()
    return thread


def has_abandoned_thread() -> bool:
    """Return whether such a thread still runs.

    Python would wait for what it has begun: for a thread of asyncio that looks up a name, daemon or
    not. Then only os._exit ends the process in time.
    """
    return any(thread.name.startswith(_PREFIX) for thread in threading.enumerate())
