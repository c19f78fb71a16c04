"""A restoration: the output topic, read into a namespace that is empty."""

from collections import Counter
from collections.abc import AsyncIterator

from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.adapters.redis.namespace import begin_generation, stored_positions
from newsdedup.bootstrap.runs import record_limits
from newsdedup.bootstrap.workers import NamespaceSession, kafka_access, shared_engine
from newsdedup.config import Settings
from newsdedup.core.moments import MICROSECOND
from newsdedup.ports.errors import StateUnusable
from newsdedup.runners.worker.rebuild import Rebuild

READ_AT_ONCE = 512


async def rebuild_state(
    settings: Settings, opened_as: NamespaceSession
) -> AsyncIterator[Counter[str]]:
    """Yield what was restored, batch by batch.

    Raise StateUnusable if the namespace is not empty: what is there must not be mixed with it.
    """
    calls, keys = opened_as.calls, opened_as.keys
    if await stored_positions(calls, keys):
        raise StateUnusable(
            f"redis namespace {keys.namespace!r} is not empty: a state is rebuilt after all of it "
            "was lost; choose another --namespace, or empty this one"
        )
    engine, analyzer = shared_engine(settings, opened_as), opened_as.analyzer
    job = Rebuild(
        store=engine.store,
        new_view=engine.new_view,
        rule=engine.rule,
        analyzer=analyzer,
        term=analyzer.documents.vocabulary.term,
        limits=record_limits(settings),
        lateness=settings.rule.lateness // MICROSECOND,
    )
    access, chosen = kafka_access(settings), settings.kafka
    async with open_topic(access, chosen.input, group=chosen.group) as raw:
        done = await raw.committed()
    async with open_topic(access, chosen.output) as output:
        async for batch in output.records(at_once=READ_AT_ONCE):
            yield await job.take(batch)
    await job.end(done)
    # Last, for it sets apart those who looked before: nobody works here yet.
    await begin_generation(calls, keys, after=job.generation)
