"""Which runner drives a worker."""

from collections.abc import Mapping

from newsdedup.adapters.redis_namespace import positions
from newsdedup.bootstrap.workers import Namespace, kafka_access
from newsdedup.config import Settings
from newsdedup.runners.aiokafka_loop import AiokafkaLoop
from newsdedup.runners.service import Deadlines, Loop
from newsdedup.runners.worker import Worker


def loop(settings: Settings, opened_as: Namespace, worker: Worker) -> Loop:
    """Return the runner that the settings name, around a worker."""

    async def stored() -> Mapping[str, int]:
        return await positions(opened_as.calls, opened_as.keys)

    chosen = settings.worker
    return AiokafkaLoop(
        worker,
        kafka_access(settings),
        topic=settings.kafka.input,
        group=settings.kafka.group,
        stored=stored,
        batch=chosen.batch,
        linger_seconds=chosen.linger.total_seconds(),
        session_seconds=chosen.session.total_seconds(),
    )


def deadlines(settings: Settings) -> Deadlines:
    """Return how long a worker may take for what."""
    chosen = settings.worker
    return Deadlines(
        drain=chosen.drain.total_seconds(),
        stall=chosen.stall.total_seconds(),
        orphans=chosen.orphans.total_seconds(),
    )
