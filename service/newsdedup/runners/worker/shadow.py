"""A second rule that judges the same items alongside the real one, in a namespace of its own.

Its verdicts are compared and counted, never published. It runs after publication and may fail
without harm: what it misses is not judged again.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from newsdedup.core.events import Event, Judgement
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.pipeline import Arrival
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.engine.shared.progress import BatchResult
from newsdedup.ports.errors import NewsdedupError, StateMoved, is_bug
from newsdedup.ports.telemetry import Telemetry

LOG: Final = logging.getLogger("newsdedup.shadow")


@dataclass(frozen=True, slots=True)
class Shadow:
    """One rule on trial."""

    name: str
    engine: SharedEngine
    analyzer: ItemAnalyzer

    async def follow(self, arrivals: Sequence[Arrival[Any]], telemetry: Telemetry) -> None:
        """Judge what has arrived by this rule; report both verdicts on each new item or version.

        An error of Redis, or a bug, is logged, and the batch is not judged by this rule.
        """
        followed = [one for one in arrivals if one.change is not None]
        try:
            result = await self._process(followed)
        except Exception as error:
            if not isinstance(error, NewsdedupError) and not is_bug(error):
                raise
            # The message of a bug may quote an item.
            reason = error if isinstance(error, NewsdedupError) else type(error).__name__
            LOG.warning(
                "shadow_missed rule=%s items=%d reason=%s", self.name, len(arrivals), reason
            )
            return
        for arrival, outcome in zip(followed, result.outcomes, strict=True):
            real, other = first_judgement(arrival.events), first_judgement(outcome.events)
            # What only one of both rules judges for the first time is not compared.
            if real is None or other is None:
                continue
            telemetry.shadow(real.verdict, other.verdict)
            if real.verdict != other.verdict:
                LOG.info(
                    "shadow_differs rule=%s source=%r id=%r real=%s shadow=%s",
                    self.name,
                    real.item.source,
                    real.item.id,
                    real.verdict,
                    other.verdict,
                )

    async def _process(self, arrivals: Sequence[Arrival[Any]]) -> BatchResult:
        """Decide by this rule, once more if Redis may have lost writes.

        Items get the fingerprints of this rule, and no bytes: its namespace stores no text. Raise
        what `process` of the engine raises.
        """
        changes = [
            one.change if one.analyzed is None else self.analyzer.analyze(one.analyzed.item)
            for one in arrivals
            if one.change is not None
        ]
        try:
            return await self.engine.process(changes)
        except StateMoved:
            return await self.engine.process(changes)


def first_judgement(events: Sequence[Event]) -> Judgement | None:
    """Return the judgement on the item version that arrived: the first event of its arrival.

    None if there is no event, it is repeated, or it is another one, as after an editor's command.
    """
    if not events or events[0].repeated:
        return None
    payload = events[0].payload
    if isinstance(payload, Judgement) and payload.event == "item.judged":
        return payload
    return None
