"""Events and letters to their topics, also where Kafka takes no records so large.

    event    whole  ->  with its item cut  ->  a letter that says so
    letter   whole  ->  with its record cut, each time to a fourth  ->  the operator must act

Nothing is tried twice in the same size, so that no record stops those behind it. What is withdrawn
has its letters erased: first those in the topic, and those of the same batch are not written.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from newsdedup.adapters.kafka.dead_letters import letter_key_of, letter_record, tombstone
from newsdedup.adapters.kafka.events import fitting_record
from newsdedup.adapters.kafka.records import Headers, OutgoingRecord, ReceivedRecord, event_key
from newsdedup.core.model import ItemKey
from newsdedup.engine.event_writer import Event
from newsdedup.ports.errors import InvalidItem, SinkUnusable

LOG: Final = logging.getLogger("newsdedup.delivery")
MIN_LETTER_BYTES: Final = 2_000
"""Bytes of a letter that is almost only its reason: who takes less takes none."""
_CUT_FACTOR: Final = 4
_NO_OFFSET: Final = -1
"""Partition and offset of an event whose record was somebody else's."""

Withdrawals = Mapping[ItemKey, ReceivedRecord]
"""Items that a batch withdraws, each with the last record that does."""
WriteRecords = Callable[[Sequence[OutgoingRecord]], Awaitable[list[int]]]
"""Writes records, however long that takes, and returns which were refused for their size."""


class DeadLetter(NamedTuple):
    """A record that failed, and why."""

    record: ReceivedRecord
    error: InvalidItem


class CausedEvent(NamedTuple):
    """An event and what it was that brought it about."""

    event: Event
    record: ReceivedRecord | None = None
    """None where only the outbox knows of it."""
    traces: Headers = ()


@dataclass(frozen=True, slots=True)
class OutputTopics:
    """Where events and letters go, and what CloudEvents calls their source."""

    output: str
    dead: str
    origin: str
    most: int = 1_000_000
    """Bytes of a record, at most."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What publishes."""

    write: WriteRecords
    topics: OutputTopics

    async def deliver(
        self,
        occasions: Sequence[CausedEvent],
        letters: Sequence[DeadLetter] = (),
        *,
        withdrawn: Withdrawals | None = None,
    ) -> list[DeadLetter]:
        """Publish all; return the letters, with those about events that Kafka does not take."""
        gone = await self._erase_letters(withdrawn or {})
        told = [one for one in letters if not _is_withdrawn(one, gone)]
        posted: list[tuple[CausedEvent | DeadLetter, OutgoingRecord]] = []
        for one in occasions:
            record = self._event(one)
            if record is None:
                told += self._refusals([one], gone)
            else:
                posted.append((one, record))
        posted += [
            (one, self._letter(one, max(self.topics.most, MIN_LETTER_BYTES))) for one in told
        ]
        refused = await self._write_refused(posted)
        late = self._refusals([one for one in refused if isinstance(one, CausedEvent)], gone)
        again = [one for one in refused if isinstance(one, DeadLetter)]
        await self._bury(late, most=self.topics.most)
        await self._bury(again, most=self.topics.most // _CUT_FACTOR)
        return [*told, *late]

    async def _erase_letters(self, withdrawn: Withdrawals) -> dict[bytes, ReceivedRecord]:
        """Erase the letters about items; return by the key of letters which record said so."""
        said = [
            (tombstone(key, topic=self.topics.dead), record) for key, record in withdrawn.items()
        ]
        if said:
            await self.write([one for one, _ in said])
        return {one.key or b"": record for one, record in said}

    async def _bury(self, letters: Sequence[DeadLetter], *, most: int) -> None:
        """Write letters, smaller and smaller; raise SinkUnusable if none is small enough."""
        while letters:
            size = max(most, MIN_LETTER_BYTES)
            refused = await self._write_refused([(one, self._letter(one, size)) for one in letters])
            letters = [one for one in refused if isinstance(one, DeadLetter)]
            if letters and size == MIN_LETTER_BYTES:
                raise SinkUnusable(
                    f"kafka: {self.topics.dead} takes no letter of {MIN_LETTER_BYTES} bytes: raise its "
                    "max.message.bytes"
                )
            most = size // _CUT_FACTOR

    async def _write_refused(
        self, posted: Sequence[tuple[CausedEvent | DeadLetter, OutgoingRecord]]
    ) -> list[CausedEvent | DeadLetter]:
        if not posted:
            return []
        places = await self.write([record for _, record in posted])
        return [posted[place][0] for place in places]

    def _event(self, one: CausedEvent) -> OutgoingRecord | None:
        topics = self.topics
        return fitting_record(
            one.event,
            most=topics.most,
            topic=topics.output,
            origin=topics.origin,
            traces=one.traces,
        )

    def _letter(self, one: DeadLetter, most: int) -> OutgoingRecord:
        return letter_record(one.record, one.error, topic=self.topics.dead, most=most)

    def _refusals(
        self, refused: Sequence[CausedEvent], gone: Mapping[bytes, ReceivedRecord]
    ) -> list[DeadLetter]:
        letters = [self._refusal(one) for one in refused]
        return [one for one in letters if not _is_withdrawn(one, gone)]

    def _refusal(self, one: CausedEvent) -> DeadLetter:
        """Return the letter about an event: in it is the item that the event would carry."""
        event = one.event
        told = event.payload
        size = len(event.received)
        reason = (
            f"{told.event} {told.event_id} is larger than Kafka takes; its item has {size} bytes"
        )
        LOG.warning("event_too_large event_id=%s bytes=%d", told.event_id, size)
        place = one.record or ReceivedRecord(self.topics.output, _NO_OFFSET, _NO_OFFSET, None, None)
        record = place._replace(
            key=event_key(told), value=event.received or None, headers=one.traces
        )
        return DeadLetter(record, InvalidItem("event_too_large", reason))


def _is_withdrawn(letter: DeadLetter, gone: Mapping[bytes, ReceivedRecord]) -> bool:
    """Return whether the item of a letter is withdrawn by the same batch, and not before it."""
    withdrawal = gone.get(letter_key_of(letter.record)) if gone else None
    if withdrawal is None:
        return False
    record = letter.record
    one_order = (record.topic, record.partition) == (withdrawal.topic, withdrawal.partition)
    return not one_order or record.offset < withdrawal.offset
