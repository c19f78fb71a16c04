"""The way of an item: decode, analyze, decide, render the events, encode.

    record --decode--> item or command --analyze--> Analyzed --decide--> events --encode--> bytes

Both runners take each batch through these steps, as one list of arrivals. A run over files
(runners/files/embedded.py) decides over a store of its own, one arrival after the other. A worker
(runners/worker/worker.py) decides a whole batch over the store that it shares with other workers,
and its delivery encodes, for it must cut what Kafka would refuse. BatchAnalysis
(engine/batch_analysis.py) analyzes; EventWriter (engine/event_writer.py) renders the events of a
decision for the use case Deduplicate.

A step that raises a bug for a record sets that record aside (ports/isolation.py). Lines of the log
name an item by source and id; they have no title, no text, and no reason of a rejection, which may
quote what was received.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from newsdedup.core.events import Event, Judgement, OriginalMoved
from newsdedup.core.model import Micros, NewsItem
from newsdedup.core.stories.commands import Command, UnknownItem
from newsdedup.core.stories.window import own_time
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.deduplicate import Change, Deduplicate
from newsdedup.ports.errors import InvalidItem, Rejection, is_bug
from newsdedup.ports.isolation import decision_stage, internal_error
from newsdedup.ports.streams import Decoder, Headers
from newsdedup.ports.telemetry import Stage

R = TypeVar("R")
EncodeEvent = Callable[[Event], bytes]
"""Returns an event as one record of a sink."""


@dataclass(slots=True)
class Arrival(Generic[R]):
    """A record, and what each step of the pipeline has made of it so far."""

    record: R
    content: NewsItem | Command | None = None
    """Set by decoding; None if the record holds nothing, or was rejected."""
    data: bytes = b""
    """The bytes of the item, which are published again with the verdict."""
    traces: Headers = ()
    rejection: Rejection | None = None
    """Set where the record goes to the dead letters."""
    analyzed: Analyzed | None = None
    """Set by analysis, for items."""
    events: tuple[Event, ...] = ()
    """Set by the decision, in the order in which they must be published."""

    def set_aside(self, rejection: Rejection) -> None:
        """Reject the record without a decision; drop its content, analysis and events."""
        self.rejection = rejection
        self.content, self.analyzed, self.events = None, None, ()

    @property
    def change(self) -> Change | None:
        """The analyzed item or the command to decide about.

        None if the record holds neither, was rejected, or its item is not analyzed yet.
        """
        if self.analyzed is not None:
            return self.analyzed
        return None if isinstance(self.content, NewsItem) else self.content


class HalfApplied(Exception):
    """The decision about an arrival has raised a bug, and part of it is in the store by then.

    The caller rolls the store back and decides the batch again, rehearsing each item.
    """

    def __init__(self, arrival: Arrival[Any], rejection: Rejection) -> None:
        super().__init__(rejection.reason)
        self.arrival = arrival
        self.rejection = rejection


class Pipeline(Generic[R]):
    """The steps for the records of one kind of source, but the analysis of a whole batch."""

    def __init__(self, decoder: Decoder[R]) -> None:
        self._decoder = decoder

    def decode(self, records: Sequence[R]) -> list[Arrival[R]]:
        """Return an arrival for each record: with its item or command, or with a rejection."""
        return [self._decode_one(record) for record in records]

    def event_time(self, record: R) -> Micros | None:
        """Return the effective time of a record's item, None where it has none or is unreadable.

        Nothing is raised, whatever the record holds: it is judged later, and fails there.
        """
        try:
            content, _, _ = self._decoder.decode(record)
            return own_time(content) if isinstance(content, NewsItem) else None
        except Exception:  # noqa: BLE001 - see above
            return None

    def decide(self, arrival: Arrival[R], engine: Deduplicate) -> None:
        """Decide about one arrival over the engine's own store: set its events.

        Set its rejection instead if it is a command about an unknown item, or if the decision
        raises a bug; skip one without content. Raise HalfApplied if a bug has left the change half
        applied.
        """
        change = arrival.change
        if change is None:
            return
        try:
            arrival.events = tuple(engine.apply(change))
        except UnknownItem as error:
            arrival.rejection = Rejection("unknown_item", str(error))
        except Exception as error:
            if engine.half_applied and is_bug(error):
                raise HalfApplied(arrival, internal_error(error, decision_stage(error))) from error
            self._set_aside(arrival, engine, error)
            if arrival.rejection is None:
                self.decide(arrival, engine)

    def preview(self, arrival: Arrival[R], engine: Deduplicate) -> None:
        """Set the events that an item would get now; store nothing. Reject a command."""
        if arrival.analyzed is not None:
            try:
                arrival.events = tuple(engine.preview(arrival.analyzed))
            except Exception as error:  # noqa: BLE001 - a bug costs the item
                self._set_aside(arrival, engine, error)
                self.preview(arrival, engine)
        elif arrival.content is not None:
            arrival.rejection = Rejection("no_item", "a command is no item: nothing is judged")

    def encode(self, arrival: Arrival[R], encode: EncodeEvent) -> list[bytes]:
        """Return the events of an arrival as the records of a sink.

        Raise HalfApplied if that raises a bug: they are stored by then.
        """
        try:
            return [encode(event) for event in arrival.events]
        except Exception as error:
            raise HalfApplied(arrival, internal_error(error, "encode")) from error

    def rehearse(self, arrival: Arrival[R], engine: Deduplicate, encode: EncodeEvent) -> None:
        """Set an item aside if previewing it or encoding its events raises; store nothing."""
        if arrival.analyzed is None:
            return
        self.preview(arrival, engine)
        try:
            self.encode(arrival, encode)
        except HalfApplied as failed:
            arrival.set_aside(failed.rejection)
        arrival.events = ()

    def _decode_one(self, record: R) -> Arrival[R]:
        """Return the arrival of one record; an InvalidItem of the decoder becomes its rejection."""
        try:
            content, data, traces = self._decoder.decode(record)
        except InvalidItem as error:
            return Arrival(record, rejection=error.rejection)
        except Exception as error:  # noqa: BLE001 - a bug costs the record, not the stream
            return Arrival(record, rejection=internal_error(error, "decode"))
        return Arrival(record, content, data, traces)

    def _set_aside(self, arrival: Arrival[R], engine: Deduplicate, error: Exception) -> None:
        """Set an arrival aside whose decision raised, unless entries that are stored are to blame.

        Those are set aside then, and the arrival may be decided again. Raise what is no bug.
        """
        rejection = internal_error(error, decision_stage(error))
        if arrival.change is None or not engine.find_unusable(arrival.change):
            arrival.set_aside(rejection)


def late_judgement(event: Event) -> Judgement | None:
    """Return the judgement of an event that is the first on a late item, else None.

    Late is what is older than the newest item before it by more than rule.lateness.
    """
    payload = event.payload
    if event.repeated or not isinstance(payload, Judgement) or payload.event != "item.judged":
        return None
    return payload if payload.late else None


def log_batch(
    log: logging.Logger,
    arrivals: Sequence[Arrival[Any]],
    *,
    seconds: Mapping[Stage, float] | None = None,
    dead_letters: int | None = None,
) -> None:
    """Write the lines about a finished batch: one at info; at debug one per rejection and event.

    `seconds` are those of its stages; `dead_letters` are its dead letters, by default one for each
    rejected record.
    """
    if not log.isEnabledFor(logging.INFO):
        return
    kinds: Counter[str] = Counter(dead=sum(one.rejection is not None for one in arrivals))
    for event in (event for one in arrivals for event in one.events):
        kinds["events"] += 1
        payload = event.payload
        if event.repeated:
            kinds["repeated"] += 1
        elif isinstance(payload, Judgement) and payload.event == "item.judged":
            kinds[payload.verdict] += 1
    if dead_letters is not None:
        kinds["dead"] = dead_letters
    names = ("events", "original", "duplicate", "repeated", "dead")
    parts = [f"{name}={kinds[name]}" for name in names]
    parts += [f"{stage}_ms={1000 * spent:.1f}" for stage, spent in (seconds or {}).items()]
    log.info("batch records=%d %s", len(arrivals), " ".join(parts))
    if log.isEnabledFor(logging.DEBUG):
        for one in arrivals:
            _log_arrival(log, one)


def _log_arrival(log: logging.Logger, arrival: Arrival[Any]) -> None:
    """Write a debug line on the rejection of an arrival, and one on each of its events."""
    if arrival.rejection is not None:
        log.debug("rejected code=%s bytes=%d", arrival.rejection.code, len(arrival.data))
    for event in arrival.events:
        payload = event.payload
        item = payload.original if isinstance(payload, OriginalMoved) else payload.item
        log.debug(
            "event kind=%s source=%r id=%r verdict=%s event_id=%s repeated=%s",
            payload.event,
            item.source,
            item.id,
            payload.verdict if isinstance(payload, Judgement) else "-",
            payload.event_id,
            event.repeated,
        )
