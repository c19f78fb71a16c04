import json as encoder
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from shlex import quote
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.invocation import program
from newsdedup.cli.options import Json, option, switch
from newsdedup.cli.output import counted, plain_table, print_json, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.results import run_sentence, run_stats
from newsdedup.config import Settings

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.synthetic.planted import PlantedItem

_HONEST = """
Not every verdict is right: a rewrite in very different words may be missed, an update without a
number may count as a copy. The numbers above are what the rule really does."""
_NEXT_STEPS = """
Next:
  all stories
    {newsdedup} stories list --state {into}/events.jsonl.state
  why two items are one story
    {newsdedup} explain ID ID --state {into}/events.jsonl.state
  your own items, one a line
    {newsdedup} run YOURS.jsonl --to events.jsonl"""

_AtFeeds = Annotated[
    bool, switch("--feeds", "Serve the stream as feeds on this machine, and fetch these.")
]
_Events = Annotated[
    Path | None,
    option("--events", "FILE", "Show a file of events of this stream, and judge nothing."),
]
_Into = Annotated[Path, typer.Option("--into", metavar="FOLDER", help="Where the files go.")]


@command("newsdedup demo", "newsdedup demo --feeds", "newsdedup demo --into /tmp/first-look")
def show_demo(
    *,
    into: _Into = Path("demo"),
    feeds: _AtFeeds = False,
    events: _Events = None,
    json: Json = False,
) -> None:
    """Judge a small stream of made-up news and show the stories that were found.

    newsdedup generates the stream, the same every time: reports in Russian, Ukrainian and English
    with reprints, cut and retitled copies, rewrites, updates, digests and late originals. Items,
    events and state stay in the folder for you to look at.
    """
    from newsdedup.bootstrap.runs import open_run
    from newsdedup.cli.event_files import newest_verdicts
    from newsdedup.cli.shown.story_tables import largest_stories_table
    from newsdedup.ports.errors import SourceUnusable
    from newsdedup.synthetic.stream import demo_stream

    planted, counts = list(demo_stream()), Counter[str]()
    if events is not None:
        try:
            verdicts = newest_verdicts(events)
        except OSError as error:
            raise SourceUnusable(f"{events}: cannot be read: {error.strerror or error}") from error
        counts.update(one.judgement.verdict for one in verdicts.values())
        both = (counted(counts[verdict], verdict) for verdict in ("original", "duplicate"))
        stats: dict[str, object] = {"verdicts": dict(counts)}
        sentence = f"{counted(counts.total(), 'item')}: {', '.join(both)}"
    else:
        settings, where, began = load_settings(), _write_items(into, planted), monotonic()
        if feeds:
            _run_over_feeds(settings, where, [one.item for one in planted], counts, quiet=json)
        else:
            with closing(open_run(settings, where)) as job:
                for batch in job.over([str(into / "items.jsonl")]):
                    counts.update(batch)
        stats = run_stats(counts, to=where.to, dead=str(where.dead), seconds=monotonic() - began)
        verdicts, sentence = newest_verdicts(Path(where.to)), run_sentence(stats)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for one in planted:
        newest = verdicts.get((str(one.item["source"]), str(one.item["id"])))
        if newest is not None:
            kinds[one.truth.kind][newest.judgement.verdict] += 1
    truth = {kind: dict(sorted(kinds[kind].items())) for kind in sorted(kinds)}
    if json:
        print_json({**stats, "planted": truth})
        return
    console = stdout_console()
    console.print(largest_stories_table(verdicts))
    console.print(sentence, end="\n\n")
    console.print(_truth_table(truth))
    console.print(_HONEST)
    if events is None:
        text = _NEXT_STEPS.format(into=quote(str(into)), newsdedup=program())
        console.print(text, soft_wrap=True)


