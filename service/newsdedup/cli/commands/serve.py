import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import begin_logging, exit_at_signals, load_configuration
from newsdedup.cli.errors import require_extra
from newsdedup.cli.options import option
from newsdedup.cli.registry import command
from newsdedup.cli.states import run_paths
from newsdedup.config import Settings

if TYPE_CHECKING:
    from newsdedup.bootstrap.runs import RunPaths

_DEFAULT = "default"

_Archive = Annotated[Path, option("--archive", "FILE", "The archive that is served.")]
_Events = Annotated[
    str | None,
    option(
        "--events",
        "FILE",
        "Judge items in this process: POST /v1/items stores them in the state, and the events go "
        "to this file and to the archive. [default: none, the state is only read]",
    ),
]
_FeedList = Annotated[
    str | None, option("--feeds", "LIST", "Also fetch the feeds of a list, as of `newsdedup feed`.")
]
_FeedsFile = Annotated[
    str | None,
    option(
        "--feeds-file",
        "FILE",
        "Show the feeds of `newsdedup feed` from its file. [default: feeder.state, if that is set]",
    ),
]


@command(
    "newsdedup serve --archive news.archive",
    "newsdedup serve --archive news.archive --state events.jsonl.state --port 8000",
    "newsdedup serve --archive news.archive --kafka broker:9092 --redis redis://cache:6379/0",
    "newsdedup serve --archive news.archive --events events.jsonl --feeds feeds.txt",
    "newsdedup serve --archive news.archive --feeds-file newsdedup.feeds",
    "NEWSDEDUP_SERVER__TOKEN_FILE=token newsdedup serve --archive news.archive --events out.jsonl",
)
def serve_archive(
    *,
    archive: _Archive,
    host: options.Host = None,
    port: options.ServerPort = None,
    state: options.State = None,
    events: _Events = None,
    feeds: _FeedList = None,
    feeds_file: _FeedsFile = None,
    watches: options.Watches = None,
    allow_private: options.AllowPrivate = False,
    kafka: options.Kafka = None,
    redis: options.Redis = None,
    namespace: options.NamespaceOption = None,
    window: options.Window = None,
    rule: options.RuleOption = None,
    log: options.Log = None,
    config: options.Config = None,
    quiet: options.Quiet = False,
) -> None:
    """Serve an archive over HTTP: stories, items, sources, search, feeds of originals.

    With --state, or with the Redis of the workers, POST /v1/check returns the verdict that an item
    would get. With --kafka the archive follows the topic of events; with --events and --feeds this
    process is the whole aggregator. SIGTERM ends it once open requests are answered. docs/api.md
    shows the API; passwords and the token come from the environment, the settings file or files.
    """
    require_extra("serve")
    exit_at_signals()
    flags: dict[str, object] = {"redis.url": redis, "redis.namespace": namespace}
    flags |= {"rule.name": rule, "rule.window": window, "run.state": state, "run.log": log}
    flags |= {"server.host": host, "server.port": port, "kafka.servers": kafka}
    flags |= {"feeder.state": feeds_file, "watches.state": watches}
    found = load_configuration(config, flags)
    if feeds is not None and events is None:
        raise typer.BadParameter("--feeds needs --events: a file for the events")
    kafka_origin = found.origins["kafka.servers"]
    follows = kafka_origin != _DEFAULT
    if follows and events is not None:
        raise typer.BadParameter(
            f"--events and kafka.servers ({kafka_origin}): an archive has one writer"
        )
    if redis is not None and events is not None:
        raise typer.BadParameter("--redis and --events: items are checked where they are stored")
    if redis is not None and state is not None:
        raise typer.BadParameter("--redis and --state: items are checked in one of them")
    begin_logging(found.settings.run.log, quiet=quiet)
    logging.getLogger("pymorphy3").setLevel(logging.WARNING)
    locations = None
    if events is not None:
        locations = run_paths(found.settings, to=events, dlq=None, fresh=False, archive=archive)
    _refuse_clashes(found.settings, archive, locations, feeds)
    shows_feeds = feeds is not None or found.origins["feeder.state"] != _DEFAULT
    from newsdedup.cli.serve_job import ServeJob, run_server

    job = ServeJob(
        settings=found.settings,
        archive=archive,
        engine=locations,
        feeds=feeds,
        feeds_file=Path(found.settings.feeder.state) if shows_feeds else None,
        allow_private=allow_private,
        follows_kafka=follows,
        checks_redis=found.origins["redis.url"] != _DEFAULT,
    )
    with suppress(asyncio.CancelledError):  # stopped before it was ready
        asyncio.run(run_server(job, quiet=quiet))


def _refuse_clashes(
    settings: Settings, archive: Path, engine: "RunPaths | None", feeds: str | None
) -> None:
    """Raise SinkUnusable if searches or feedback would be written into another file of the server.

    `engine` has the paths of a run in this process, `feeds` is its list of feeds.
    """
    from newsdedup.adapters.files.paths import refuse_clashes

    files: list[str | Path] = [archive, settings.feeder.state]
    files += filter(None, [settings.run.state])
    if settings.watches.state:
        refuse_clashes([("watches.state", settings.watches.state)], files)
    if settings.server.feedback:
        files += filter(None, [settings.server.token_file, feeds])
        files += [] if engine is None else [engine.to, engine.state, engine.dead]
        refuse_clashes([("server.feedback", settings.server.feedback)], files)
