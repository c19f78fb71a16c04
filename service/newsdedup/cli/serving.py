"""The life of a server, as the command starts it."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from newsdedup.cli.environment import KillAtFailpoint
from newsdedup.cli.errors import say
from newsdedup.cli.feeds import followed_feeds, read_subscription_file
from newsdedup.cli.shown.feed_visits import CycleStats
from newsdedup.cli.states import state_path
from newsdedup.ports.errors import NewsdedupError
from newsdedup.ports.telemetry import Telemetry
from newsdedup.runners.signals import call_at_signals

if TYPE_CHECKING:
    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.config import Settings
    from newsdedup.feeder.state.feed_state import FeedState
    from newsdedup.ports.tracing import Tracer
    from newsdedup.runners.intake.engine_output import EngineOutput
    from newsdedup.server.checkers import Checker
    from newsdedup.server.topic_follower import TopicFollower

_SWITCH_SECONDS: Final = 0.001
"""How long a thread may hold the interpreter while others wait, a fifth of Python's default: SQLite
lets go of it with each row, and a thread that reads rows would wait that long for each."""
_WARM_UP: Final = (
    '{"id": "1", "title": "Первый запрос не ждёт словарей"}'.encode(),
    '{"id": "2", "title": "Перший запит не чекає словників"}'.encode(),
    b'{"id": "3", "title": "The first request waits for no dictionary"}',
)
_STOP_SECONDS: Final = 10.0
"""How long visits of feeds that are under way may take at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeJob:
    """What the user asked for."""

    settings: "Settings"
    archive: Path
    engine: "RunPaths | None"
    """The places of a run in this process, None without one."""
    feeds: str | None
    """A list of feeds to fetch."""
    allow_private: bool
    """Whether feeds may be at addresses of this machine and network."""
    feeds_file: Path | None
    """The file of a feeder whose feeds are shown; of the one in this process with `feeds`."""
    follows_kafka: bool
    checks_redis: bool


async def run_server(job: ServeJob, *, quiet: bool) -> None:
    """Serve until SIGTERM or SIGINT; raise the error of what runs alongside, which ends it, too."""
    from newsdedup.bootstrap.http_server import open_services
    from newsdedup.bootstrap.tracing import open_tracer
    from newsdedup.server.app import listen, make_app

    sys.setswitchinterval(_SWITCH_SECONDS)
    opening = asyncio.current_task()
    if opening is not None:
        call_at_signals(opening.cancel)
    async with AsyncExitStack() as stack:
        tracer = stack.enter_context(open_tracer(os.environ, service="newsdedup-server"))
        alongside: list[_Beside] = []
        # Before the engine makes its state: a new one gets all that the feeds show.
        state = None if job.feeds is None else _open_feeds(job, job.feeds, stack)
        output = None if job.engine is None else await _open_engine(job, job.engine, stack)
        if output is not None:
            alongside.append(_Beside(output.failure))
        if output is not None and state is not None:
            alongside.append(await _begin_fetching(job, state, output, stack))
        follower = await _begin_following(job, tracer, stack) if job.follows_kafka else None
        probes = _ServerProbes(job)
        alongside += probes.alongside()
        services = await stack.enter_async_context(
            open_services(
                job.settings,
                job.archive,
                state=state_path(job.settings) if job.settings.run.state else None,
                redis=job.checks_redis,
                output=output,
                feeds=job.feeds_file,
                kafka=job.follows_kafka,
                missing=lambda: [
                    *([] if follower is None else follower.missing()),
                    *probes.missing(),
                ],
                files=_files(job),
            )
        )
        if follower is not None:
            alongside.append(_follow(job, follower, traced=tracer.is_on))
        if services.checker is not None:
            warming = asyncio.create_task(_warm_up(services.checker))
            stack.callback(warming.cancel)
        chosen = job.settings.server
        address = await stack.enter_async_context(
            listen(make_app(services), chosen.host, chosen.port)
        )
        stopped = asyncio.Event()
        call_at_signals(stopped.set)
        if not quiet:
            say(f"serving {job.archive} at {address}")
        await _run_until(stopped, alongside)


