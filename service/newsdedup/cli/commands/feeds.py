"""Manage the list of feeds: add, remove, check and test them, import and export OPML."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import load_settings
from newsdedup.cli.errors import ExitCode, require_extra, say
from newsdedup.cli.feed_job import read_subscription_file
from newsdedup.cli.invocation import as_called
from newsdedup.cli.options import argument, option, switch
from newsdedup.cli.output import plain_table, print_json, printable_line, stdout_console
from newsdedup.cli.registry import command
from newsdedup.config import Settings
from newsdedup.config.reading import shorten_value

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.feeder.parsing.feed_items import FeedRecord
    from newsdedup.feeder.state.feed_state import Subscription
    from newsdedup.feeder.watching.feed_health import FeedHealth
    from newsdedup.runners.intake.feed_records import FeedTrial

_TITLE_CHARS: Final = 60
_UNITS: Final = (("d", 86_400), ("h", 3_600), ("m", 60))

_Addresses = Annotated[list[str], argument("ADDRESS", "The address of a feed, or of a web site.")]
_Address = Annotated[str, argument("ADDRESS", "The address of a feed, or of a web site.")]
_Category = Annotated[str, option("--category", "NAME", "Carried into the items: feed_category.")]
_Source = Annotated[
    str, option("--source", "NAME", "The source of its items. [default: the host of its site]")
]
_Secret = Annotated[
    str,
    option("--secret", "env:NAME|file:PATH", "Has credentials: user:password, or Bearer TOKEN."),
]
_FullText = Annotated[
    bool, switch("--full-text", "Fetch the page of each item for its text, if robots.txt allows.")
]
_Unchecked = Annotated[bool, switch("--unchecked", "Add the address without fetching it.")]


@command(
    "newsdedup feeds add https://visti.example/rss.xml --category Kyiv",
    "newsdedup feeds add herald.example    # finds the feed of a site",
    "newsdedup feeds add https://daily.example/news-sitemap.xml --full-text",
    "newsdedup feeds add https://paid.example/feed --secret env:PAID_FEED",
    name="add",
)
def add_feeds(
    addresses: _Addresses,
    *,
    category: _Category = "",
    source: _Source = "",
    full_text: _FullText = False,
    secret: _Secret = "",
    unchecked: _Unchecked = False,
    allow_private: options.AllowPrivate = False,
    feeds: options.Feeds = None,
    config: options.Config = None,
) -> None:
    """Add feeds; each is fetched once to check it, and the feed of a web site is looked up.

    A feed of the list gets the given category, source and so on; one that has ended is visited
    again. With --allow-private all later visits of these feeds may lead to private networks.
    """
    from newsdedup.feeder.state.feed_state import FeedState, Subscription

    if not unchecked:
        require_extra("feeder")
    settings = load_settings(config, {"feeder.state": feeds})
    for address in addresses:
        one = Subscription(
            _checked(address),
            category=category,
            source=source,
            full_text=full_text,
            secret=secret,
            allow_private=allow_private,
        )
        if not unchecked:
            one = _look_up(settings, one, allow_private=allow_private)
        # Without the lock that a running feeder holds.
        with FeedState(Path(settings.feeder.state), locked=False) as state:
            new = state.subscribe([one], at=datetime.now(UTC))
        print(f"{one.address}: {'added' if new else 'already in the list'}")


@command("newsdedup feeds remove https://visti.example/rss.xml", name="remove")
def remove_feeds(
    addresses: _Addresses, *, feeds: options.Feeds = None, config: options.Config = None
) -> None:
    """Remove feeds and what is stored about them; their items are not removed."""
    from newsdedup.feeder.state.feed_state import FeedState
    from newsdedup.feeder.state.feeds_file import reading_feeds

    file = _feeds_file(feeds, config)
    with reading_feeds(file):
        pass  # opening for writing makes a file
    missing = 0
    with FeedState(file, locked=False) as state:
        for address in addresses:
            removed = state.unsubscribe(_checked(address))
            missing += not removed
            print(f"{address}: {'removed' if removed else 'is not in the list'}")
    if missing:
        raise typer.Exit(ExitCode.INPUT_MISSING)


@command(
    "newsdedup feeds list", "newsdedup feeds list --json | jq -r .feeds[].address", name="list"
)
def list_feeds(
    *, feeds: options.Feeds = None, config: options.Config = None, json: options.Json = False
) -> None:
    """List the feeds in the order in which they were added, one a line with its category."""
    from newsdedup.feeder.state.feed_state import read_feeds

    stored = read_feeds(_feeds_file(feeds, config))
    if json:
        names = ("category", "source", "full_text", "allow_private", "status", "title")
        feeds_json = [
            {"address": one.subscribed, **{name: getattr(one, name) for name in names}}
            for one in stored
        ]
        print_json({"feeds": feeds_json})
        return
    for one in stored:
        print("\t".join(filter(None, (one.subscribed, printable_line(one.category)))))


@command(
    "newsdedup feeds status",
    "newsdedup feeds status --state news.state    # with originals and delays",
    "newsdedup feeds status --json | jq .feeds[0]    # the worst one",
    name="status",
)
def show_status(
    *,
    state: options.State = None,
    feeds: options.Feeds = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """Show the condition of the feeds, those with problems first.

    With the state of a run also how many items of each source are originals, and how long after the
    original its duplicates came. A running feeder is not disturbed.
    """
    from newsdedup.adapters.sqlite.state import StateReader
    from newsdedup.feeder.state.feed_state import read_feeds
    from newsdedup.feeder.state.feeds_file import read_leases
    from newsdedup.feeder.watching.feed_health import feed_health, source_shares

    settings = load_settings(config, {"feeder.state": feeds, "run.state": state})
    file = Path(settings.feeder.state)
    stored, leases = read_feeds(file), read_leases(file)
    shares = {}
    if settings.run.state:
        with StateReader(Path(settings.run.state)) as reader:
            shares = source_shares(reader.records())
    now = datetime.now(UTC)
    health = feed_health(stored, shares, leases=leases, at=now)
    if json:
        print_json({"feeds": [one.as_json() for one in health]})
    elif health:
        stdout_console().print(_health_table(health, at=now))
    else:
        hint = "no feeds: `newsdedup feeds add ADDRESS`, or `newsdedup feeds import LIST`"
        print(as_called(hint))


@command(
    "newsdedup feeds import subscriptions.opml", "newsdedup feeds import feeds.txt", name="import"
)
def import_feeds(
    subscriptions: Annotated[
        str, argument("LIST", "An OPML file, or a text with an address a line.")
    ],
    *,
    feeds: options.Feeds = None,
    config: options.Config = None,
) -> None:
    """Add all feeds of a list; feeds that are known already get its categories."""
    from newsdedup.feeder.state.feed_state import FeedState

    file, listed = _feeds_file(feeds, config), read_subscription_file(subscriptions)
    with FeedState(file, locked=False) as state:
        new = state.subscribe(listed, at=datetime.now(UTC))
    print(f"{new:,} added, {len(listed) - new:,} already in the list")


@command("newsdedup feeds export --to subscriptions.opml", name="export")
def export_feeds(
    *,
    to: options.To = options.STANDARD_STREAM,
    feeds: options.Feeds = None,
    config: options.Config = None,
) -> None:
    """Write the feeds as OPML, with their categories; of secrets only the names."""
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.feeder.state.feed_state import read_feeds
    from newsdedup.feeder.subscriptions.subscription_list import write_opml

    opml = write_opml(read_feeds(_feeds_file(feeds, config)))
    if to == options.STANDARD_STREAM:
        print(opml, end="")
        return
    with sink_errors(Path(to)):
        Path(to).write_text(opml, "utf-8")


@command(
    "newsdedup feeds test https://visti.example/rss.xml",
    "newsdedup feeds test https://visti.example/rss.xml --json | jq .items[0]",
    name="test",
)
def try_address(
    address: _Address,
    *,
    source: _Source = "",
    secret: _Secret = "",
    allow_private: options.AllowPrivate = False,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """Show the items that a feed would give, and its errors; nothing is stored.

    The exit code is 1 if it is no feed, or cannot be fetched.
    """
    require_extra("feeder")
    from newsdedup.feeder.state.feed_state import Subscription
    from newsdedup.runners.intake.feed_records import try_feed

    settings = load_settings(config)
    one = Subscription(_checked(address), source=source, secret=secret)
    trial = _try(try_feed, settings, one, allow_private=allow_private)
    if json:
        print_json(trial.as_json())
    else:
        for line in trial.sentences():
            print(printable_line(line))
        if trial.records:
            stdout_console().print(_entries_table(trial.records))
    if trial.error:
        raise typer.Exit(ExitCode.FAILED)


def _look_up(settings: Settings, one: "Subscription", *, allow_private: bool) -> "Subscription":
    """Return the subscription with the address of its feed, which is looked up on a web page.

    Raise SourceUnusable if there is no feed, or more than one to choose from.
    """
    from newsdedup.ports.errors import SourceUnusable
    from newsdedup.runners.intake.feed_records import find_feed

    trial = _try(find_feed, settings, one, allow_private=allow_private)
    if trial.feed is not None:
        for problem in trial.feed.problems:
            say(f"{trial.address}: {problem}")
        return replace(one, address=trial.address)
    linked = [link for link in trial.links if not link.guessed]
    if not linked:
        raise SourceUnusable(f"{trial.address}: {trial.error}")
    named = "\n".join(f"  {link.address}  {printable_line(link.title)}" for link in linked)
    raise SourceUnusable(f"{trial.address} links several feeds, name one of them:\n{named}")


def _try(
    attempt: "Callable[..., Awaitable[FeedTrial]]",
    settings: Settings,
    one: "Subscription",
    *,
    allow_private: bool,
) -> "FeedTrial":
    """Run `attempt`, which is `try_feed` or `find_feed`, with a fetcher, and return its result."""
    from newsdedup.bootstrap.feeder import feed_fetcher

    async def fetch() -> "FeedTrial":
        async with feed_fetcher(settings, allow_private=allow_private) as fetcher:
            return await attempt(fetcher, one, received_at=datetime.now(UTC))

    return asyncio.run(fetch())


def _feeds_file(feeds: str | None, config: Path | None) -> Path:
    """Return the file of feeds: `feeds` (--feeds), else that in the settings (file `config`)."""
    return Path(load_settings(config, {"feeder.state": feeds}).feeder.state)


def _checked(address: str) -> str:
    """Return the full address for a text such as herald.example; raise BadParameter if invalid."""
    from newsdedup.feeder.subscriptions.subscription_list import AddressInvalid, feed_address

    try:
        return feed_address(address)
    except AddressInvalid as error:
        raise typer.BadParameter(str(error)) from error


def _health_table(health: "Sequence[FeedHealth]", *, at: datetime) -> "Table":
    """Return the table of feeds at a time; duplicates have columns if any feed has a share."""
    shared = any(one.share is not None for one in health)
    more = (">originals", ">delay") if shared else ()
    headings = ("feed", "condition", ">success", ">news", ">every", ">items", *more)
    table = plain_table(*headings, folding="feed")
    for one in health:
        feed = one.feed
        cells = [
            feed.subscribed,
            one.condition,
            _ago(feed.succeeded_at, at),
            _ago(feed.news_at, at),
            _span(feed.interval) if feed.interval else "",
            f"{feed.entries:,}",
        ]
        if shared and one.share is not None:
            share = one.share
            cells.append(f"{share.originals / share.items:.0%} of {share.items:,}")
            cells.append("" if share.delay is None else _span(share.delay))
        table.add_row(*cells)
        if feed.problem:
            table.add_row(f"  {printable_line(feed.problem)}", style="dim")
    return table


def _entries_table(records: "Sequence[FeedRecord]") -> "Table":
    """Return the table of records that a feed gives: time, length of text, and title or command."""
    table = plain_table("published, UTC", ">text", "title or command")
    table.columns[0].no_wrap = True
    for record in records:
        command = record.get("newsdedup")
        title = record.get("title") or record.get("text", "")
        line = printable_line(f"{command} {record['id']}" if command else title)
        table.add_row(
            str(record.get("published_at", ""))[:16].replace("T", " "),
            "" if command else f"{len(record.get('text', '')):,}",
            shorten_value(line, _TITLE_CHARS),
        )
    return table


def _ago(moment: datetime, now: datetime) -> str:
    """Return how long before `now` a moment is, as "3h"; "never" for NEVER."""
    from newsdedup.feeder.scheduling.stored_feed import NEVER

    return "never" if moment == NEVER else _span(now - moment)


def _span(span: timedelta) -> str:
    """Return a duration in its largest unit (d, h, m, s), rounded, as 3h."""
    seconds = span.total_seconds()
    for unit, size in _UNITS:
        if seconds >= size:
            return f"{seconds / size:.0f}{unit}"
    return f"{max(seconds, 0):.0f}s"
