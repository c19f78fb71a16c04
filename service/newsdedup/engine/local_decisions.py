"""Decisions about arrivals over a store of this process: one after the other, stored or tried.

A run over files and a check of the API decide this way, with the use case Deduplicate; EventWriter
(engine/event_writer.py) renders the events of a decision. What raises a bug is set aside
(ports/isolation.py).
"""

from collections.abc import Callable
from typing import Any

from newsdedup.core.events import Event
from newsdedup.core.stories.commands import UnknownItem
from newsdedup.engine.arrivals import Arrival
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.ports.errors import Rejection, is_bug
from newsdedup.ports.isolation import decision_stage, internal_error

EncodeEvent = Callable[[Event], bytes]
"""Returns an event as one record of a sink."""


class HalfApplied(Exception):
    """The decision about an arrival has raised a bug, and part of it is in the store by then.

    The caller rolls the store back and decides the batch again, rehearsing each item.
    """

    def __init__(self, arrival: Arrival[Any], rejection: Rejection) -> None:
        super().__init__(rejection.reason)
        self.arrival = arrival
        self.rejection = rejection


def decide_arrival(arrival: Arrival[Any], engine: Deduplicate) -> None:
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
        _set_aside(arrival, engine, error)
        if arrival.rejection is None:
            decide_arrival(arrival, engine)


def preview_arrival(arrival: Arrival[Any], engine: Deduplicate) -> None:
    """Set the events that an item would get now; store nothing. Reject a command."""
    if arrival.analyzed is not None:
        try:
            arrival.events = tuple(engine.preview(arrival.analyzed))
        except Exception as error:  # noqa: BLE001 - a bug costs the item
            _set_aside(arrival, engine, error)
            preview_arrival(arrival, engine)
    elif arrival.content is not None:
        arrival.rejection = Rejection("no_item", "a command is no item: nothing is judged")


def encode_events(arrival: Arrival[Any], encode: EncodeEvent) -> list[bytes]:
    """Return the events of an arrival as the records of a sink.

    Raise HalfApplied if that raises a bug: they are stored by then.
    """
    try:
        return [encode(event) for event in arrival.events]
    except Exception as error:
        raise HalfApplied(arrival, internal_error(error, "encode")) from error


def rehearse_arrival(arrival: Arrival[Any], engine: Deduplicate, encode: EncodeEvent) -> None:
    """Set an item aside if previewing it or encoding its events raises; store nothing."""
    if arrival.analyzed is None:
        return
    preview_arrival(arrival, engine)
    try:
        encode_events(arrival, encode)
    except HalfApplied as failed:
        arrival.set_aside(failed.rejection)
    arrival.events = ()


def _set_aside(arrival: Arrival[Any], engine: Deduplicate, error: Exception) -> None:
    """Set an arrival aside whose decision raised, unless entries that are stored are to blame.

    Those are set aside then, and the arrival may be decided again. Raise what is no bug.
    """
    rejection = internal_error(error, decision_stage(error))
    if arrival.change is None or not engine.find_unusable(arrival.change):
        arrival.set_aside(rejection)
