"""Makes a worker, its runner, its namespace in Redis and its shadow rule; restores a namespace."""

import os
import socket
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from ssl import create_default_context
from typing import Final
from urllib.parse import quote
from uuid import uuid4

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.delivery import OutputTopics
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.adapters.kafka.records import RecordDecoder
from newsdedup.adapters.memory.store import MemoryBatchLedger
from newsdedup.adapters.redis import namespace
from newsdedup.adapters.redis.calls import Calls, Client, create_client
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.namespace import RedisClocks
from newsdedup.adapters.redis.sharded_store import redis_store
from newsdedup.adapters.redis.store import RedisObservationLog, RedisOutbox
from newsdedup.bootstrap.rules import batch_analysis, item_analyzer, make_rule, shared_recorder
from newsdedup.bootstrap.runs import namespace_fingerprint, record_limits
from newsdedup.config import Settings, build_settings, settings_by_key
from newsdedup.config.reading import read_secret
from newsdedup.core.matching.rules import Rule
from newsdedup.core.moments import MICROSECOND
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import SettingsInvalid, StateUnusable
from newsdedup.ports.telemetry import Failpoint, Telemetry, no_failpoint
from newsdedup.ports.tracing import NO_TRACER, Tracer
from newsdedup.runners.worker.alignment import AlignmentLimits
from newsdedup.runners.worker.consumer import GroupMember, PositionStore
from newsdedup.runners.worker.merge import Alignment
from newsdedup.runners.worker.rebuild import Rebuild
from newsdedup.runners.worker.service import Loop
from newsdedup.runners.worker.worker import BatchProcessor, Shadow, Worker

_READ_AT_ONCE = 512
_SESSIONS_TO_EXPIRE: Final = 3
_LEAST_EXPIRY_SECONDS: Final = 30.0
"""How long the partitions of a silent worker count: within it the group gives them to another."""


@dataclass(frozen=True, slots=True)
class NamespaceSession:
    """An open namespace in Redis, with the analyzer and the rule of its items."""

    calls: Calls
    keys: Keys
    born: str
    analyzer: ItemAnalyzer
    rule: Rule


def kafka_access(settings: Settings) -> KafkaAccess:
    """Return addresses and credentials of Kafka; raise SettingsInvalid for an unreadable file."""
    chosen = settings.kafka
    return KafkaAccess(
        servers=chosen.servers,
        security=chosen.security,
        mechanism=chosen.mechanism,
        username=chosen.username,
        password=read_secret("kafka.password", chosen.password, chosen.password_file),
        ca_file=_authorities("kafka", chosen.ca_file),
    )


def redis_client(settings: Settings, *, pings: bool = True) -> Client:
    """Return a client of Redis; it connects when it is first used.

    Without `pings` reads are answered also by a server whose disk is full. Raise SettingsInvalid if
    the file of the password or of the CA certificates cannot be read.
    """
    chosen = settings.redis
    return create_client(
        chosen.url,
        cluster=chosen.cluster,
        username=chosen.username or None,
        password=read_secret("redis.password", chosen.password, chosen.password_file) or None,
        ca_file=_authorities("redis", chosen.ca_file) or None,
        timeout_seconds=chosen.timeout.total_seconds(),
        pings=pings,
    )


@asynccontextmanager
async def open_redis(
    settings: Settings, *, name: str = "", attempts: int = 6, pings: bool = True
) -> AsyncIterator[tuple[Calls, Keys]]:
    """Yield a caller of Redis and the keys of a namespace; close the connection after the block.

    The namespace is `name`, or the configured one for ""; whether it exists is not checked. A call
    fails after so many `attempts`; `pings` is as in `redis_client`.
    """
    keys = Keys(name or settings.redis.namespace, 1, settings.redis.shards)
    client = redis_client(settings, pings=pings)
    try:
        yield Calls(client, home=keys.fixed[0], attempts=attempts), keys
    finally:
        await client.aclose()


@asynccontextmanager
async def namespace_session(
    settings: Settings, *, name: str = "", known: ItemAnalyzer | None = None, create: bool = True
) -> AsyncIterator[NamespaceSession]:
    """Open a namespace, creating it if needed; close the connection after the block.

    The namespace is `name`, or the configured one for "". Raise StateUnusable if it was made with
    other settings, or, without `create`, if it does not exist. `known` is used instead of a new
    analyzer.
    """
    async with open_redis(settings, name=name) as (calls, keys):
        analyzer, rule = known or item_analyzer(settings), make_rule(settings)
        found = await namespace.open_namespace(
            calls,
            keys.namespace,
            made_by=namespace_fingerprint(settings, analyzer.documents, rule),
            items_per_window=settings.redis.items,
            shards=settings.redis.shards,
            create=create,
        )
        # Workers of earlier releases may share a namespace that was not upgraded.
        analyzer.names_languages = analyzer.names_languages and found.keys.format.weighed
        yield NamespaceSession(calls, found.keys, found.born, analyzer, rule)


async def upgrade_format(settings: Settings) -> tuple[str, str]:
    """Raise the format of the configured namespace in place; return its format before and now.

    Raise StateUnusable if it does not exist, or has a format that this release does not read.
    """
    async with open_redis(settings) as (calls, keys):
        return await namespace.upgrade_namespace(calls, keys.namespace)


