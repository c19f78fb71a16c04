"""Lines written to a topic: batch by batch, each acknowledged before the next is read."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.kafka.dead_letters import (
    Tombstones,
    TopicLetter,
    decode_letter,
    replay_record,
)
from newsdedup.adapters.kafka.reader import TopicReader
from newsdedup.adapters.kafka.records import OutgoingRecord

_BATCH_LINES: Final = 2_000
_BATCH_BYTES: Final = 4 << 20

PublishRecords = Callable[[Sequence[OutgoingRecord]], list[int]]
"""Writes records and waits for it; returns the places of those that are too large."""


@dataclass(frozen=True, slots=True)
class ProducedLines:
    """What became of some lines."""

    written: int
    keyless: int
    """Those of them that tell no item; they were written all the same."""
    too_large: tuple[Line, ...]


def produce_lines(
    lines: Iterable[Line | object],
    record: Callable[[Line], OutgoingRecord],
    publish: PublishRecords,
) -> Iterator[ProducedLines]:
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
            if len(batch) < _BATCH_LINES and size < _BATCH_BYTES:
                continue
        if batch:
            yield _produce_batch(batch, record, publish)
            batch, size = [], 0
    if batch:
        yield _produce_batch(batch, record, publish)


def _produce_batch(
    batch: Sequence[Line], record: Callable[[Line], OutgoingRecord], publish: PublishRecords
) -> ProducedLines:
    # Of a line beyond the limit only the beginning was read: that must not pass for the line.
    whole = [line for line in batch if len(line.data) == line.size]
    longer = [line for line in batch if len(line.data) < line.size]
    records = [record(line) for line in whole]
    refused = set(publish(records)) if records else set()
    written = [one for place, one in enumerate(records) if place not in refused]
    return ProducedLines(
        written=len(written),
        keyless=sum(one.key is None for one in written),
        too_large=(*longer, *(line for n, line in enumerate(whole) if n in refused)),
    )


_READ_RECORDS: Final = 500

Write = Callable[[Sequence[OutgoingRecord]], Awaitable[list[int]]]
"""Writes records and returns the places of those that are too large."""
ReplayStep = tuple[Counter[str], list[TopicLetter]]
"""How many letters were fed again, cut or refused, and the latter two."""


async def replay_letters(
    rest: TopicReader, write: Write, *, to: str, erasures: Tombstones
) -> AsyncIterator[ReplayStep]:
    """Yield what came of each batch of letters, once it is written and remembered."""
    async for batch in rest.records(at_once=_READ_RECORDS):
        letters = [decode_letter(record) for record in erasures.remaining(batch)]
        whole = [one for one in letters if is_whole(one)]
        places = await write([replay_record(one, to) for one in whole]) if whole else []
        refused = [whole[place] for place in places]
        await rest.commit(batch)
        left = [one for one in letters if not is_whole(one)]
        counts = Counter(replayed=len(whole) - len(refused), cut=len(left), refused=len(refused))
        yield counts, [*left, *refused]


def is_whole(one: TopicLetter) -> bool:
    """Return whether the record is all in the letter, and anything is in it."""
    return not one.cut and (one.key is not None or one.value is not None)