async def _warm_up(checker: "Checker") -> None:
    """Check items that nobody waits for: that reads the state and the dictionaries."""
    try:
        await checker.check(_WARM_UP)
    except NewsdedupError as error:
        logging.getLogger("newsdedup.server").warning("unavailable reason=%s", error)


async def _open_engine(job: ServeJob, paths: "RunPaths", stack: AsyncExitStack) -> "EngineOutput":
    """Open the run of this process; raise what opening raises."""
    from newsdedup.bootstrap.http_server import open_engine

    output = await open_engine(job.settings, paths, fail=KillAtFailpoint())
    stack.push_async_callback(output.close)
    return output


def _open_feeds(job: ServeJob, feeds: str, stack: AsyncExitStack) -> "FeedState":
    """Open the file of feeds, which follows the list; raise what reading raises."""
    from newsdedup.bootstrap.record_outputs import ENGINE_PREFIX

    listed = read_subscription_file(feeds)
    return stack.enter_context(followed_feeds(job.settings, listed, ENGINE_PREFIX, job.engine))


async def _begin_fetching(
    job: ServeJob, state: "FeedState", output: "EngineOutput", stack: AsyncExitStack
) -> "_Beside":
    """Return what visits the feeds."""
    from newsdedup.bootstrap.feeder import open_feeder
    from newsdedup.ports.feeder_telemetry import FeederTelemetry

    stats = CycleStats(str(job.archive))
    poller = await stack.enter_async_context(
        open_feeder(
            job.settings,
            state,
            output,
            allow_private=job.allow_private,
            observe=stats.visited,
            telemetry=FeederTelemetry(),
            listens=False,
        )
    )
    return _Beside(poller.run, poller.stop)


async def _begin_following(
    job: ServeJob, tracer: "Tracer", stack: AsyncExitStack
) -> "TopicFollower":
    """Open the archive for writing, creating a missing one; raise what opening raises."""
    from newsdedup.bootstrap.topic_archive import topic_follower

    follower = topic_follower(job.settings, job.archive, tracer=tracer)
    await follower.begin()
    stack.push_async_callback(follower.close)
    return follower


def _follow(job: ServeJob, follower: "TopicFollower", *, traced: bool) -> "_Beside":
    """Return what reads the output topic."""
    from newsdedup.bootstrap.topic_archive import open_events

    return _Beside(partial(follower.run, partial(open_events, job.settings, traced=traced)))


def _files(job: ServeJob) -> dict[str, Path]:
    """Return the files that this process writes to alongside the archive, by what they hold."""
    from newsdedup.bootstrap.watched_files import run_files

    feeds = {} if job.feeds is None or job.feeds_file is None else {"feeds": job.feeds_file}
    return {**run_files(job.engine), **feeds}


class _ServerProbes(Telemetry):
    """Probes the servers that the job depends on: who follows a silent Kafka just gets nothing."""

    def __init__(self, job: ServeJob) -> None:
        self._job = job
        self._silent: set[str] = set()

    def reached(self, server: str, *, answers: bool) -> None:
        """Note whether a server answered a probe."""
        (self._silent.discard if answers else self._silent.add)(server)

    def missing(self) -> list[str]:
        """Return the servers that do not answer, as reasons why the server is not ready."""
        return [f"waiting for {server}" for server in sorted(self._silent)]

    def alongside(self) -> "list[_Beside]":
        """Return the probes, which run until they are cancelled."""
        if not self._job.follows_kafka and not self._job.checks_redis:
            return []
        from newsdedup.bootstrap.server_probes import probe_kafka, probe_redis

        settings, found = self._job.settings, []
        if self._job.follows_kafka:
            topic = settings.kafka.output
            found.append(_Beside(partial(probe_kafka, settings, self, topic=topic)))
        if self._job.checks_redis:
            found.append(_Beside(partial(probe_redis, settings, self)))
        return found


@dataclass(frozen=True, slots=True)
class _Beside:
    """What runs alongside the server until it ends."""

    run: Callable[[], Coroutine[Any, Any, None]]
    stop: Callable[[], object] | None = None
    """Lets `run` return soon; without it `run` is cancelled."""


async def _run_until(stopped: asyncio.Event, alongside: Sequence[_Beside]) -> None:
    """Return when the event is set; raise the error of a task that ends before."""
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
        waiting.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.gather(waiting, *tasks, return_exceptions=True)
