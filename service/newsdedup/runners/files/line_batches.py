"""Lines in batches, and the batch that follows, so that its analysis can begin early."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.core.model import NewsItem
from newsdedup.core.stories.acts import Act
from newsdedup.engine.analysis import Received
from newsdedup.ports.errors import InvalidItem, SourceUnusable

BATCH_BYTES = 16 << 20
"""A batch is closed when its lines hold so much, however few they are."""

What = NewsItem | Act | InvalidItem | None
"""What a record tells: an item, an act, why it tells nothing, or that there is none."""


class Taken(NamedTuple):
    """A line that was read, the record in it, and what that tells."""

    line: Line
    record: Line
    what: What


class Batch(NamedTuple):
    """Lines that are committed together, and the items among them."""

    taken: Sequence[Taken] = ()
    items: Sequence[Received] = ()


NOTHING = Batch()


def batches(found: Iterable[Line | Idle], *, size: int) -> Iterator[list[Line]]:
    """Yield lines in batches; an idle input closes the batch at hand."""
    batch: list[Line] = []
    held = 0
    for line in found:
        if isinstance(line, Line):
            batch.append(line)
            held += len(line.data)
        if batch and (isinstance(line, Idle) or len(batch) >= size or held >= BATCH_BYTES):
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def alone(found: Iterable[Batch]) -> Iterator[tuple[Batch, Batch]]:
    """Yield each batch with an empty one: nobody knows yet what follows."""
    return ((batch, NOTHING) for batch in found)


def ahead(found: Iterator[Batch]) -> Iterator[tuple[Batch, Batch]]:
    """Yield each batch with the one that follows; an error in reading that waits for its turn."""
    batch = next(found, NOTHING)
    while batch.taken:
        failed: SourceUnusable | None = None
        try:
            following = next(found, NOTHING)
        except SourceUnusable as error:
            following, failed = NOTHING, error
        yield batch, following
        if failed is not None:
            raise failed
        batch = following
