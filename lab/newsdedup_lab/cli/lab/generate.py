from pathlib import Path
from typing import Annotated

import typer

from newsdedup.cli.options import Json, Quiet, option
from newsdedup.cli.output import print_json
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps

_Count = Annotated[int, option("--items", "N", "How many items.", min=1)]
_Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="Another seed makes another stream.")
]
_Out = Annotated[
    Path,
    typer.Option("--out", metavar="FILE", help="The items; their truth goes to FILE.truth.tsv."),
]
_Fresh = Annotated[bool, typer.Option("--fresh", help="Replace the files if they are there.")]


@command(
    "newsdedup lab generate --items 100000 --out made.jsonl",
    "newsdedup lab generate --items 500000 --seed 7 --out made.jsonl --fresh",
)
def generate_items(
    *,
    items: _Count,
    seed: _Seed = 2026,
    out: _Out = Path("items.jsonl"),
    fresh: _Fresh = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a made-up stream of news, with the truth about every item alongside it.

    Reports in Russian, Ukrainian and English with planted reprints, rewrites, updates, digests,
    templates and late originals; the same seed gives the same bytes. The truth tells of each item
    its kind, its story (items of one story are duplicates) and what it was made from.
    """
    from newsdedup.synthetic.stream import generate_stream
    from newsdedup_lab.collections.generated import truth_path, write_generated

    with Steps(quiet=quiet).step("writing", items) as advance:
        write_generated(generate_stream(items, seed=seed), out, fresh=fresh, advance=advance)
    if json:
        print_json({"items": str(out), "truth": str(truth_path(out)), "count": items})
    else:
        print(out)
        print(truth_path(out))
