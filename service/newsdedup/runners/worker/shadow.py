"""A second rule that judges the same items beside the real one, in a namespace of its own.

Its verdicts are compared and counted, never published. It comes after publication and may fail
without harm: what it misses is not judged again.
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
    """One rule on trial."""

    def __init__(self, name: str, served: SharedEngine, analyze: Analyze) -> None:
        self._name = name
        self._served = served
        self._analyze = analyze

    async def judge(
        self, arrivals: Sequence[Arrival], judged: BatchResult, telemetry: Telemetry
    ) -> None:
        """Judge what the real rule has judged, and tell where the two differ."""
        try:
            told = await self._judge([self._analyze_again(arrival) for arrival in arrivals])
        except NewsdedupError as error:
            LOG.warning(
                "shadow_missed rule=%s items=%d reason=%s", self._name, len(arrivals), error
            )
            return
        for real, other in pair_judgements(judged.outcomes, told.outcomes):
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

    def _analyze_again(self, arrival: Arrival) -> Arrival:
        """Return an arrival with the fingerprints of this rule; its namespace keeps no text."""
        return self._analyze(arrival.item, b"") if isinstance(arrival, Analyzed) else arrival

    async def _judge(self, arrivals: Sequence[Arrival]) -> BatchResult:
        try:
            return await self._served.process(arrivals)
        except StateMoved:
            return await self._served.process(arrivals)


def pair_judgements(
    real: Sequence[Outcome], shadow: Sequence[Outcome]
) -> Iterator[tuple[Judgement, Judgement]]:
    """Yield for each item the first word of both rules, where it is the first for both."""
    for outcome, other in zip(real, shadow, strict=True):
        one, two = new_judgement(outcome), new_judgement(other)
        if one is not None and two is not None:
            yield one, two


def new_judgement(outcome: Outcome) -> Judgement | None:
    """Return the judgement on the item that arrived, None if it was told before."""
    if not isinstance(outcome, list) or not outcome or outcome[0].repeated:
        return None
    payload = outcome[0].payload
    return payload if isinstance(payload, Judgement) else None
