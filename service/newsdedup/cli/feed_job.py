"""A run of the feeder as commands start it, and the lists of feeds that they read."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newsdedup.cli.environment import KillAtFailpoint, cancel_at_signals
from newsdedup.cli.errors import require_extra, say
from newsdedup.cli.shown.feed_visits import CycleStats
from newsdedup.config import Settings

if TYPE_CHECKING:
    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.feeder.state.feed_state import FeedState, Subscription

_MOST_PROBLEMS: Final = 10
"""Problems of a list that are printed, each in a line."""


@dataclass(frozen=True, slots=True)
class FeedJob:
    """What the user asked for; `engine` has the paths of a run in this process, if there is one."""

    settings: Settings
    to: str
    engine: "RunPaths | None"
    once: bool
    visit_all: bool
    allow_private: bool


def run_feed_job(job: FeedJob, subscriptions: str | None, stats: CycleStats) -> datetime | None:
    """Visit feeds: with `job.once` all that are due (or all) once, else until SIGTERM or SIGINT.

    `subscriptions` is the file of a list, None for the feeds that are stored. Return when the next
    feed is due; None if none is, or if a signal came while the output was being opened.
    """
    require_extra("feeder")
    try:
        return asyncio.run(_fetch(job, subscriptions, stats))
    except asyncio.CancelledError:
        return None


async def _fetch(job: FeedJob, subscriptions: str | None, stats: CycleStats) -> datetime | None:
    """Open what the job needs, visit the feeds, and return when the next one is due (None: never).

    Raise CancelledError if a signal comes while the output is being opened.
    """
    from newsdedup._version import __version__
    from newsdedup.bootstrap.feeder import open_feeder, open_feeder_telemetry
    from newsdedup.bootstrap.record_outputs import open_record_output, watch_output
    from newsdedup.bootstrap.runs import output_file
    from newsdedup.bootstrap.tracing import open_tracer
    from newsdedup.runners.tasks import call_at_signals

    stopping = asyncio.Event()
    listed = None if subscriptions is None else read_subscription_file(subscriptions)
    written = output_file(job.to) if job.engine is None else job.engine.files()
    files = {"feeds": Path(job.settings.feeder.state), **written}
    async with AsyncExitStack() as stack:
        tracer = stack.enter_context(open_tracer(os.environ, service="newsdedup-feeder"))
        state = stack.enter_context(followed_feeds(job.settings, listed, job.to, job.engine))
        telemetry = await stack.enter_async_context(
            open_feeder_telemetry(job.settings, state, release=__version__, files=files)
        )
        if not job.once:
            cancel_at_signals()
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


def read_subscription_file(location: str) -> "tuple[Subscription, ...]":
    """Return the feeds of a list (OPML, or an address a line), and print its first problems.

    Raise SourceUnusable if it cannot be read, NothingToRead if it names no feed.
    """
    require_extra("feeder")
    from newsdedup.feeder.subscriptions.subscription_list import LONGEST_LIST, read_subscriptions
    from newsdedup.ports.errors import NothingToRead, SourceUnusable

    try:
        with Path(location).open("rb") as file:
            body = file.read(LONGEST_LIST + 1)
    except FileNotFoundError as error:
        raise SourceUnusable(
            f"{location}: there is no such file: it must be a list of feeds; "
            "`newsdedup feeds add ADDRESS` adds a single feed"
        ) from error
    except OSError as error:
        raise SourceUnusable(f"{location}: cannot be read: {error.strerror or error}") from error
    listed = read_subscriptions(body, name=location)
    for problem in listed.problems[:_MOST_PROBLEMS]:
        say(problem)
    if (more := len(listed.problems) - _MOST_PROBLEMS) > 0:
        say(f"{location}: and {more:,} more of such problems")
    if not listed.subscriptions:
        raise NothingToRead(
            f"{location} names no feed: it is OPML, or a text with an address a line"
        )
    return listed.subscriptions


@contextmanager
def followed_feeds(
    settings: Settings,
    listed: "tuple[Subscription, ...] | None",
    to: str,
    engine: "RunPaths | None",
) -> "Iterator[FeedState]":
    """Yield the locked state in `feeder.state`; with `listed` it first takes over that list.

    Enter it before the output `to`, or the run of the engine, is opened: if that does not exist
    yet, all entries of the feeds go there. Raise NothingToRead if no feed is to be visited.
    """
    from newsdedup.bootstrap.record_outputs import output_identity, target_name
    from newsdedup.feeder.state.feed_state import FeedState
    from newsdedup.ports.errors import NothingToRead

    file = Path(settings.feeder.state)
    location, empty = output_identity(settings, to, engine)
    with FeedState(file, locked=True) as state:
        if listed is not None:
            state.follow(listed, at=datetime.now(UTC))
        if state.next_due() is None:
            raise NothingToRead(
                f"{file} holds no feeds to visit: name a list, or add one with "
                "`newsdedup feeds add ADDRESS`"
            )
        if state.deliver_to(location, empty=empty, name=partial(target_name, settings)):
            say(f"{location} holds nothing of these feeds: all that they show goes there")
        yield state
