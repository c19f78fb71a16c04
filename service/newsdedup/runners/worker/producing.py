"""Lines written to a topic: batch by batch, each acknowledged before the next is read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.kafka.records import Outgoing

BATCH_LINES: Final = 2_000
BATCH_BYTES: Final = 4 << 20

Publish = Callable[[Sequence[Outgoing]], list[int]]
"""Writes records and waits for it; returns the places of those that are too large."""


@dataclass(frozen=True, slots=True)
class Produced:
    """What became of some lines."""

    written: int
    keyless: int
    """Those of them that tell no item; they were written all the same."""
    too_large: tuple[Line, ...]


def produced(
    lines: Iterable[Line | object], record: Callable[[Line], Outgoing], publish: Publish
) -> Iterator[Produced]:
    """Yield what was written, once it was; whatever is no line tells that nothing comes just now.

    Memory is bounded by one batch.
    """
    batch: list[Line] = []
    size = 0
    for line in lines:
        if isinstance(line, Line):
            if line.data.strip():
                batch.append(line)
                size += len(line.data)
            if len(batch) < BATCH_LINES and size < BATCH_BYTES:
                continue
        if batch:
            yield _written(batch, record, publish)
            batch, size = [], 0
    if batch:
        yield _written(batch, record, publish)


def _written(
    batch: Sequence[Line], record: Callable[[Line], Outgoing], publish: Publish
) -> Produced:
    # Of a line beyond the limit only the beginning was read: that must not pass for the line.
    whole = [line for line in batch if len(line.data) == line.size]
    longer = [line for line in batch if len(line.data) < line.size]
    records = [record(line) for line in whole]
    refused = set(publish(records)) if records else set()
    written = [one for place, one in enumerate(records) if place not in refused]
    return Produced(
        written=len(written),
        keyless=sum(one.key is None for one in written),
        too_large=(*longer, *(line for n, line in enumerate(whole) if n in refused)),
    )
