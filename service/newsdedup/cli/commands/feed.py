from typing import Annotated

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import begin_logging, load_settings
from newsdedup.cli.errors import ExitCode
from newsdedup.cli.feed_job import FeedJob, run_feed_job
from newsdedup.cli.options import STANDARD_STREAM, argument, option, switch
from newsdedup.cli.output import print_result
from newsdedup.cli.registry import command
from newsdedup.cli.shown.feed_visits import CycleStats
from newsdedup.cli.states import run_paths

_List = Annotated[
    str | None,
    argument(
        "LIST", "An OPML file, or a text with an address a line. [default: the feeds of --feeds]"
    ),
]
_Dlq = Annotated[
    str | None,
    option("--dlq", "FILE", "Where engine:STATE puts bad records. [default: next to the events]"),
]
_Once = Annotated[bool, switch("--once", "Visit the feeds that are due, and end: for cron.")]
_All = Annotated[bool, switch("--all", "With --once: visit all feeds, due or not.")]


@command(
    "newsdedup feed feeds.txt --once --to items.jsonl",
    "newsdedup feed subscriptions.opml --to kafka://127.0.0.1:9092/news.raw",
    "newsdedup feed feeds.txt --to engine:news.state --events events.jsonl --archive news.archive",
    "newsdedup feed feeds.txt --to items.jsonl --port 9465    # metrics and health",
    "newsdedup feed feeds.txt --to items.jsonl --websub https://news.example/hubs",
    "newsdedup feed --once --to -    # the feeds of newsdedup.feeds",
)
def fetch_feeds(
    subscriptions: _List = None,
    *,
    to: options.Records,
    events: options.EngineEvents = STANDARD_STREAM,
    dlq: _Dlq = None,
    archive: options.ArchiveOption = None,
    once: _Once = False,
    visit_all: _All = False,
    allow_private: options.AllowPrivate = False,
    feeds: options.Feeds = None,
    port: options.FeederPort = None,
    websub: options.WebSub = None,
    window: options.Window = None,
    rule: options.RuleOption = None,
    log: options.Log = None,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Fetch feeds and write their items to a file, to Kafka, or directly into the engine.

    A feed is visited as often as it has news, within the limits that its publisher sets. No item is
    written twice, not even after a crash; an item that changed is written as a new version. With a
    list only its feeds are visited; the file of --feeds stores them, and only one process can use
    it at a time.
    """
    from newsdedup.bootstrap.record_outputs import engine_state

    state = engine_state(to)
    flags = {"feeder.state": feeds, "feeder.port": port, "feeder.websub": websub}
    run_flags = {"rule.window": window, "rule.name": rule, "run.log": log}
    run_flags["run.state"] = state or None
    settings = load_settings(config, {**flags, **run_flags})
    paths = None
    if state is not None:
        paths = run_paths(settings, to=events, dlq=dlq, fresh=False, archive=archive)
    elif events != STANDARD_STREAM or dlq is not None or archive is not None:
        raise typer.BadParameter("--events, --dlq and --archive belong to --to engine:STATE")
    if visit_all and not once:
        raise typer.BadParameter("--all belongs to --once")
    if websub and once:
        raise typer.BadParameter("--websub is for a feeder that keeps running: not with --once")
    # With --once what fails is named at the end.
    begin_logging(settings.run.log, quiet=once or quiet)
    stats = CycleStats(events if paths else to)
    job = FeedJob(settings, to, paths, once, visit_all, allow_private)
    next_due = run_feed_job(job, subscriptions, stats)
    to_file = STANDARD_STREAM not in (to, events if paths else "")
    words = stats.sentence(next_due=next_due)
    print_result(stats.as_json(), words, json=json and to_file, quiet=quiet)
    if once and stats.failed:
        raise typer.Exit(ExitCode.UNAVAILABLE if stats.all_failed else ExitCode.FAILED)
