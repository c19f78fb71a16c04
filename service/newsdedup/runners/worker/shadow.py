"""A second rule that judges the same items alongside the real one, in a namespace of its own.

Its verdicts are compared and counted, never published. It runs after publication and may fail
without harm: what it misses is not judged again.
"""

import logging
from collections.abc import Sequence
from typing import Any, Final

from newsdedup.core.events import Event, Judgement
from newsdedup.engine.analyzer import Analyzed, ItemAnalyzer
from newsdedup.engine.arrivals import Arrival
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.engine.shared.progress import BatchResult, Change
from newsdedup.ports.errors import NewsdedupError, StateMoved, is_bug
from newsdedup.ports.telemetry import Telemetry

LOG: Final = logging.getLogger("newsdedup.shadow")


class Shadow:
    """One rule on trial."""

    def __init__(self, name: str, engine: SharedEngine, analyzer: ItemAnalyzer) -> None:
        self._name = name
        self._engine = engine
        self._analyzer = analyzer

    async def follow(self, arrivals: Sequence[Arrival[Any]], telemetry: Telemetry) -> None:
        """Judge what has arrived by this rule; report both verdicts on each new item or version.

        An error of Redis, or a bug, is logged, and the batch is not judged by this rule.
        """
        real = [(one.change, one.events) for one in arrivals if one.change is not None]
        try:
            result = await self._process([self._own(change) for change, _ in real])
        except Exception as error:
            if not isinstance(error, NewsdedupError) and not is_bug(error):
                raise
            # The message of a bug may quote an item.
            said = error if isinstance(error, NewsdedupError) else type(error).__name__
            LOG.warning("shadow_missed rule=%s items=%d reason=%s", self._name, len(arrivals), said)
            return
        for (_, events), outcome in zip(real, result.outcomes, strict=True):
            self._compare(first_judgement(events), first_judgement(outcome.events), telemetry)

    def _compare(
        self, real: Judgement | None, other: Judgement | None, telemetry: Telemetry
    ) -> None:
        """Report the first judgements of both rules on one item or version that is new to both."""
        if real is None or other is None:
            return
        telemetry.shadow(real.verdict, other.verdict)
        if real.verdict != other.verdict:
            LOG.info(
                "shadow_differs rule=%s source=%r id=%r real=%s shadow=%s",
                self._name,
                real.item.source,
                real.item.id,
                real.verdict,
                other.verdict,
            )

    def _own(self, change: Change) -> Change:
        """Return a change with the fingerprints of this rule; a command is returned as it is.

        The received bytes are left out: the namespace of this rule stores no text.
        """
        return self._analyzer.analyze(change.item) if isinstance(change, Analyzed) else change

    async def _process(self, changes: Sequence[Change]) -> BatchResult:
        """Process changes, once more if Redis may have lost writes."""
        try:
            return await self._engine.process(changes)
        except StateMoved:
            return await self._engine.process(changes)


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
