"""Items that come too late to be placed exactly, and how much too late."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from newsdedup.core.events import Event, Judgement
from newsdedup.core.model import Micros
from newsdedup.core.moments import to_micros

LateReason = Literal["lateness", "window"]
"""Older than the newest item by more than rule.lateness; even by more than rule.window with it."""


def is_late(event: Event) -> bool:
    """Return whether an event is the first verdict on an item that came too late."""
    payload = event.payload
    if event.repeated or not isinstance(payload, Judgement):
        return False
    return payload.event == "item.judged" and payload.late


def late_reasons(
    events: Iterable[Event], *, watermark: Micros, beyond: Micros
) -> Iterable[LateReason]:
    """Yield for each late item among the events how late it is.

    One that is older than the watermark by more than `beyond` finds nothing any more of its own
    time: that has left the window.
    """
    for event in events:
        if is_late(event) and isinstance(event.payload, Judgement):
            at = to_micros(datetime.fromisoformat(event.payload.effective_at))
            yield "window" if at < watermark - beyond else "lateness"
