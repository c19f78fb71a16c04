import json as encoder
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Json
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stdout_console
from newsdedup.cli.shown.run_summary import run_figures, run_sentence

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.cli.shown.event_table import NewestVerdict
    from newsdedup.synthetic.planted import PlantedItem

EXAMPLES = examples("newsdedup demo", "newsdedup demo --into /tmp/first-look")
SHOWN = 7
HONEST = """
Not every one is right: a rewrite in quite other words may be missed, an update without a number
taken for a copy. The figures above are what the rule really does."""
NEXT_STEPS = """
Next:
  all stories                      newsdedup stories list --state {into}/events.jsonl.state
  why two items are one story      newsdedup explain ID ID --state {into}/events.jsonl.state
  your own items, one a line       newsdedup run YOURS.jsonl --to events.jsonl"""

Into = Annotated[Path, typer.Option("--into", metavar="FOLDER", help="Where the files go.")]


def demo(*, into: Into = Path("demo"), json: Json = False) -> None:
    """Run over a small stream of made-up news and show the stories that were found.

    The stream is written by newsdedup itself, the same every time: reports in Russian, Ukrainian
    and English with reprints, cut and retitled copies, rewrites, updates, digests and late
    originals. Items, events and state stay in the folder, to be looked at.
    """
    from newsdedup import bootstrap
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.cli.shown.event_table import newest_verdicts, story_table
    from newsdedup.synthetic.stream import demo_stream

    settings = load_configuration().settings
    items, to = into / "items.jsonl", into / "events.jsonl"
    planted, state = list(demo_stream()), into / "events.jsonl.state"
    _refuse_foreign(into, items, to, state=state)
    with sink_errors(into):
        into.mkdir(parents=True, exist_ok=True)
        items.write_text("".join(_line(one) for one in planted), encoding="utf-8")
    where = bootstrap.Places(
        to=str(to),
        state=state,
        dead=into / "events.jsonl.dlq",
        fresh=True,
    )
    began = monotonic()
    counts: Counter[str] = Counter()
    job = bootstrap.embedded(settings, where)
    try:
        for batch in job.over([str(items)]):
            counts.update(batch)
    finally:
        job.close()
    seconds = monotonic() - began
    found = newest_verdicts(to)
    told = run_figures(counts, to=where.to, dead=str(where.dead), seconds=seconds)
    truth = _against_truth(planted, found)
    if json:
        print_json({**told, "planted": truth})
        return
    console = stdout_console()
    console.print(story_table(found, shown=SHOWN))
    console.print(run_sentence(told), end="\n\n")
    console.print(_truth_table(truth))
    console.print(HONEST)
    console.print(NEXT_STEPS.format(into=into))


def _refuse_foreign(into: Path, *files: Path, state: Path) -> None:
    """Raise SinkUnusable before files are overwritten that no demo has left here."""
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.ports.errors import SinkUnusable

    with sink_errors(into):
        found = [] if state.exists() else [file for file in files if file.exists()]
    if found:
        raise SinkUnusable(f"{found[0]} is there already: name another --into")


def _line(planted: "PlantedItem") -> str:
    return encoder.dumps(planted.item, ensure_ascii=False) + "\n"


def _against_truth(
    planted: list["PlantedItem"], found: Mapping[tuple[str, str], "NewestVerdict"]
) -> dict[str, dict[str, int]]:
    """Return how the items of each planted kind were judged in the end."""
    kinds: dict[str, Counter[str]] = {}
    for one in planted:
        told = found.get((str(one.item["source"]), str(one.item["id"])))
        if told is not None:
            kinds.setdefault(one.truth.kind, Counter())[told.judgement.verdict] += 1
    return {kind: dict(sorted(kinds[kind].items())) for kind in sorted(kinds)}


def _truth_table(truth: Mapping[str, Mapping[str, int]]) -> "Table":
    from rich.table import Table

    table = Table(pad_edge=False, box=None)
    table.add_column("planted, and how it was judged", min_width=30)
    table.add_column("original", justify="right")
    table.add_column("duplicate", justify="right")
    for kind, verdicts in truth.items():
        counts = (str(verdicts.get(verdict, 0)) for verdict in ("original", "duplicate"))
        table.add_row(kind.replace("_", " "), *counts)
    return table
