"""Delivery of events and dead letters, also where the broker refuses records of their size.

    event    whole  ->  its item's fields cut  ->  a dead letter
    event    that cannot be encoded            ->  a dead letter
    dead letter   whole  ->  its record cut, each time to a fourth  ->  SinkUnusable

Nothing is sent twice in the same size, so one large record cannot block those behind it. When an
item is withdrawn, the dead letters about it are erased: those in the topic by a tombstone, and
those of the same batch are not written.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from newsdedup.adapters.kafka.dead_letters import dead_letter_key, dead_letter_record, tombstone
from newsdedup.adapters.kafka.events import fitting_record
from newsdedup.adapters.kafka.records import OutgoingRecord, ReceivedRecord, event_key
from newsdedup.core.events import Event
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import Rejection, SinkUnusable
from newsdedup.ports.isolation import internal_error
from newsdedup.ports.streams import Headers

LOG: Final = logging.getLogger("newsdedup.delivery")
MIN_LETTER_BYTES: Final = 2_000
"""A dead letter of this size is hardly more than its reason; smaller ones are not tried."""
_CUT_FACTOR: Final = 4
_NO_OFFSET: Final = -1
"""Partition and offset in a dead letter about an event whose record is unknown."""

Withdrawals = Mapping[ItemKey, ReceivedRecord]
"""The items that a batch withdraws, each with the last record that withdraws it."""
WriteRecords = Callable[[Sequence[OutgoingRecord]], Awaitable[list[int]]]
"""Writes records, waiting for the broker without limit; returns the indexes of those too large."""


class FailedRecord(NamedTuple):
    """A record that failed, and the error."""

    record: ReceivedRecord
    rejection: Rejection


class CausedEvent(NamedTuple):
    """An event and the record that caused it."""

    event: Event
    record: ReceivedRecord | None = None
    """None for an event that a dead worker left in the outbox."""
    traces: Headers = ()


@dataclass(frozen=True, slots=True)
class OutputTopics:
    """The topics of events and dead letters, and the CloudEvents source of the events."""

    output: str
    dead: str
    origin: str
    most: int = 1_000_000
    """Most bytes of a record."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Writes events and dead letters to their topics."""

    write: WriteRecords
    topics: OutputTopics

    async def deliver(
        self,
        events: Sequence[CausedEvent],
        dead_letters: Sequence[FailedRecord] = (),
        *,
        withdrawn: Withdrawals | None = None,
    ) -> list[FailedRecord]:
        """Write all events and dead letters; return the latter, also those for too large events.

        Raise SinkUnusable if the broker refuses even the smallest dead letter.
        """
        erased = await self._erase_dead_letters(withdrawn or {})
        written = [one for one in dead_letters if not _is_erased(one, erased)]
        outgoing: list[tuple[CausedEvent | FailedRecord, OutgoingRecord]] = []
        for event in events:
            try:
                record = self._event_record(event)
            except Exception as error:  # noqa: BLE001 - a bug costs the event, not the stream
                dead_letter = self._letter_of(event, internal_error(error, "encode"))
                written += [] if _is_erased(dead_letter, erased) else [dead_letter]
                continue
            if record is None:
                written += self._dead_letters_about([event], erased)
            else:
                outgoing.append((event, record))
        size = max(self.topics.most, MIN_LETTER_BYTES)
        outgoing += [(one, self._dead_letter_record(one, size)) for one in written]
        refused = await self._write_refused(outgoing)
        late = self._dead_letters_about(
            [one for one in refused if isinstance(one, CausedEvent)], erased
        )
        again = [one for one in refused if isinstance(one, FailedRecord)]
        await self._write_dead_letters(late, most=self.topics.most)
        await self._write_dead_letters(again, most=self.topics.most // _CUT_FACTOR)
        return [*written, *late]

    async def _erase_dead_letters(self, withdrawn: Withdrawals) -> dict[bytes, ReceivedRecord]:
        """Write tombstones for withdrawn items; return the records by dead letter key."""
        dead = self.topics.dead
        tombstones = [(tombstone(key, topic=dead), record) for key, record in withdrawn.items()]
        if tombstones:
            await self.write([one for one, _ in tombstones])
        return {one.key or b"": record for one, record in tombstones}

    async def _write_dead_letters(self, dead_letters: Sequence[FailedRecord], *, most: int) -> None:
        """Write dead letters, cutting refused ones to a fourth until the broker takes them."""
        while dead_letters:
            size = max(most, MIN_LETTER_BYTES)
            refused = await self._write_refused(
                [(one, self._dead_letter_record(one, size)) for one in dead_letters]
            )
            dead_letters = [one for one in refused if isinstance(one, FailedRecord)]
            if dead_letters and size == MIN_LETTER_BYTES:
                raise SinkUnusable(
                    f"kafka: {self.topics.dead} takes no dead letter of {MIN_LETTER_BYTES} bytes: "
                    "raise its max.message.bytes"
                )
            most = size // _CUT_FACTOR

    async def _write_refused(
        self, outgoing: Sequence[tuple[CausedEvent | FailedRecord, OutgoingRecord]]
    ) -> list[CausedEvent | FailedRecord]:
        """Write the records; return the events and dead letters whose records were refused."""
        if not outgoing:
            return []
        indexes = await self.write([record for _, record in outgoing])
        return [outgoing[index][0] for index in indexes]

    def _event_record(self, one: CausedEvent) -> OutgoingRecord | None:
        """Return the record of an event, cut to fit; None if it is too large even then."""
        topics = self.topics
        return fitting_record(
            one.event,
            most=topics.most,
            topic=topics.output,
            origin=topics.origin,
            traces=one.traces,
        )

    def _dead_letter_record(self, one: FailedRecord, most: int) -> OutgoingRecord:
        return dead_letter_record(one.record, one.rejection, topic=self.topics.dead, most=most)

    def _dead_letters_about(
        self, refused: Sequence[CausedEvent], erased: Mapping[bytes, ReceivedRecord]
    ) -> list[FailedRecord]:
        """Return dead letters about events too large for Kafka, but those of withdrawn items."""
        dead_letters = [self._dead_letter_about(one) for one in refused]
        return [one for one in dead_letters if not _is_erased(one, erased)]

    def _dead_letter_about(self, one: CausedEvent) -> FailedRecord:
        """Return the dead letter about an event too large for Kafka."""
        event = one.event
        payload = event.payload
        size = len(event.received)
        reason = (
            f"{payload.event} {payload.event_id} is larger than Kafka takes; "
            f"its item has {size} bytes"
        )
        LOG.warning("event_too_large event_id=%s bytes=%d", payload.event_id, size)
        return self._letter_of(one, Rejection("event_too_large", reason))

    def _letter_of(self, one: CausedEvent, rejection: Rejection) -> FailedRecord:
        """Return the dead letter about an event that is not published; it holds the event's item.

        Its verdict is stored: when the item is replayed, it is published.
        """
        event = one.event
        payload = event.payload
        cause = one.record or ReceivedRecord(self.topics.output, _NO_OFFSET, _NO_OFFSET, None, None)
        record = cause._replace(
            key=event_key(payload), value=event.received or None, headers=one.traces
        )
        return FailedRecord(record, rejection)


def _is_erased(dead_letter: FailedRecord, erased: Mapping[bytes, ReceivedRecord]) -> bool:
    """Return whether the same batch withdraws the dead letter's item, later than its record."""
    withdrawal = erased.get(dead_letter_key(dead_letter.record)) if erased else None
    if withdrawal is None:
        return False
    record = dead_letter.record
    same_partition = (record.topic, record.partition) == (withdrawal.topic, withdrawal.partition)
    return not same_partition or record.offset < withdrawal.offset
