"""Makes the runner of a worker, and its deadlines."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from newsdedup.adapters.redis.namespace import stored_positions
from newsdedup.bootstrap.workers import NamespaceSession, kafka_access
from newsdedup.config import Settings
from newsdedup.runners.worker.consumer import BatchProcessor, GroupMember, ReadPositions
from newsdedup.runners.worker.service import Deadlines, Loop
from newsdedup.runners.worker.worker import Worker

if TYPE_CHECKING:
    from newsdedup.runners.worker.aiokafka_loop import AiokafkaLoop
    from newsdedup.runners.worker.faust_loop import FaustLoop


def make_loop(settings: Settings, session: NamespaceSession, worker: Worker) -> Loop:
    """Return the configured runner around a worker, which starts at the positions in Redis."""

    async def stored() -> Mapping[str, int]:
        """Return the stored positions, after reading the era in which they hold."""
        await worker.engine.begin()
        return await stored_positions(session.calls, session.keys)

    return make_runner(settings, worker, stored)


def make_runner(settings: Settings, processor: BatchProcessor, stored: ReadPositions) -> Loop:
    """Return the configured runner around anything that processes batches."""
    chosen = settings.worker
    member = GroupMember(
        access=kafka_access(settings),
        topic=settings.kafka.input,
        group=settings.kafka.group,
        stored=stored,
        batch=chosen.batch,
        linger_seconds=chosen.linger.total_seconds(),
        session_seconds=chosen.session.total_seconds(),
    )
    return runner(chosen.runner)(processor, member)


def runner(name: str) -> "type[AiokafkaLoop | FaustLoop]":
    """Return the class of a runner; the other one and its libraries are not loaded."""
    if name == "aiokafka":
        from newsdedup.runners.worker.aiokafka_loop import AiokafkaLoop  # noqa: PLC0415 - see above

        return AiokafkaLoop
    from newsdedup.runners.worker.faust_loop import FaustLoop  # noqa: PLC0415 - see above

    return FaustLoop


def deadlines(settings: Settings) -> Deadlines:
    """Return how long draining, stalling and orphaned events may take."""
    chosen = settings.worker
    return Deadlines(
        drain=chosen.drain.total_seconds(),
        stall=chosen.stall.total_seconds(),
        orphans=chosen.orphans.total_seconds(),
    )
