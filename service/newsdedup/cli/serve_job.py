"""The life of a server, as the command starts it."""

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from newsdedup.bootstrap.http_server import open_events, open_services
from newsdedup.bootstrap.record_outputs import ENGINE_PREFIX
from newsdedup.bootstrap.runs import RunPaths, open_archive_writer, open_run
from newsdedup.bootstrap.tracing import open_tracer
from newsdedup.cli.environment import KillAtFailpoint, cancel_at_signals
from newsdedup.cli.errors import say
from newsdedup.cli.feed_job import followed_feeds, read_subscription_file
from newsdedup.cli.serve_indexing import index_archive
from newsdedup.cli.shown.feed_visits import CycleStats
from newsdedup.cli.states import state_path
from newsdedup.config import Settings
from newsdedup.engine.collector import return_memory_early
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.ports.errors import NewsdedupError
from newsdedup.ports.telemetry import FeederTelemetry, Telemetry
from newsdedup.runners.intake.engine_output import EngineOutput
from newsdedup.runners.tasks import call_at_signals, cancel_all
from newsdedup.server.app import listen, make_app
from newsdedup.server.checkers import Checker
from newsdedup.server.reader_pool import ReaderPool
from newsdedup.server.topic_follower import TopicFollower

_SWITCH_SECONDS: Final = 0.001
"""How long a thread may hold the interpreter while others wait, a fifth of Python's default: SQLite
lets go of it with each row, and a thread that reads rows would wait that long for each."""
_WARM_UP: Final = (
    '{"id": "1", "title": "Первый запрос не ждёт словарей"}'.encode(),
    '{"id": "2", "title": "Перший запит не чекає словників"}'.encode(),
    b'{"id": "3", "title": "The first request waits for no dictionary"}',
)
_WORDY_LANGUAGES: Final = frozenset({"ru", "uk", "en"})
"""Those that the words of a text distinguish."""
_WARM_UP_OTHERS: Final = (
    '{"id": "4", "title": "Die erste Anfrage wartet auf kein Wörterbuch"}'.encode(),
)
"""Loads what tells all other languages apart: .6 s and 65 MB."""
_STOP_SECONDS: Final = 10.0
"""How long visits of feeds that are under way may take at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeJob:
    """What the user asked for."""

    settings: Settings
    archive: Path
    engine: RunPaths | None
    """The paths of a run in this process, None without one."""
    feeds: str | None
    """A list of feeds to fetch."""
    allow_private: bool
    """Whether feeds and webhooks may be at addresses of this machine and network."""
    feeds_file: Path | None
    """The file of a feeder whose feeds are shown; of the one in this process with `feeds`."""
    follows_kafka: bool
    checks_redis: bool


@dataclass(frozen=True, slots=True)
class _Task:
    """A job that runs alongside the server until that ends."""

    run: Callable[[], Coroutine[Any, Any, None]]
    stop: Callable[[], object] | None = None
    """Lets `run` return soon; without it `run` is cancelled."""


class _ServerProbes(Telemetry):
    """Probed servers that do not answer: without probes a silent Kafka would look like no news."""

    def __init__(self) -> None:
        self._silent: set[str] = set()

    def reached(self, server: str, *, answers: bool) -> None:
        """Store whether a probed server, named "kafka" or "redis", answers now."""
        (self._silent.discard if answers else self._silent.add)(server)

    def missing(self) -> list[str]:
        """Return the servers that do not answer, each as "waiting for SERVER", sorted."""
        return [f"waiting for {server}" for server in sorted(self._silent)]

    def tasks(self, job: ServeJob) -> list[_Task]:
        """Return the probes of the servers that the job depends on."""
        if not job.follows_kafka and not job.checks_redis:
            return []
        # Here and not above: it needs what the extra `kafka` brings.
        from newsdedup.bootstrap.observation import probe_kafka, probe_redis

        kafka = partial(probe_kafka, job.settings, self, topic=job.settings.kafka.output)
        probes = (
            (job.follows_kafka, kafka),
            (job.checks_redis, partial(probe_redis, job.settings, self)),
        )
        return [_Task(probe) for depends, probe in probes if depends]


async def run_server(job: ServeJob, *, quiet: bool) -> None:
    """Serve until SIGTERM or SIGINT, or until a background task fails; its error is raised."""
    return_memory_early()
    sys.setswitchinterval(_SWITCH_SECONDS)
    cancel_at_signals()
    settings, chosen = job.settings, job.settings.server
    async with AsyncExitStack() as stack:
        tracer = stack.enter_context(open_tracer(os.environ, service="newsdedup-server"))
        if job.engine is not None or job.follows_kafka:
            await index_archive(settings, job.archive, partial(_serve_reading, job, quiet=quiet))
        output, tasks = await _open_engine(job, stack)
        follower, probes = None, _ServerProbes()
        if job.follows_kafka:
            open_writer = partial(open_archive_writer, settings, job.archive)
            follower = TopicFollower(open_writer, settings.kafka.output, tracer=tracer)
            await follower.begin()
            stack.push_async_callback(follower.close)
        tasks += probes.tasks(job)
        files = {} if job.engine is None else job.engine.files()
        if job.feeds is not None and job.feeds_file is not None:
            files["feeds"] = job.feeds_file
        services = await stack.enter_async_context(
            open_services(
                settings,
                job.archive,
                state=state_path(settings) if settings.run.state else None,
                redis=job.checks_redis,
                output=output,
                feeds=job.feeds_file,
                kafka=job.follows_kafka,
                missing=lambda: [*(follower.missing() if follower else ()), *probes.missing()],
                files=files,
                allow_private=job.allow_private,
            )
        )
        if follower is not None:
            events = partial(open_events, settings, traced=tracer.is_on)
            tasks.append(_Task(partial(follower.run, events)))
        if services.checker is not None:
            warming = asyncio.create_task(_warm_up(services.checker, services.pool))
            stack.callback(warming.cancel)
        address = await stack.enter_async_context(
            listen(make_app(services), chosen.host, chosen.port)
        )
        stopped = asyncio.Event()
        call_at_signals(stopped.set)
        if not quiet:
            say(f"serving {job.archive} at {address}")
        await _run_until(stopped, tasks)


@asynccontextmanager
async def _serve_reading(
    job: ServeJob, missing: Callable[[], list[str]], *, quiet: bool
) -> AsyncIterator[None]:
    """Serve the archive as it is during a block; `missing` returns why events do not arrive."""
    chosen = job.settings.server
    async with (
        open_services(job.settings, job.archive, feeds=job.feeds_file, missing=missing) as services,
        listen(make_app(services), chosen.host, chosen.port) as address,
    ):
        if not quiet:
            say(f"serving {job.archive} at {address}: {'; '.join(missing())}")
        yield


async def _open_engine(
    job: ServeJob, stack: AsyncExitStack
) -> tuple[EngineOutput | None, list[_Task]]:
    """Open the run of this process and its feeds, to be closed by `stack`; return output and tasks.

    Return None and no tasks for a job without an engine. Raise what opening raises.
    """
    if job.engine is None:
        return None, []
    state: FeedState | None = None
    if job.feeds is not None:
        # Before the engine makes its state: a new one gets all that the feeds show.
        listed = read_subscription_file(job.feeds)
        state = stack.enter_context(followed_feeds(job.settings, listed, ENGINE_PREFIX, job.engine))
    opening = partial(open_run, job.settings, job.engine, fail=KillAtFailpoint())
    output = await EngineOutput.open(opening, observe=lambda _: None)
    stack.push_async_callback(output.close)
    tasks = [_Task(output.failure)]
    if state is not None:
        # Here and not above: it needs what the extra `feeder` brings.
        from newsdedup.bootstrap.feeder import open_feeder

        poller = await stack.enter_async_context(
            open_feeder(
                job.settings,
                state,
                output,
                allow_private=job.allow_private,
                observe=CycleStats(str(job.archive)).visited,
                telemetry=FeederTelemetry(),
                listens=False,
            )
        )
        tasks.append(_Task(poller.run, poller.stop))
    return output, tasks


async def _warm_up(checker: Checker, pool: ReaderPool) -> None:
    """Check made-up items to load state and dictionaries early; only log a NewsdedupError.

    What detects languages is loaded, too, if the archive has items in one that words do not tell.
    """
    try:
        await checker.check(_WARM_UP)
        languages = (await pool.run(lambda reader: reader.stats())).languages
        if languages.keys() - _WORDY_LANGUAGES:
            await checker.check(_WARM_UP_OTHERS)
    except NewsdedupError as error:
        logging.getLogger("newsdedup.server").warning("unavailable reason=%s", error)


async def _run_until(stopped: asyncio.Event, alongside: Sequence[_Task]) -> None:
    """Run tasks until the event is set, then stop them; raise the error of one that ends before."""
    waiting = asyncio.ensure_future(stopped.wait())
    tasks = [asyncio.create_task(each.run()) for each in alongside]
    try:
        await asyncio.wait({waiting, *tasks}, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done():
                task.result()
        for each, task in zip(alongside, tasks, strict=True):
            if each.stop is not None:
                each.stop()
                await asyncio.wait({task}, timeout=_STOP_SECONDS)
    finally:
        await cancel_all([waiting, *tasks])
