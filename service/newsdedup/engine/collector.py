"""Objects that live as long as the window: the garbage collector need not look at them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

COLLECTOR_THRESHOLD: Final = 50_000
"""Objects, more than were freed, after which the collector looks by itself."""
COLLECTED_BETWEEN_BATCHES: Final = 5_000
"""Objects, more than were freed, that are worth a look between two batches."""


def freeze_survivors() -> None:
    """Let the collector pass over all that is alive now.

    A window holds millions of small objects and none of them is part of a cycle. Each look of the
    collector at all of them is a pause that grows with the window. Called after every batch, it
    leaves the collector the objects of a few batches: what is cyclic among them goes, the rest is
    set aside until its references are gone. Within a batch nearly all that is made is needed to
    its end: there the collector looks only where far more is made.
    """
    gc.set_threshold(COLLECTOR_THRESHOLD)
    if gc.get_count()[0] >= COLLECTED_BETWEEN_BATCHES:
        gc.collect()
        gc.freeze()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Let the collector wait until a batch is done: hardly anything in it is cyclic.

    The looks that it would take in between are a twentieth of the work. A collector that was off
    before stays off.
    """
    watched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if watched:
            gc.enable()
