"""How a runner takes part in a consumer group, whatever drives it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from newsdedup.adapters.kafka.client import KafkaAccess

Stored = Callable[[], Awaitable[Mapping[str, int]]]
"""Returns the positions that are stored with the state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """Which group reads which topic, in what portions, and where the state says it ends."""

    access: KafkaAccess
    topic: str
    group: str
    stored: Stored
    batch: int
    linger_seconds: float
    session_seconds: float
