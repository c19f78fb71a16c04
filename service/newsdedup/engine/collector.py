"""The garbage collector alongside millions of objects that live as long as the window."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

COLLECTOR_THRESHOLD: Final = 50_000
"""New objects, more than were freed, after which the collector runs by itself."""
COLLECTED_BETWEEN_BATCHES: Final = 40_000
"""New objects, more than were freed, that are worth a collection between two batches."""

_MALLOC_OPTIONS: Final = (
    (-8, 2),  # M_ARENA_MAX: threads that hold the interpreter's lock hardly ever allocate at once
    (-3, 2**17),  # M_MMAP_THRESHOLD, the default: naming it keeps it from growing
    (-1, 2**20),  # M_TRIM_THRESHOLD
)


def raise_thresholds() -> None:
    """Let the collector run less often, unless the program has set a higher threshold itself.

    Python's default of some hundred objects makes it run many times for each item.
    """
    young, *older = gc.get_threshold()
    if 0 < young < COLLECTOR_THRESHOLD:
        gc.set_threshold(COLLECTOR_THRESHOLD, *older)


def freeze_survivors() -> None:
    """Collect cyclic garbage, then exclude everything that is alive from later collections.

    Call it after every batch; it does nothing while few objects are new. A window holds millions of
    small objects, none of them part of a cycle, and each collection over all of them is a pause
    that grows with the window. A frozen object is still freed when its last reference goes.
    """
    raise_thresholds()
    if gc.get_count()[0] >= COLLECTED_BETWEEN_BATCHES:
        gc.collect()
        gc.freeze()


def freeze_now() -> None:
    """Collect and freeze as `freeze_survivors` does, at once, and give freed memory back.

    Call it when much has been loaded that stays. The C library keeps what was freed otherwise (60
    MiB of 440, with a window of 60,000 items).
    """
    gc.collect()
    gc.freeze()
    # Only glibc has this function.
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def return_memory_early() -> None:
    """Let the C library give memory back to the system as soon as it is free; call it first.

    By default it keeps an arena for every thread, and keeps ever larger blocks once it has seen
    one: after loading a window of 60,000 items 63 MiB of a server were free and not given back.
    """
    # Only glibc has this function; its parameters are numbers of <malloc.h>.
    with suppress(AttributeError, OSError):
        adjust = ctypes.CDLL(None).mallopt
        for parameter, value in _MALLOC_OPTIONS:
            adjust(parameter, value)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the collector from running within a block; one that was off before stays off.

    Hardly anything in a batch is cyclic, and collections would take a twentieth of its time.
    """
    watched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if watched:
            gc.enable()
