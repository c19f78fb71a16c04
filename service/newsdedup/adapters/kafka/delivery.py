"""Delivery of events and dead letters, also where the broker refuses records of their size.

An event is a JSON value with the headers of CloudEvents 1.0 in binary mode.

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

from msgspec import UNSET

from newsdedup.adapters.formats.event_json import PAYLOAD_TYPES, encode_event, shorten_event
from newsdedup.adapters.kafka.dead_letters import dead_letter_key, dead_letter_record, tombstone
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import OutgoingRecord, ReceivedRecord, event_key
from newsdedup.core.events import Event, Judgement, schema_id
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import Rejection, SinkUnusable
from newsdedup.ports.isolation import internal_error
from newsdedup.ports.streams import Headers

LOG: Final = logging.getLogger("newsdedup.delivery")
CLOUDEVENT_TYPES: Final = {kind: f"newsdedup.{kind}" for kind in PAYLOAD_TYPES}
"""The header `ce_type` of each kind of event; a released name never changes."""
CUT_HEADER: Final = "newsdedup_cut"
"""The header with the names of the item's fields that were cut."""
_TRACES_BYTES: Final = 640
"""Reserved for trace headers: W3C asks for 55 of `traceparent` and 512 of `tracestate`."""
LEAST_BYTES: Final = 2_000
"""A dead letter of this size is hardly more than its reason; smaller ones are not tried."""
_CUT_FACTOR: Final = 4
_NO_OFFSET: Final = -1
"""Partition and offset in a dead letter about an event whose record is unknown."""

