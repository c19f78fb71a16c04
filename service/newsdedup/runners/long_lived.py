"""Objects that live as long as the window: the garbage collector need not look at them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def keep_from_collector() -> None:
    """Let the collector pass over all that is alive now.

    A window holds millions of small objects and none of them is part of a cycle. Each look of the
    collector at all of them is a pause that grows with the window. Called after every batch, it
    leaves the collector the objects of one batch: what is cyclic among them goes, the rest is set
    aside until its references are gone.
    """
    gc.collect()
    gc.freeze()


@contextmanager
def undisturbed() -> Iterator[None]:
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
