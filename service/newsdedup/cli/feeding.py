"""A run of the feeder, as commands start it."""

import asyncio
import os
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from newsdedup.cli.environment import KillAtFailpoint
from newsdedup.cli.errors import require_libraries
from newsdedup.cli.feeds import followed_feeds, read_subscription_file
from newsdedup.cli.shown.feed_visits import CycleStats
from newsdedup.runners.tasks import call_at_signals

if TYPE_CHECKING:
    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.config import Settings


@dataclass(frozen=True, slots=True)
class FeedJob:
    """What the user asked for; `engine` are the places of a run, None without one."""

    settings: "Settings"
    to: str
    engine: "RunPaths | None"
    once: bool
    visit_all: bool
    allow_private: bool


def run_feed_job(job: FeedJob, subscriptions: str | None, stats: CycleStats) -> datetime | None:
    """Visit feeds until all that are due were visited, or a signal comes.

    `subscriptions` is the file of a list, None for the feeds that are stored. Return when the next
    feed is due; None if none is, or if the signal came while the output was awaited.
    """
    require_libraries("brotli")
    try:
        return asyncio.run(_fetch(job, subscriptions, stats))
    except asyncio.CancelledError:
        return None


async def _fetch(job: FeedJob, subscriptions: str | None, stats: CycleStats) -> datetime | None:
    """Do what run_feed_job says."""
    from newsdedup._version import __version__
    from newsdedup.bootstrap.feeder import open_feeder
    from newsdedup.bootstrap.feeder_observation import open_feeder_telemetry
    from newsdedup.bootstrap.record_outputs import open_record_output, watch_output
    from newsdedup.bootstrap.tracing import open_tracer

    stopping = asyncio.Event()
    listed = None if subscriptions is None else read_subscription_file(subscriptions)
    async with AsyncExitStack() as stack:
        tracer = stack.enter_context(open_tracer(os.environ, service="newsdedup-feeder"))
        state = stack.enter_context(followed_feeds(job.settings, listed, job.to, job.engine))
        telemetry = await stack.enter_async_context(
            open_feeder_telemetry(job.settings, state, release=__version__, files=_files(job))
        )
        opening = asyncio.current_task()
        if opening is not None and not job.once:
            call_at_signals(opening.cancel)
        output = await open_record_output(
            job.settings,
            job.to,
            engine=job.engine,
            stopping=None if job.once else stopping,
            observe=stats.judged,
            telemetry=telemetry,
            tracer=tracer,
            fail=KillAtFailpoint(),
        )
        stack.push_async_callback(output.close)
        poller = await stack.enter_async_context(
            open_feeder(
                job.settings,
                state,
                output,
                allow_private=job.allow_private,
                observe=stats.visited,
                telemetry=telemetry,
                tracer=tracer,
                listens=not job.once,
            )
        )
        if not job.once:
            watching = asyncio.create_task(watch_output(job.settings, job.to, telemetry))
            stack.callback(watching.cancel)
        telemetry.running()

        def stop() -> None:
            telemetry.stopping()
            stopping.set()
            poller.stop()

        call_at_signals(stop)
        if job.once:
            await poller.run_once(everything=job.visit_all)
        else:
            await poller.run()
        return state.next_due()


def _files(job: FeedJob) -> dict[str, Path]:
    """Return the files that the feeder writes to, by what they hold."""
    from newsdedup.bootstrap.record_outputs import engine_state
    from newsdedup.bootstrap.watched_files import output_files, run_files

    to = {} if engine_state(job.to) is not None else output_files(job.to)
    return {"feeds": Path(job.settings.feeder.state), **run_files(job.engine), **to}
