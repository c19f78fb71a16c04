"""What a measurement of the index in Redis times: look-ups one at a time, and items judged."""

from collections.abc import Sequence
from time import perf_counter
from typing import Final

from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.collector import keep_from_collector
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.shared_store import Lookup

BATCH: Final = 256
TRIES: Final = 5
"""How often a look-up is repeated for the time that it takes when nothing else runs."""


async def judged(served: SharedEngine, arrivals: Sequence[Analyzed]) -> float:
    """Return how many items a second are judged and stored; what was made before is set aside."""
    keep_from_collector()
    began = perf_counter()
    for first in range(0, len(arrivals), BATCH):
        await served.process(arrivals[first : first + BATCH])
        keep_from_collector()
    return len(arrivals) / (perf_counter() - began)


async def looked_up(served: SharedEngine, arrivals: Sequence[Analyzed]) -> list[float]:
    """Return in ascending order how many milliseconds the look-up for each item takes."""
    return sorted([await _timed(served, served.prefetch([arrival])) for arrival in arrivals])


async def repeated(served: SharedEngine, arrivals: Sequence[Analyzed]) -> list[float]:
    """Return the same of the fastest of several tries: without what else the machine does."""
    times = []
    for arrival in arrivals:
        looks = served.prefetch([arrival])
        times.append(min([await _timed(served, looks) for _ in range(TRIES)]))
    return sorted(times)


async def _timed(served: SharedEngine, looks: Sequence[Lookup]) -> float:
    began = perf_counter()
    await served.store.look(looks)
    return 1000 * (perf_counter() - began)


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value at a share of ascending ones."""
    return round(ordered[int(share * (len(ordered) - 1))], 3)
