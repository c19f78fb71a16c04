"""Measure what an item costs in windows of any size."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Json, Quiet
from newsdedup.cli.output import plain_table, print_json, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps
from newsdedup_lab.cli.studies import StudiedItems

if TYPE_CHECKING:
    from rich.table import Table

_Sizes = Annotated[
    str, typer.Option("--sizes", metavar="N,...", help="Items in each window, as 36000,1000000.")
]
_Step = Annotated[
    int,
    typer.Option("--step", metavar="N", help="Items that are judged in each window.", min=1),
]
_Alike = Annotated[
    float,
    typer.Option(
        "--alike",
        metavar="X",
        help="The share of the known words that all copies of the collection have in common.",
        min=0,
        max=1,
    ),
]
_MOST_SHARED = 4


@command(
    "newsdedup lab windows items.jsonl --json > windows.json",
    "newsdedup lab windows items.jsonl --sizes 36000,100000,300000 --step 5000 --alike 0.5",
)
def measure_made_windows(
    items: StudiedItems,
    *,
    sizes: _Sizes = "36000,100000,300000",
    step: _Step = 5_000,
    alike: _Alike = 1.0,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure what an item costs in windows of any size, in memory, with rule `verified`.

    The windows are filled with items made from the given ones: the first sentences of one and the
    last ones of another of its source and topic, with other names. A window larger than the
    collection has several copies of it. With --alike 1 two copies share terms nearly as often as
    real items of two sources do, with 0.5 they rarely share two. Items made of the latest N ones,
    the number of --step, are judged in each window.
    The second table compares the made items with the given ones, in windows of the same size; the
    third one, the terms that random pairs share: `apart` are real items of two sources, published
    more than a week apart, `worlds` made items of two copies of the collection.
    """
    from newsdedup.bootstrap.runs import line_decoder
    from newsdedup_lab.bench.windows import measure_windows
    from newsdedup_lab.collections.items import load_collection

    numbers = [part.strip() for part in sizes.split(",")]
    if not all(part.isdecimal() and int(part) for part in numbers):
        raise typer.BadParameter(
            f"{sizes}: expected whole numbers as 36000,100000", param_hint="--sizes"
        )
    settings = load_settings(config, {"rule.name": "verified"})
    limit = settings.limits.line_bytes
    collection = load_collection(items, line_decoder(settings).content, line_limit=limit)
    measured = measure_windows(
        collection,
        settings,
        sizes=[int(part) for part in numbers],
        step=step,
        alike=alike,
        say=Steps(quiet=quiet).say,
    )
    if json:
        print_json(measured)
        return
    likeness = measured["likeness"]
    console = stdout_console()
    console.print(_cost_table({f"{one['items']:,}": one for one in measured["windows"]}))
    console.print(_cost_table({name: likeness[name] for name in ("real", "made")}))
    console.print(_pair_table(likeness["shared_terms"]))


def _cost_table(windows: dict[str, dict[str, Any]]) -> "Table":
    """Return the costs of an item, a line for each window: means, and mean / p90 / p99."""
    table = plain_table(
        "window", ">ms", ">against the smallest", ">postings", ">candidates", ">compared", ">bytes"
    )
    for name, window in windows.items():
        counts = [
            " / ".join(f"{window[count][part]:,}" for part in ("mean", "p90", "p99"))
            for count in ("postings", "candidates", "compared")
        ]
        ratio = window.get("ratio", "")
        table.add_row(
            name, f"{window['ms']['mean']}", f"{ratio}", *counts, f"{window['bytes_per_item']:,}"
        )
    return table


def _pair_table(shares: dict[str, list[float]]) -> "Table":
    """Return how many of a million random pairs share so many terms."""
    numbers = [*map(str, range(_MOST_SHARED)), f"{_MOST_SHARED} or more"]
    table = plain_table("terms shared", *(f">{number}" for number in numbers))
    for name, some in shares.items():
        table.add_row(name, *(f"{share:,}" for share in some))
    return table