def shared_engine(
    settings: Settings,
    session: NamespaceSession,
    *,
    publishes: bool = True,
    fail: Failpoint = no_failpoint,
) -> SharedEngine:
    """Return the engine over a namespace, with a unique worker name.

    `publishes` is False for a shadow rule, whose events are not put into the outbox.
    """
    rule, calls, keys = session.rule, session.calls, session.keys
    recorder = shared_recorder(rule, weighs=keys.format.weighed)
    store = redis_store(
        calls,
        keys,
        rule,
        worker=f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:8]}",
        life=(3 * settings.rule.window + settings.rule.lateness) // MICROSECOND,
        born=session.born,
    )
    return SharedEngine(
        rule=rule,
        store=store,
        new_ledger=MemoryBatchLedger,
        lateness=settings.rule.lateness // MICROSECOND,
        bound=settings.run.cascade,
        observations=None if recorder is None else RedisObservationLog(calls, keys, recorder),
        publishes=publishes,
        fail=fail,
    )


def make_worker(
    settings: Settings,
    session: NamespaceSession,
    *,
    shadow: Shadow | None = None,
    telemetry: Telemetry | None = None,
    tracer: Tracer = NO_TRACER,
    fail: Failpoint = no_failpoint,
) -> Worker:
    """Return a worker over a namespace; it has not joined the consumer group yet.

    `shadow` is a second rule whose verdicts are only compared, None for no such rule. Raise
    SettingsInvalid if a file of credentials of Kafka cannot be read.
    """
    chosen = settings.kafka
    return Worker(
        engine=shared_engine(settings, session, fail=fail),
        outbox=RedisOutbox(session.calls, session.keys),
        publisher=KafkaPublisher(kafka_access(settings), message_bytes=chosen.message_bytes),
        decoder=RecordDecoder(record_limits(settings)),
        analysis=batch_analysis(settings, session.analyzer),
        topics=OutputTopics(
            chosen.output,
            chosen.dead,
            f"/newsdedup/{quote(settings.redis.namespace)}",
            chosen.message_bytes,
        ),
        shadow=shadow,
        telemetry=telemetry or Telemetry(),
        tracer=tracer,
        fail=fail,
        count_late=lambda counts: namespace.count_late(
            session.calls,
            session.keys,
            {namespace.LateItems(*items): n for items, n in counts.items()},
        ),
    )


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
        return await namespace.stored_positions(self.session.calls, self.session.keys)

    async def reset(self, names: Collection[str]) -> None:
        """Set stored offsets, by "TOPIC/PARTITION", to 0; raise Unavailable if that fails."""
        await namespace.reset_positions(self.session.calls, self.session.keys, names)


def make_runner(
    settings: Settings,
    processor: BatchProcessor,
    positions: PositionStore,
    *,
    alignment: Alignment | None = None,
) -> Loop:
    """Return the configured runner around any processor of batches.

    Without `alignment` each partition is read as fast as possible. Raise SettingsInvalid if a file
    of credentials cannot be read.
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


def _authorities(server: str, file: str) -> str:
    """Return `file`, a path of CA certificates or ""; raise SettingsInvalid if it is unreadable."""
    # A client of Redis would find out with each attempt, and a worker wait for the server for ever.
    if file:
        try:
            create_default_context(cafile=file)
        except OSError as error:
            wrong = f"{server}.ca_file {file}: cannot be read as certificates: {error}"
            raise SettingsInvalid(wrong) from error
    return file


@asynccontextmanager
async def open_shadow(settings: Settings, real: NamespaceSession) -> AsyncIterator[Shadow | None]:
    """Open the namespace of the shadow rule worker.shadow; yield None if none is configured.

    It shares the vocabulary of the real namespace. Raise what `namespace_session` raises.
    """
    name = settings.worker.shadow
    if not name:
        yield None
        return
    values = {key: setting.value_in(settings) for key, setting in settings_by_key().items()}
    trial = build_settings({**values, "rule.name": name})
    known = real.analyzer
    own = f"{settings.redis.namespace}.shadow-{name}"
    async with namespace_session(trial, name=own, known=known) as opened:
        yield Shadow(
            name,
            shared_engine(trial, opened, publishes=False),
            item_analyzer(trial, known.table, known.documents),
        )


@asynccontextmanager
async def open_namespaces(
    settings: Settings,
) -> AsyncIterator[tuple[NamespaceSession, Shadow | None]]:
    """Open the namespace of a worker and that of its shadow rule, which is None without one.

    Raise Unavailable if Redis does not answer or refuses writes; the call may be repeated then.
    """
    async with namespace_session(settings) as opened, open_shadow(settings, opened) as shadow:
        yield opened, shadow


async def restore_namespace(
    settings: Settings, session: NamespaceSession, *, since: datetime | None
) -> AsyncIterator[Counter[str]]:
    """Restore a namespace from the output topic, and yield the counts of each batch.

    With `since` read only what was published then or later; without it, all that the topic keeps.
    At the end store the offsets that the group has committed, and begin a new generation. Raise
    StateUnusable if the namespace is not empty: restored records must not mix with others.
    """
    calls, keys = session.calls, session.keys
    if await namespace.stored_positions(calls, keys):
        raise StateUnusable(
            f"redis namespace {keys.namespace!r} is not empty: a state is rebuilt after all of it "
            "was lost; choose another --namespace, or empty this one"
        )
    engine, analyzer = shared_engine(settings, session), session.analyzer
    job = Rebuild(
        store=engine.store,
        new_view=engine.new_view,
        rule=engine.rule,
        analyzer=analyzer,
        term=analyzer.documents.vocabulary.term,
        lateness=settings.rule.lateness // MICROSECOND,
    )
    access, chosen = kafka_access(settings), settings.kafka
    async with open_topic(access, chosen.input, group=chosen.group) as raw:
        done = await raw.committed()
    since_ms = None if since is None else int(since.timestamp() * 1_000)
    async with open_topic(access, chosen.output, since_ms=since_ms) as output:
        async for batch in output.records(at_once=_READ_AT_ONCE):
            yield await job.take(batch)
    await job.end(done)
    # Last, because it invalidates earlier look-ups: no worker may be at work yet.
    await namespace.begin_generation(calls, keys, after=job.generation)
