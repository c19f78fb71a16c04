import json as encoder
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.invocation import program
from newsdedup.cli.options import Json, option
from newsdedup.cli.output import counted, plain_table, print_json, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.results import run_sentence, run_stats

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.cli.shown.story_tables import NewestVerdict
    from newsdedup.config import Settings
    from newsdedup.synthetic.planted import PlantedItem

_SHOWN = 7
_HONEST = """
Not every one is right: a rewrite in quite other words may be missed, an update without a number
taken for a copy. The figures above are what the rule really does."""
_NEXT_STEPS = """
Next:
  all stories
    {newsdedup} stories list --state {into}/events.jsonl.state
  why two items are one story
    {newsdedup} explain ID ID --state {into}/events.jsonl.state
  your own items, one a line
    {newsdedup} run YOURS.jsonl --to events.jsonl"""

_AtFeeds = Annotated[
    bool,
    typer.Option(
        "--feeds",
        help="Fetch the stream: one feed for each source, served by this machine, judged as "
        "`newsdedup feed` does.",
    ),
]
_Events = Annotated[
    Path | None,
    option(
        "--events",
        "FILE",
        "Judge nothing: show the stories of this stream in a file of its events, as `newsdedup "
        "tail --json` writes it.",
    ),
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
    """Run over a small stream of made-up news and show the stories that were found.

    The stream is written by newsdedup itself, the same every time: reports in Russian, Ukrainian
    and English with reprints, cut and retitled copies, rewrites, updates, digests and late
    originals. Items, events and state stay in the folder, to be looked at.
    """
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.cli.shown.story_tables import newest_verdicts
    from newsdedup.synthetic.stream import demo_stream

    if events is not None:
        _show_events(events, json=json)
        return
    settings = load_settings()
    items, to = into / "items.jsonl", into / "events.jsonl"
    planted, state = list(demo_stream()), into / "events.jsonl.state"
    _refuse_foreign(into, items, to, state=state)
    with sink_errors(into):
        into.mkdir(parents=True, exist_ok=True)
        lines = [encoder.dumps(one.item, ensure_ascii=False) + "\n" for one in planted]
        items.write_text("".join(lines), encoding="utf-8")
    dead = into / "events.jsonl.dlq"
    where = RunPaths(to=str(to), state=state, dead=dead, fresh=True)
    began = monotonic()
    counts: Counter[str] = Counter()
    if feeds:
        _run_over_feeds(settings, where, [one.item for one in planted], counts, quiet=json)
    else:
        _run_over_file(settings, where, items, counts)
    seconds = monotonic() - began
    verdicts = newest_verdicts(to)
    stats = run_stats(counts, to=where.to, dead=str(dead), seconds=seconds)
    truth = _count_verdicts(planted, verdicts)
    if json:
        print_json({**stats, "planted": truth})
        return
    console = stdout_console()
    _print_stories(verdicts, run_sentence(stats), truth)
    console.print(_NEXT_STEPS.format(into=quote(str(into)), newsdedup=program()), soft_wrap=True)


def _show_events(events: Path, *, json: bool) -> None:
    """Print the stories of the bundled stream that a file of events tells."""
    from newsdedup.cli.shown.story_tables import newest_verdicts
    from newsdedup.ports.errors import SourceUnusable
    from newsdedup.synthetic.stream import demo_stream

    try:
        verdicts = newest_verdicts(events)
    except OSError as error:
        raise SourceUnusable(f"{events}: cannot be read: {error.strerror or error}") from error
    truth = _count_verdicts(list(demo_stream()), verdicts)
    counts = Counter(one.judgement.verdict for one in verdicts.values())
    if json:
        print_json({"verdicts": dict(counts), "planted": truth})
        return
    both = (counted(counts["original"], "original"), counted(counts["duplicate"], "duplicate"))
    _print_stories(verdicts, f"{counted(counts.total(), 'item')}: {', '.join(both)}", truth)


def _print_stories(
    verdicts: "Mapping[tuple[str, str], NewestVerdict]",
    sentence: str,
    truth: dict[str, dict[str, int]],
) -> None:
    """Print the largest stories, the figures of the run, and how what was planted was judged."""
    from newsdedup.cli.shown.story_tables import largest_stories_table

    console = stdout_console()
    console.print(largest_stories_table(verdicts, shown=_SHOWN))
    console.print(sentence, end="\n\n")
    console.print(_truth_table(truth))
    console.print(_HONEST)


def _run_over_file(
    settings: "Settings", where: "RunPaths", items: Path, counts: Counter[str]
) -> None:
    """Judge a file of items, counting events."""
    from newsdedup.bootstrap.runs import open_run

    job = open_run(settings, where)
    try:
        for batch in job.over([str(items)]):
            counts.update(batch)
    finally:
        job.close()


def _run_over_feeds(
    settings: "Settings",
    where: "RunPaths",
    items: "list[Mapping[str, Any]]",
    counts: Counter[str],
    *,
    quiet: bool,
) -> None:
    """Serve items as feeds from this machine, and judge what is fetched, counting events."""
    from newsdedup.cli.feed_site import serve_folder, write_feeds
    from newsdedup.cli.feeding import FeedJob, run_feed_job
    from newsdedup.cli.shown.feed_visits import CycleStats

    folder = where.state.parent / "feeds"
    folder.mkdir(exist_ok=True)
    names = write_feeds(items, folder)
    stored, listed = folder / "newsdedup.feeds", folder / "subscriptions.txt"
    stored.unlink(missing_ok=True)
    settings = replace(settings, feeder=replace(settings.feeder, state=str(stored), host_rate=500))
    stats = CycleStats(where.to)
    stats.also_count(counts)
    with serve_folder(folder) as site:
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


def _refuse_foreign(into: Path, *files: Path, state: Path) -> None:
    """Raise SinkUnusable if a file exists but the state does not: then no demo has written it."""
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.ports.errors import SinkUnusable

    with sink_errors(into):
        foreign = [] if state.exists() else [file for file in files if file.exists()]
    if foreign:
        raise SinkUnusable(f"{foreign[0]} is there already: name another --into")


def _count_verdicts(
    planted: list["PlantedItem"], verdicts: Mapping[tuple[str, str], "NewestVerdict"]
) -> dict[str, dict[str, int]]:
    """Return, by planted kind and by verdict, how many items of that kind got that verdict."""
    kinds: dict[str, Counter[str]] = {}
    for one in planted:
        newest = verdicts.get((str(one.item["source"]), str(one.item["id"])))
        if newest is not None:
            kinds.setdefault(one.truth.kind, Counter())[newest.judgement.verdict] += 1
    return {kind: dict(sorted(kinds[kind].items())) for kind in sorted(kinds)}


def _truth_table(truth: Mapping[str, Mapping[str, int]]) -> "Table":
    """Return the table of planted kinds and how often each was judged original or duplicate."""
    table = plain_table("planted, and how it was judged", ">original", ">duplicate")
    table.columns[0].min_width = 30
    for kind, verdicts in truth.items():
        counts = (str(verdicts.get(verdict, 0)) for verdict in ("original", "duplicate"))
        table.add_row(kind.replace("_", " "), *counts)
    return table
