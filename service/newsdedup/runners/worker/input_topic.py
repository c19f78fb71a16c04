"""Writing to the input topic: lines of files, and the records of dead letters again."""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.kafka.dead_letters import (
    Tombstones,
    TopicDeadLetter,
    decode_topic_dead_letter,
    replay_record,
)
from newsdedup.adapters.kafka.reader import TopicReader
from newsdedup.adapters.kafka.records import OutgoingRecord

_BATCH_LINES: Final = 2_000
_BATCH_BYTES: Final = 4 << 20
_REPLAY_RECORDS: Final = 500

PublishRecords = Callable[[Sequence[OutgoingRecord]], list[int]]
"""Writes records and waits for the broker; returns the indexes of those too large for Kafka."""
WriteRecords = Callable[[Sequence[OutgoingRecord]], Awaitable[list[int]]]
"""Does the same, and lets other tasks run while it waits."""
ReplayStep = tuple[Counter[str], list[TopicDeadLetter]]
"""Counts of dead letters replayed, cut and refused, and those that were cut or refused."""


@dataclass(frozen=True, slots=True)
class ProducedLines:
    """What became of a batch of lines."""

    written: int
    keyless: int
    """Lines written without a key, as they hold no item."""
    too_large: tuple[Line, ...]


def produce_lines(
    lines: Iterable[Line | object],
    record: Callable[[Line], OutgoingRecord],
    publish: PublishRecords,
) -> Iterator[ProducedLines]:
    """Write lines in batches, each acknowledged before the next is read; yield what was written.

    Anything that is no Line means that no input waits just now: the batch is written at once.
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
    """Write lines as records and return what became of them.

    A line that was longer than the limit is not written but reported as too large.
    """
    # Of a line beyond the limit only the beginning was read, which must not be written.
    whole = [line for line in batch if len(line.data) == line.size]
    records = [record(line) for line in whole]
    refused = set(publish(records)) if records else set()
    written = [one for index, one in enumerate(records) if index not in refused]
    return ProducedLines(
        written=len(written),
        keyless=sum(one.key is None for one in written),
        too_large=(
            *(line for line in batch if len(line.data) < line.size),
            *(line for index, line in enumerate(whole) if index in refused),
        ),
    )


async def replay_topic_dead_letters(
    dead_letters: TopicReader, write: WriteRecords, *, to: str, tombstones: Tombstones
) -> AsyncIterator[ReplayStep]:
    """Write the records of dead letters to the topic `to`, committing after each batch.

    A replay that dies before it commits writes some records twice; they get the verdicts they have.
    A record that fails again becomes a new dead letter at the end of the topic, for the next
    replay. Dead letters of items withdrawn since are skipped: a replay would bring the items back.
    """
    async for batch in dead_letters.records(at_once=_REPLAY_RECORDS):
        decoded = [decode_topic_dead_letter(record) for record in tombstones.remaining(batch)]
        whole = [one for one in decoded if _is_whole(one)]
        indexes = await write([replay_record(one, to) for one in whole]) if whole else []
        refused = [whole[index] for index in indexes]
        await dead_letters.commit(batch)
        cut = [one for one in decoded if not _is_whole(one)]
        counts = Counter(replayed=len(whole) - len(refused), cut=len(cut), refused=len(refused))
        yield counts, [*cut, *refused]


def _is_whole(dead_letter: TopicDeadLetter) -> bool:
    """Return whether a dead letter holds the whole record, and that has a key or a value."""
    return not dead_letter.cut and (dead_letter.key is not None or dead_letter.value is not None)
