"""The way of an item: decode, analyze, decide, render the events, encode.

    record --decode--> item or command --analyze--> Analyzed --decide--> events --encode--> bytes

Both runners take each batch through these steps, as one list of arrivals. A run over files
(runners/files/embedded.py) decides over a store of its own, one arrival after the other. A worker
(runners/worker/worker.py) decides a whole batch over the store that it shares with other workers,
and its delivery encodes, for it must cut what Kafka would refuse. BatchAnalysis
(engine/batch_analysis.py) analyzes; EventWriter (engine/event_writer.py) renders the events of a
decision for the use case Deduplicate.

A step that raises a bug for a record sets that record aside (ports/isolation.py).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Generic

from newsdedup.core.model import Micros, NewsItem
from newsdedup.core.stories.commands import UnknownItem
from newsdedup.core.stories.window import own_time
from newsdedup.engine.arrivals import Arrival, R
from newsdedup.engine.batch_analysis import BatchAnalysis
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.engine.shared.progress import BatchResult
from newsdedup.ports.errors import InvalidItem, Rejection, is_bug
from newsdedup.ports.isolation import INTERNAL_ERROR, decision_stage, internal_error
from newsdedup.ports.streams import Decoder, Encoder
from newsdedup.ports.tracing import NO_SPAN, Span


class HalfApplied(Exception):
    """The decision about an arrival has raised a bug, and part of it is in the store by then.

    The caller rolls the store back and decides the batch again, rehearsing each item.
    """

    def __init__(self, arrival: Arrival[Any], rejection: Rejection) -> None:
        super().__init__(rejection.reason)
        self.arrival = arrival
        self.rejection = rejection


class Pipeline(Generic[R]):
    """The steps for the records of one kind of source; `analysis` is the second of them."""

    def __init__(self, decoder: Decoder[R], analysis: BatchAnalysis) -> None:
        self.analysis = analysis
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

    async def decide_shared(
        self,
        arrivals: Sequence[Arrival[R]],
        engine: SharedEngine,
        *,
        positions: Mapping[str, int],
        span: Span = NO_SPAN,
    ) -> BatchResult:
        """Decide about a batch over a shared store: set events or rejection of each arrival.

        `positions` are end offsets by partition name, stored with the batch; `span` gets the parts
        of the work. Raise Unavailable or StateMoved as SharedEngine.process does; then nothing is
        set.
        """
        waiting = [arrival for arrival in arrivals if arrival.change is not None]
        changes = [arrival.change for arrival in waiting if arrival.change is not None]
        result = await engine.process(changes, positions=positions, span=span)
        for arrival, outcome in zip(waiting, result.outcomes, strict=True):
            if outcome.rejection is not None and outcome.rejection.code == INTERNAL_ERROR:
                arrival.set_aside(outcome.rejection)
            else:
                arrival.events, arrival.rejection = outcome.events, outcome.rejection
        return result

    def encode(self, arrival: Arrival[R], encoder: Encoder) -> list[bytes]:
        """Return the events of an arrival as the records of a sink.

        Raise HalfApplied if that raises a bug: they are stored by then.
        """
        try:
            return [encoder.encode(event) for event in arrival.events]
        except Exception as error:
            raise HalfApplied(arrival, internal_error(error, "encode")) from error

    def rehearse(self, arrival: Arrival[R], engine: Deduplicate, encoder: Encoder) -> None:
        """Set an item aside if previewing it or encoding its events raises; store nothing."""
        if arrival.analyzed is None:
            return
        self.preview(arrival, engine)
        try:
            self.encode(arrival, encoder)
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
