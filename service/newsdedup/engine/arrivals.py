"""One record of the input on its way through the pipeline, and what is reported of a batch of them.

The lines of the log name an item by source and id. Titles and texts are not in them, nor the reason
of a rejection, which may quote what was received.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from newsdedup.core.events import Event, Judgement, OriginalMoved
from newsdedup.core.model import Micros, NewsItem
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.commands import Command
from newsdedup.engine.analyzer import Analyzed
from newsdedup.ports.errors import Rejection
from newsdedup.ports.streams import Headers
from newsdedup.ports.telemetry import Stage

R = TypeVar("R")
LateReason = Literal["lateness", "window"]
"""Older than the newest item by more than rule.lateness; even by more than rule.window with it."""


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
    def change(self) -> Analyzed | Command | None:
        """The analyzed item or the command to decide about.

        None if the record holds neither, was rejected, or its item is not analyzed yet.
        """
        if self.analyzed is not None:
            return self.analyzed
        return None if isinstance(self.content, NewsItem) else self.content


def is_late(event: Event) -> bool:
    """Return whether an event is the first verdict on a late item: one older than rule.lateness."""
    payload = event.payload
    if event.repeated or not isinstance(payload, Judgement):
        return False
    return payload.event == "item.judged" and payload.late


def late_reasons(
    events: Iterable[Event], *, watermark: Micros, beyond: Micros
) -> Iterable[LateReason]:
    """Yield for each late item among the events how late it is.

    For one that is older than the watermark by more than `beyond`, all items of its own time have
    left the window.
    """
    for event in events:
        if is_late(event) and isinstance(event.payload, Judgement):
            at = to_micros(datetime.fromisoformat(event.payload.effective_at))
            yield "window" if at < watermark - beyond else "lateness"


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