def _truth_table(truth: "Mapping[str, Mapping[str, int]]") -> "Table":
    """Return the table of how many items of each planted kind got which verdict, from `truth`."""
    table = plain_table("planted, and how it was judged", ">original", ">duplicate")
    table.columns[0].min_width = 30
    for kind, by_verdict in truth.items():
        numbers = (str(by_verdict.get(verdict, 0)) for verdict in ("original", "duplicate"))
        table.add_row(kind.replace("_", " "), *numbers)
    return table


def _write_items(into: Path, planted: "list[PlantedItem]") -> "RunPaths":
    """Write the items into a folder, and return the paths of a run over them.

    Raise SinkUnusable if the files exist without a state: then no demonstration has made them.
    """
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.ports.errors import SinkUnusable

    items, to = into / "items.jsonl", into / "events.jsonl"
    state, dead = into / "events.jsonl.state", into / "events.jsonl.dlq"
    with sink_errors(into):
        foreign = [] if state.exists() else [file for file in (items, to) if file.exists()]
        if foreign:
            raise SinkUnusable(f"{foreign[0]} exists already: name another --into")
        into.mkdir(parents=True, exist_ok=True)
        lines = [encoder.dumps(one.item, ensure_ascii=False) + "\n" for one in planted]
        items.write_text("".join(lines), encoding="utf-8")
    return RunPaths(to=str(to), state=state, dead=dead, fresh=True)


def _run_over_feeds(
    settings: Settings,
    where: "RunPaths",
    items: "list[Mapping[str, Any]]",
    counts: Counter[str],
    *,
    quiet: bool,
) -> None:
    """Serve the items as feeds, fetch and judge them into `where`; add the engine's to `counts`."""
    from newsdedup.cli.feed_job import FeedJob, run_feed_job
    from newsdedup.cli.shown.feed_visits import CycleStats

    folder = where.state.parent / "feeds"
    folder.mkdir(exist_ok=True)
    names = _write_feeds(items, folder)
    stored, listed = folder / "newsdedup.feeds", folder / "subscriptions.txt"
    stored.unlink(missing_ok=True)
    settings = replace(settings, feeder=replace(settings.feeder, state=str(stored), host_rate=500))
    stats = CycleStats(where.to, counts)
    with _serve_folder(folder) as site:
        if not quiet:
            print(
                f"{counted(len(names), 'feed')} at {site}, such as {site}/{min(names.values())}\n"
            )
        lines = [f"{site}/{name} source={quote(source)}" for source, name in names.items()]
        listed.write_text("\n".join(lines), "utf-8")
        job = FeedJob(settings, "engine:", where, once=True, visit_all=True, allow_private=True)
        run_feed_job(job, str(listed), stats)
    if not quiet:
        print(stats.sentence(next_due=None), end="\n\n")


def _write_feeds(items: "Iterable[Mapping[str, Any]]", folder: Path) -> dict[str, str]:
    """Write an Atom feed for each source into a folder; return the file name by source."""
    from newsdedup.adapters.formats.atom_xml import AtomEntry, AtomFeed, write_atom

    entries: dict[str, list[AtomEntry]] = defaultdict(list)
    for item in items:
        if "newsdedup" not in item:
            published = datetime.fromisoformat(str(item["published_at"]))
            updated = item.get("updated_at")
            entry = AtomEntry(
                id=str(item["id"]),
                title=str(item.get("title", "")),
                text=str(item.get("text", "")),
                published=published,
                updated=datetime.fromisoformat(str(updated)) if updated else published,
                url=str(item.get("url", "")),
            )
            entries[str(item["source"])].insert(0, entry)
    names = {source: f"{number:03}.atom" for number, source in enumerate(sorted(entries), 1)}
    for source, newest_first in entries.items():
        newest = max(entry.updated for entry in newest_first)
        feed = AtomFeed(id=f"urn:newsdedup:demo:{names[source]}", title=source, updated=newest)
        (folder / names[source]).write_text(write_atom(feed, newest_first), "utf-8")
    return names


@contextmanager
def _serve_folder(folder: Path) -> Iterator[str]:
    """Serve the files of a folder at a free port of 127.0.0.1; yield the address of the site."""
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Log no request on standard error."""

    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
