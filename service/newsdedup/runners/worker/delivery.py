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

from newsdedup.adapters.kafka.events import fitting_record
from newsdedup.adapters.kafka.keys import event_key
from newsdedup.adapters.kafka.letters import erasure, filed_under, letter_record
from newsdedup.adapters.kafka.records import Headers, Outgoing, Received
from newsdedup.core.events import Event
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import InvalidItem, SinkUnusable

LOG: Final = logging.getLogger("newsdedup.delivery")
LEAST_LETTER: Final = 2_000
"""Bytes of a letter that is almost only its reason: who takes less takes none."""
SMALLER: Final = 4
NOWHERE: Final = -1
"""Partition and offset of an event whose record was somebody else's."""

Withdrawn = Mapping[ItemKey, Received]
"""Items that a batch withdraws, each with the last record that does."""
Write = Callable[[Sequence[Outgoing]], Awaitable[list[int]]]
"""Writes records, however long that takes, and returns which were refused for their size."""


class Letter(NamedTuple):
    """A record that failed, and why."""

    record: Received
    error: InvalidItem


class Occasion(NamedTuple):
    """An event and what it was that brought it about."""

    event: Event
    record: Received | None = None
    """None where only the outbox knows of it."""
    traces: Headers = ()


@dataclass(frozen=True, slots=True)
class Topics:
    """Where events and letters go, and what CloudEvents calls their source."""

    output: str
    dead: str
    origin: str
    most: int = 1_000_000
    """Bytes of a record, at most."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What publishes."""

    write: Write
    topics: Topics

    async def deliver(
        self,
        occasions: Sequence[Occasion],
        letters: Sequence[Letter] = (),
        *,
        withdrawn: Withdrawn | None = None,
    ) -> list[Letter]:
        """Publish all; return the letters, with those about events that Kafka does not take."""
        gone = await self._erased(withdrawn or {})
        told = [one for one in letters if not _is_gone(one, gone)]
        posted: list[tuple[Occasion | Letter, Outgoing]] = []
        for one in occasions:
            record = self._event(one)
            if record is None:
                told += self._refusals([one], gone)
            else:
                posted.append((one, record))
        posted += [(one, self._letter(one, max(self.topics.most, LEAST_LETTER))) for one in told]
        refused = await self._refused(posted)
        late = self._refusals([one for one in refused if isinstance(one, Occasion)], gone)
        again = [one for one in refused if isinstance(one, Letter)]
        await self._bury(late, most=self.topics.most)
        await self._bury(again, most=self.topics.most // SMALLER)
        return [*told, *late]

    async def _erased(self, withdrawn: Withdrawn) -> dict[bytes, Received]:
        """Erase the letters about items; return by the key of letters which record said so."""
        said = [(erasure(key, topic=self.topics.dead), record) for key, record in withdrawn.items()]
        if said:
            await self.write([one for one, _ in said])
        return {one.key or b"": record for one, record in said}

    async def _bury(self, letters: Sequence[Letter], *, most: int) -> None:
        """Write letters, smaller and smaller; raise SinkUnusable if none is small enough."""
        while letters:
            size = max(most, LEAST_LETTER)
            refused = await self._refused([(one, self._letter(one, size)) for one in letters])
            letters = [one for one in refused if isinstance(one, Letter)]
            if letters and size == LEAST_LETTER:
                raise SinkUnusable(
                    f"kafka: {self.topics.dead} takes no letter of {LEAST_LETTER} bytes: raise its "
                    "max.message.bytes"
                )
            most = size // SMALLER

    async def _refused(
        self, posted: Sequence[tuple[Occasion | Letter, Outgoing]]
    ) -> list[Occasion | Letter]:
        if not posted:
            return []
        places = await self.write([record for _, record in posted])
        return [posted[place][0] for place in places]

    def _event(self, one: Occasion) -> Outgoing | None:
        topics = self.topics
        return fitting_record(
            one.event,
            most=topics.most,
            topic=topics.output,
            origin=topics.origin,
            traces=one.traces,
        )

    def _letter(self, one: Letter, most: int) -> Outgoing:
        return letter_record(one.record, one.error, topic=self.topics.dead, most=most)

    def _refusals(
        self, refused: Sequence[Occasion], gone: Mapping[bytes, Received]
    ) -> list[Letter]:
        letters = [self._refusal(one) for one in refused]
        return [one for one in letters if not _is_gone(one, gone)]

    def _refusal(self, one: Occasion) -> Letter:
        """Return the letter about an event: in it is the item that the event would carry."""
        event = one.event
        told = event.payload
        size = len(event.received)
        reason = (
            f"{told.event} {told.event_id} is larger than Kafka takes; its item has {size} bytes"
        )
        LOG.warning("event_too_large event_id=%s bytes=%d", told.event_id, size)
        place = one.record or Received(self.topics.output, NOWHERE, NOWHERE, None, None)
        record = place._replace(
            key=event_key(told), value=event.received or None, headers=one.traces
        )
        return Letter(record, InvalidItem("event_too_large", reason))


def _is_gone(letter: Letter, gone: Mapping[bytes, Received]) -> bool:
    """Return whether the item of a letter is withdrawn by the same batch, and not before it."""
    withdrawal = gone.get(filed_under(letter.record)) if gone else None
    if withdrawal is None:
        return False
    record = letter.record
    one_order = (record.topic, record.partition) == (withdrawal.topic, withdrawal.partition)
    return not one_order or record.offset < withdrawal.offset
