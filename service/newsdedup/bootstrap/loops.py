"""Makes the runner of a worker."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from newsdedup.adapters.redis.clocks import RedisClocks
from newsdedup.adapters.redis.namespace import reset_positions, stored_positions
from newsdedup.bootstrap.workers import NamespaceSession, kafka_access
from newsdedup.config import Settings
from newsdedup.core.moments import MICROSECOND
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.runners.worker.alignment import Alignment, AlignmentLimits
from newsdedup.runners.worker.consumer import BatchProcessor, GroupMember, PositionStore
from newsdedup.runners.worker.service import Loop
from newsdedup.runners.worker.worker import Worker

_SESSIONS_TO_EXPIRE: Final = 3
_LEAST_EXPIRY_SECONDS: Final = 30.0
"""How long the partitions of a silent worker count: within it the group gives them to another."""


def make_loop(settings: Settings, session: NamespaceSession, worker: Worker) -> Loop:
    """Return the configured runner around a worker, which starts at the offsets stored in Redis.

    In event time, partitions stay within worker.drift (0: any) and rule.lateness of each other.
    """
    chosen = settings.worker
    drift = min(chosen.drift, settings.rule.lateness) // MICROSECOND
    alignment = Alignment(
        limits=AlignmentLimits(
            drift=max(1, drift) if chosen.drift else 0,
            idle=chosen.idle.total_seconds(),
            expiry=max(_LEAST_EXPIRY_SECONDS, _SESSIONS_TO_EXPIRE * chosen.session.total_seconds()),
        ),
        clocks=RedisClocks(session.calls, session.keys),
        time_of=worker.pipeline.event_time,
        note_wait=worker.note_wait,
    )
    positions = RedisPositions(session, worker.engine)
    return make_runner(settings, worker, positions, alignment=alignment)


@dataclass(frozen=True, slots=True)
class RedisPositions:
    """The offsets that are stored in a namespace; a PositionStore."""

    session: NamespaceSession
    engine: SharedEngine

    async def begin(self) -> None:
        """Begin a run of the engine; positions read later must belong to the same era of Redis."""
        await self.engine.begin()

    async def read(self) -> Mapping[str, int]:
        """Return the stored offsets by partition name; raise StateMoved if the era has changed."""
        await self.engine.look(())
        return await stored_positions(self.session.calls, self.session.keys)

    async def reset(self, names: Collection[str]) -> None:
        """Set the stored offsets of these partitions to 0."""
        await reset_positions(self.session.calls, self.session.keys, names)


def make_runner(
    settings: Settings,
    processor: BatchProcessor,
    positions: PositionStore,
    *,
    alignment: Alignment | None = None,
) -> Loop:
    """Return the configured runner around any processor of batches.

    Without `alignment` each partition is read as fast as possible.
    """
    chosen = settings.worker
    member = GroupMember(
        access=kafka_access(settings),
        topic=settings.kafka.input,
        group=settings.kafka.group,
        positions=positions,
        batch=chosen.batch,
        linger_seconds=chosen.linger.total_seconds(),
        session_seconds=chosen.session.total_seconds(),
        alignment=alignment,
    )
    # The other runner and its libraries are not loaded.
    if chosen.runner == "aiokafka":
        from newsdedup.runners.worker.aiokafka_loop import AiokafkaLoop  # noqa: PLC0415

        return AiokafkaLoop(processor, member)
    from newsdedup.runners.worker.faust_loop import FaustLoop  # noqa: PLC0415

    return FaustLoop(processor, member)
