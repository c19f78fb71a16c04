"""Lines of the log about a batch that is finished.

They name an item by source and id; they have no title, no text, and no reason of a rejection, which
may quote what was received.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup.core.events import Judgement, OriginalMoved
from newsdedup.engine.arrivals import Arrival
from newsdedup.ports.telemetry import Stage


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
        if event.repeated:
            kinds["repeated"] += 1
        elif (judgement := event.first_judgement) is not None:
            kinds[judgement.verdict] += 1
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
        log.debug("rejected code=%s", arrival.rejection.code)
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
