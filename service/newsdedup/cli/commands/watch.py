import asyncio
import logging
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import begin_logging, cancel_at_signals, load_settings
from newsdedup.cli.errors import require_extra, say
from newsdedup.cli.options import argument, option, switch
from newsdedup.cli.output import counted, printable_line
from newsdedup.cli.registry import command

if TYPE_CHECKING:
    from newsdedup.config import Settings
    from newsdedup.watches.hits import WatchHit
    from newsdedup.watches.watch import Watch

_NAME = "watch"
_Archive = Annotated[Path, argument("ARCHIVE", "The archive that is followed.")]
_Words = Annotated[
    str, option("--words", "WORDS", "Items that contain all words, in any form; -word excludes.")
]
_Source = Annotated[str, option("--source", "NAME", "Only items of this source.")]
_Lang = Annotated[str, option("--lang", "CODE", "Only items of this language.")]
_Least = Annotated[
    int, typer.Option("--least-sources", min=1, help="Stories once they have so many sources.")
]
_Copies = Annotated[
    str, option("--copies-of", "NAME", "Only copies of items of this source by others.")
]
_Name = Annotated[
    str, option("--name", "NAME", "The name of the search, part of each id. [default: watch]")
]
_Webhook = Annotated[
    str, option("--webhook", "URL", "Also send each hit there, signed with watches.secret.")
]
_State = Annotated[
    str | None,
    option(
        "--state",
        "FILE",
        "Where position, hits and what is not sent are kept. [default: watches.state, else none]",
    ),
]
_All = Annotated[bool, switch("--all", "Without a position, begin with the first item.")]
_Once = Annotated[
    bool, switch("--once", "End when all is found and sent; without --state it implies --all.")
]
_AsJson = Annotated[bool, switch("--json", "Write each hit as one line of JSON, for programs.")]


@command(
    'newsdedup watch news.archive --words "tram line"',
    "newsdedup watch news.archive --copies-of own.example --once --json",
    "newsdedup watch news.archive --words flood --state flood.watch --json",
    "newsdedup watch news.archive --least-sources 5 --webhook https://desk.example/hits",
)
def watch_archive(
    archive: _Archive,
    *,
    words: _Words = "",
    source: _Source = "",
    lang: _Lang = "",
    least_sources: _Least = 1,
    copies_of: _Copies = "",
    name: _Name = _NAME,
    webhook: _Webhook = "",
    state: _State = None,
    everything: _All = False,
    once: _Once = False,
    allow_private: options.AllowPrivate = False,
    config: options.Config = None,
    json: _AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Print what is new in an archive and fits a search, as it comes, and send it to a webhook.

    The searches of watches.file are followed, too. With --state a later call continues where this
    one ended, also after a kill: each hit is printed and sent at least once, with the same id.
    """
    require_extra("feeder")
    settings = load_settings(config, {"watches.state": state})
    begin_logging(settings.run.log, quiet=quiet)
    logging.getLogger("pymorphy3").setLevel(logging.WARNING)
    from newsdedup.watches.watch import Watch, WatchInvalid, check_watch

    watch = Watch(
        name=name,
        q=words,
        source=source,
        lang=lang,
        least_sources=least_sources,
        copies_of=copies_of,
        webhook=webhook,
    )
    watches: list[Watch] = []
    if watch != Watch(name=_NAME) or not settings.watches.file:
        try:
            watches.append(check_watch(watch))
        except WatchInvalid as error:
            raise typer.BadParameter(str(error)) from error
    everything = everything or (once and not settings.watches.state)
    work = _follow(
        settings,
        archive,
        watches,
        once=once,
        everything=everything,
        allow_private=allow_private,
        json=json,
        quiet=quiet,
    )
    with suppress(asyncio.CancelledError):
        asyncio.run(work)


async def _follow(
    settings: "Settings",
    archive: Path,
    watches: "list[Watch]",
    *,
    once: bool,
    everything: bool,
    allow_private: bool,
    json: bool,
    quiet: bool,
) -> None:
    """Print and send hits until a signal, or with `once` until the end of the archive.

    With `everything` begin with what the archive has. Raise SettingsInvalid for words that cannot
    be searched for, and Unavailable, with `once`, if hits could not be sent; without it the error
    of the file of the searches once that fails.
    """
    from functools import partial

    from newsdedup.archive.reader import ArchiveReader
    from newsdedup.bootstrap.runs import make_search_words
    from newsdedup.bootstrap.watching import open_watcher
    from newsdedup.ports.errors import Unavailable
    from newsdedup.server.reader_pool import ReaderPool
    from newsdedup.watches.watch_store import WatchStore

    cancel_at_signals()
    pool = ReaderPool(partial(ArchiveReader, archive, make_search_words()), threads=1)
    try:
        async with open_watcher(
            settings,
            pool.run,
            watches=watches,
            allow_private=allow_private,
            from_beginning=everything,
            show=_print_json if json else _print_line,
        ) as watcher:
            if not once:
                if not quiet:
                    say(f"watching {archive}; Ctrl-C ends")
                await watcher.run()
                if watcher.ended is not None:
                    raise watcher.ended
            while await watcher.find():
                pass
            while await watcher.deliver():
                pass
            from datetime import UTC, datetime

            states = await watcher.store.run(partial(WatchStore.states, now=datetime.now(UTC)))
    finally:
        await pool.close()
    unsent = sum(one.waiting + one.dead for one in states)
    if not quiet and (sent := watcher.counts["sent"]):
        say(f"{counted(sent, 'hit')} sent")
    if unsent:
        reason = next((one.problem for one in states if one.problem), "")
        raise Unavailable(f"{counted(unsent, 'hit')} could not be sent: {reason}")


def _print_json(hit: "WatchHit") -> None:
    """Print a hit as one line of JSON, at once."""
    from newsdedup.watches.hits import encode_hit

    sys.stdout.write(encode_hit(hit).decode("utf-8", "replace") + "\n")
    sys.stdout.flush()


def _print_line(hit: "WatchHit") -> None:
    """Print time, search, source and title of a hit in a line, at once."""
    item, story = hit.item, hit.story
    if item is None or story is None:
        return
    sources = f" ({counted(story.sources, 'source')})" if story.sources > 1 else ""
    text = f"{item.at:%Y-%m-%d %H:%M}  {hit.watch}  {item.source}  {item.title}{sources}"
    sys.stdout.write(printable_line(text) + "\n")
    sys.stdout.flush()