Withdrawals = Mapping[ItemKey, ReceivedRecord]
"""The items that a batch withdraws, each with the last record that withdraws it."""
Waited = Callable[[str, Callable[[], Awaitable[list[int]]]], Awaitable[list[int]]]
"""Returns the result of an attempt, repeated while the server that it names does not answer."""


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

    publisher: KafkaPublisher
    waited: Waited
    topics: OutputTopics

    async def deliver(
        self,
        events: Sequence[CausedEvent],
        dead_letters: Sequence[FailedRecord] = (),
        *,
        withdrawn: Withdrawals | None = None,
    ) -> list[FailedRecord]:
        """Write all events and dead letters; return the latter, also those for too large events.

        `withdrawn` has by item the records that withdraw it: its earlier dead letters are erased.
        Raise SinkUnusable if the broker refuses even the smallest dead letter.
        """
        failed, topics = list(dead_letters), self.topics
        withdrawals = withdrawn or {}
        tombstones = [tombstone(key, topic=topics.dead) for key in withdrawals]
        if tombstones:
            await self._write(tombstones)
        keys = [one.key or b"" for one in tombstones]
        erased = dict(zip(keys, withdrawals.values(), strict=True))
        outgoing: list[tuple[CausedEvent | FailedRecord, OutgoingRecord]] = []
        for one in events:
            try:
                record = fitting_record(
                    one.event,
                    most=topics.most,
                    topic=topics.output,
                    origin=topics.origin,
                    traces=one.traces,
                )
            except Exception as error:  # noqa: BLE001 - a bug costs the event, not the stream
                failed.append(self._unpublished(one, internal_error(error, "encode")))
                continue
            if record is None:
                failed.append(self._too_large(one))
            else:
                outgoing.append((one, record))
        failed = _not_erased(failed, erased)
        outgoing += self._dead_letter_records(failed, topics.most)
        refused = await self._write_refused(outgoing)
        late = [self._too_large(one) for one in refused if isinstance(one, CausedEvent)]
        late = _not_erased(late, erased)
        again = [one for one in refused if isinstance(one, FailedRecord)]
        await self._write_dead_letters(late, most=topics.most)
        await self._write_dead_letters(again, most=topics.most // _CUT_FACTOR)
        return [*failed, *late]

    async def _write_dead_letters(self, dead_letters: Sequence[FailedRecord], *, most: int) -> None:
        """Write dead letters of up to `most` bytes, cut when refused; or raise SinkUnusable."""
        while dead_letters:
            refused = await self._write_refused(self._dead_letter_records(dead_letters, most))
            dead_letters = [one for one in refused if isinstance(one, FailedRecord)]
            if dead_letters and most <= LEAST_BYTES:
                raise SinkUnusable(
                    f"kafka: {self.topics.dead} takes no dead letter of {LEAST_BYTES} bytes: "
                    "raise its max.message.bytes"
                )
            most //= _CUT_FACTOR

    async def _write_refused(
        self, outgoing: Sequence[tuple[CausedEvent | FailedRecord, OutgoingRecord]]
    ) -> list[CausedEvent | FailedRecord]:
        """Write the records; return the events and dead letters whose records were refused."""
        if not outgoing:
            return []
        indexes = await self._write([record for _, record in outgoing])
        return [outgoing[index][0] for index in indexes]

    async def _write(self, records: Sequence[OutgoingRecord]) -> list[int]:
        """Publish records, waiting while Kafka is away; return the indexes of those too large."""
        return await self.waited("kafka", lambda: self.publisher.publish(records))

    def _dead_letter_records(
        self, dead_letters: Sequence[FailedRecord], most: int
    ) -> list[tuple[CausedEvent | FailedRecord, OutgoingRecord]]:
        """Return dead letters with their records, each cut to `most` bytes or LEAST_BYTES."""
        dead, size = self.topics.dead, max(most, LEAST_BYTES)
        return [
            (one, dead_letter_record(one.record, one.rejection, topic=dead, most=size))
            for one in dead_letters
        ]

    def _too_large(self, one: CausedEvent) -> FailedRecord:
        """Return the dead letter about an event too large for Kafka."""
        payload, size = one.event.payload, len(one.event.received)
        reason = (
            f"{payload.event} {payload.event_id} is larger than Kafka takes; "
            f"its item has {size} bytes"
        )
        LOG.warning("event_too_large event_id=%s bytes=%d", payload.event_id, size)
        return self._unpublished(one, Rejection("event_too_large", reason))

    def _unpublished(self, one: CausedEvent, rejection: Rejection) -> FailedRecord:
        """Return the dead letter about an event that is not published; it holds the event's item.

        Its verdict is stored: when the item is replayed, it is published.
        """
        event = one.event
        cause = one.record or ReceivedRecord(self.topics.output, _NO_OFFSET, _NO_OFFSET, None, None)
        record = cause._replace(
            key=event_key(event.payload), value=event.received or None, headers=one.traces
        )
        return FailedRecord(record, rejection)


def _not_erased(
    dead_letters: Sequence[FailedRecord], erased: Mapping[bytes, ReceivedRecord]
) -> list[FailedRecord]:
    """Return the dead letters but those whose item the same batch withdraws, later than the record.

    `erased` are the records that withdraw items, by the key of dead letters.
    """

    def remains(record: ReceivedRecord) -> bool:
        withdrawal = erased.get(dead_letter_key(record))
        if withdrawal is None:
            return True
        partition = (record.topic, record.partition)
        is_same_partition = partition == (withdrawal.topic, withdrawal.partition)
        return is_same_partition and record.offset >= withdrawal.offset

    return [one for one in dead_letters if not erased or remains(one.record)]


def event_record(event: Event, *, topic: str, origin: str, traces: Headers = ()) -> OutgoingRecord:
    """Return the Kafka record of an event: JSON with the headers of CloudEvents, and `traces`.

    `origin` is the `source` of CloudEvents, a URI reference.
    """
    payload = event.payload
    key = event_key(payload)
    headers: Headers = (
        ("ce_specversion", b"1.0"),
        ("ce_id", payload.event_id.encode()),
        ("ce_type", CLOUDEVENT_TYPES[payload.event].encode()),
        ("ce_source", origin.encode()),
        ("ce_subject", key),
        ("ce_dataschema", schema_id(payload.event).encode()),
        ("content-type", b"application/json; charset=utf-8"),
        *traces,
    )
    if isinstance(payload, Judgement) and payload.cut is not UNSET:
        headers = (*headers, (CUT_HEADER, ",".join(payload.cut).encode()))
    return OutgoingRecord(topic, key, encode_event(event), headers)


def fitting_record(
    event: Event, *, most: int, topic: str, origin: str, traces: Headers = ()
) -> OutgoingRecord | None:
    """Return a record of at most `most` bytes, cutting the item's fields; None if too large still.

    The cut must depend on the event alone, so room is kept for trace headers even without any: the
    same event published from the outbox of a dead worker has no traces and needs the same body.
    """
    room = most - _TRACES_BYTES
    record = event_record(event, topic=topic, origin=origin)
    size = record.size
    left = room - size + len(record.value or b"")
    while size > room:
        cut = shorten_event(event, most=left)
        if cut is None:
            return None
        record = event_record(cut, topic=topic, origin=origin)
        # The header that names the cut fields takes room, too.
        size = record.size
        left -= size - room
    traced = record._replace(headers=(*record.headers, *traces))
    return traced if traced.size <= most else record
