"""A shadow rule: judges the same items as the real rule, in a namespace of its own, for comparison.

Its verdicts are counted and logged, never published. It runs after publication; items that it
misses because of an error are not judged again.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Final

from newsdedup.core.events import Judgement
from newsdedup.engine.analysis import Analyze
from newsdedup.engine.deduplicate import Analyzed
from newsdedup.engine.shared.judging import SharedEngine
from newsdedup.engine.shared.outcomes import Arrival, BatchResult, Outcome
from newsdedup.ports.errors import NewsdedupError, StateMoved
from newsdedup.ports.telemetry import Telemetry

LOG: Final = logging.getLogger("newsdedup.shadow")


class Shadow:
    """One shadow rule beside a worker."""

    def __init__(self, name: str, engine: SharedEngine, analyze: Analyze) -> None:
        self._name = name
        self._engine = engine
        self._analyze = analyze

    async def judge(
        self, arrivals: Sequence[Arrival], real: BatchResult, telemetry: Telemetry
    ) -> None:
        """Judge a batch that the real rule has judged; count and log where the verdicts differ."""
        try:
            shadow = await self._process([self._analyze_again(arrival) for arrival in arrivals])
        except NewsdedupError as error:
            LOG.warning(
                "shadow_missed rule=%s items=%d reason=%s", self._name, len(arrivals), error
            )
            return
        for mine, other in pair_judgements(real.outcomes, shadow.outcomes):
            telemetry.shadow(mine.verdict, other.verdict)
            if mine.verdict != other.verdict:
                LOG.info(
                    "shadow_differs rule=%s source=%r id=%r real=%s shadow=%s",
                    self._name,
                    mine.item.source,
                    mine.item.id,
                    mine.verdict,
                    other.verdict,
                )

    def _analyze_again(self, arrival: Arrival) -> Arrival:
        """Return an arrival with the fingerprints of this rule; its namespace stores no texts."""
        return self._analyze(arrival.item, b"") if isinstance(arrival, Analyzed) else arrival

    async def _process(self, arrivals: Sequence[Arrival]) -> BatchResult:
        try:
            return await self._engine.process(arrivals)
        except StateMoved:
            return await self._engine.process(arrivals)


def pair_judgements(
    real: Sequence[Outcome], shadow: Sequence[Outcome]
) -> Iterator[tuple[Judgement, Judgement]]:
    """Yield both rules' judgements on each item that is new to both."""
    for outcome, other in zip(real, shadow, strict=True):
        one, two = _new_judgement(outcome), _new_judgement(other)
        if one is not None and two is not None:
            yield one, two


def _new_judgement(outcome: Outcome) -> Judgement | None:
    """Return the judgement on an arriving item, None for an act or a repeated event."""
    if not isinstance(outcome, list) or not outcome or outcome[0].repeated:
        return None
    payload = outcome[0].payload
    return payload if isinstance(payload, Judgement) else None
