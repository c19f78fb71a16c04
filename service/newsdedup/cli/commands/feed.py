import asyncio
import logging
import signal
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import KillAtFailpoint, load_settings
from newsdedup.cli.errors import ExitCode, say
from newsdedup.cli.feeds import AllowPrivate, read_subscription_file
from newsdedup.cli.options import (
    STANDARD_STREAM,
    Config,
    FeederPort,
    Feeds,
    Json,
    Quiet,
    RuleOption,
    Window,
    argument,
    option,
)
from newsdedup.cli.output import print_json, stderr_console
from newsdedup.cli.places import run_places
from newsdedup.cli.registry import command
from newsdedup.cli.shown.feed_visits import CycleFigures

if TYPE_CHECKING:
    from newsdedup.bootstrap import RunPaths
    from newsdedup.config import Settings
    from newsdedup.feeder.state.feed_state import FeedState

_LOG_FORMAT = "%(asctime)s level=%(levelname)s logger=%(name)s %(message)s"

_List = Annotated[
    str | None,
    argument(
        "LIST",
        "An OPML file, or a text with an address a line. [default: the feeds of --feeds, see "
        "newsdedup feeds]",
    ),
]
_To = Annotated[
    str,
    option("--to", "PLACE", "A file, -, kafka://host:port/topic, or engine:STATE."),
]
_Events = Annotated[
    str,
    option("--events", "FILE", "Where the events of engine:STATE go. [default: standard output]"),
]
_Dlq = Annotated[
    str | None,
    option("--dlq", "FILE", "Where bad records of engine:STATE go. [default: beside the events]"),
]
_Once = Annotated[
    bool, typer.Option("--once", help="Visit the feeds that are due, and end: for cron.")
]
_All = Annotated[bool, typer.Option("--all", help="With --once: visit all feeds, due or not.")]


@command(
    "newsdedup feed feeds.txt --once --to items.jsonl",
    "newsdedup feed subscriptions.opml --to kafka://127.0.0.1:9092/news.raw",
    "newsdedup feed feeds.txt --to engine:news.state --events events.jsonl",
    "newsdedup feed feeds.txt --to items.jsonl --port 9465    # metrics and health",
    "newsdedup feed --once --to -    # the feeds of newsdedup.feeds",
)
def fetch_feeds(
    subscriptions: _List = None,
    *,
    to: _To,
    events: _Events = STANDARD_STREAM,
    dlq: _Dlq = None,
    once: _Once = False,
    visit_all: _All = False,
    allow_private: AllowPrivate = False,
    feeds: Feeds = None,
    port: FeederPort = None,
    window: Window = None,
    rule: RuleOption = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fetch feeds and write their items: to a file, to Kafka, or straight into the engine.

    Each feed is visited as often as it has news, within what its publisher asks for. What is
    written is not written again, also after a crash; an item that changes is a new version. With a
    list its feeds are visited and no others; they are kept in the file of --feeds, which no two
    processes can use at once.
    """
    from newsdedup.bootstrap.record_outputs import engine_state

    state = engine_state(to)
    flags = {"feeder.state": feeds, "feeder.port": port, "rule.window": window, "rule.name": rule}
    settings = load_settings(config, {**flags, "run.state": state or None})
    places = None
    if state is not None:
        places = run_places(settings, to=events, dlq=dlq, fresh=False)
    elif events != STANDARD_STREAM or dlq is not None:
        raise typer.BadParameter("--events and --dlq belong to --to engine:STATE")
    if visit_all and not once:
        raise typer.BadParameter("--all belongs to --once")
    # With --once what fails is named at the end.
    level = logging.WARNING if once or quiet else logging.INFO
    logging.basicConfig(level=level, format=_LOG_FORMAT)
    figures = CycleFigures(events if places else to)
    job = _Job(settings, to, places, once, visit_all, allow_private)
    next_due = asyncio.run(_fetch(job, subscriptions, figures))
    if json and STANDARD_STREAM not in (to, events if places else ""):
        print_json(figures.as_json())
    elif not quiet:
        stderr_console().print(figures.sentence(next_due=next_due))
    if once and figures.all_failed:
        raise typer.Exit(ExitCode.UNAVAILABLE)


@dataclass(frozen=True, slots=True)
class _Job:
    """What the user asked for; `engine` are the places of a run, None without one."""

    settings: "Settings"
    to: str
    engine: "RunPaths | None"
    once: bool
    visit_all: bool
    allow_private: bool


async def _fetch(job: _Job, subscriptions: str | None, figures: CycleFigures) -> datetime | None:
    """Visit the feeds until all that are due were visited, or a signal comes.

    Return when the next feed is due; None if none is.
    """
    from newsdedup import __version__
    from newsdedup.bootstrap.feeder import open_feeder
    from newsdedup.bootstrap.feeder_observation import open_feeder_telemetry
    from newsdedup.bootstrap.record_outputs import open_record_output, output_identity
    from newsdedup.feeder.state.feed_state import FeedState

    stopping = asyncio.Event()
    listed = None if subscriptions is None else read_subscription_file(subscriptions)
    async with AsyncExitStack() as stack:
        state = stack.enter_context(FeedState(Path(job.settings.feeder.state), locked=True))
        if listed is not None:
            state.follow(listed, at=datetime.now(UTC))
        _require_feeds(state)
        place, empty = output_identity(job.to, job.engine)
        if state.deliver_to(place, empty=empty):
            say(f"{job.to} holds nothing of these feeds: all that they show is written")
        telemetry = await stack.enter_async_context(
            open_feeder_telemetry(job.settings, state, release=__version__)
        )
        output = await open_record_output(
            job.settings,
            job.to,
            engine=job.engine,
            stopping=None if job.once else stopping,
            observe=figures.judged,
            telemetry=telemetry,
            fail=KillAtFailpoint(),
        )
        stack.push_async_callback(output.close)
        poller = await stack.enter_async_context(
            open_feeder(
                job.settings,
                state,
                output,
                allow_private=job.allow_private,
                observe=figures.visited,
                telemetry=telemetry,
            )
        )
        telemetry.running()

        def stop() -> None:
            telemetry.stopping()
            stopping.set()
            poller.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop)
        if job.once:
            await poller.run_once(everything=job.visit_all)
        else:
            await poller.run()
        return state.next_due()


def _require_feeds(state: "FeedState") -> None:
    """Raise NothingToRead if no feed of a state is to be visited."""
    from newsdedup.ports.errors import NothingToRead

    if state.next_due() is None:
        raise NothingToRead(
            f"{state.path} holds no feeds to visit: name a list, or newsdedup feeds add ADDRESS"
        )
