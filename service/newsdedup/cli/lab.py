import json as encoder
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.commands import examples
from newsdedup.cli.configured import configured
from newsdedup.cli.options import Config, Json, Rule, Window
from newsdedup.cli.output import print_json, stderr_console, stdout_console
from newsdedup.cli.places import input_place
from newsdedup.cli.progress import Progress

if TYPE_CHECKING:
    from rich.table import Table

lab = typer.Typer(
    help="Measure methods on collections.", no_args_is_help=True, rich_markup_mode=None
)
EXAMPLES = examples(
    "newsdedup lab score --items news.jsonl --pairs labelled.tsv",
    "newsdedup lab score --items a.jsonl --items b.jsonl --pairs labelled.tsv --json",
)

ScoredItems = Annotated[
    list[str],
    typer.Option(
        "--items",
        metavar="ITEMS",
        parser=input_place,
        help="Files or folders of items; may be repeated.",
        show_default=False,
    ),
]
Pairs = Annotated[
    Path,
    typer.Option(
        "--pairs",
        metavar="TSV",
        help="Labelled pairs: columns id1, id2, and dup (0 or 1) or label (R, W: duplicates); "
        "perhaps weight, set, lang.",
        show_default=False,
    ),
]


Errors = Annotated[
    Path | None,
    typer.Option(
        "--errors",
        metavar="FILE",
        help="Write the pairs judged otherwise than people did, with both texts, as JSON lines.",
        show_default=False,
    ),
]


@lab.command("score", epilog=EXAMPLES)
def score(
    items: ScoredItems,
    pairs: Pairs,
    *,
    rule: Rule = None,
    window: Window = None,
    errors: Errors = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Hold a rule against pairs that people labelled.

    The items are replayed in the order of their times, each judged by what came before. A pair
    is found when its later item is judged a duplicate and both end in one story; so what the
    index does not retrieve is missed. `decision` judges the pairs directly; `candidates` is the
    share of the duplicates that a look-up finds, `relations` what each class of the guide was
    taken for. Intervals are 95 % of 1,000 bootstrap samples.
    """
    from newsdedup import bootstrap  # noqa: PLC0415 - help must not wait for the engine
    from newsdedup.lab import score as scoring  # noqa: PLC0415
    from newsdedup.lab.collection import collected  # noqa: PLC0415
    from newsdedup.lab.errors import errors as differing  # noqa: PLC0415
    from newsdedup.lab.pairs import labelled_pairs  # noqa: PLC0415

    settings = configured(config, window=window, rule=rule).settings
    judging = bootstrap.rule(settings)
    labelled = labelled_pairs(pairs)
    found = collected(items, bootstrap.decode(settings), line_limit=settings.limits.line_bytes)
    analyze = bootstrap.analyze(settings, bootstrap.background(settings))
    with Progress(stderr_console(), total=len(found.items)) as progress:
        analyzed = []
        for item in found.items:
            analyzed.append(analyze(item, b""))
            progress.advance(items=1, duplicates=0)
    replay = scoring.replayed(analyzed, judging, bootstrap.school(judging))
    told = scoring.report(labelled, replay)
    if errors is not None:
        _write_errors(errors, differing(labelled, replay))
    if json:
        print_json(told)
    else:
        stdout_console().print(_table(told))


def _write_errors(path: Path, found: Iterable[dict[str, object]]) -> None:
    from newsdedup.adapters.outputs import writing  # noqa: PLC0415 - help must not wait

    with writing(path), path.open("w", encoding="utf-8") as file:
        for one in found:
            file.write(encoder.dumps(one, ensure_ascii=False) + "\n")


def _table(told: dict[str, Any]) -> "Table":
    from rich.table import Table  # noqa: PLC0415 - help must not wait for rich

    table = Table(
        title=f"{told['pairs']} pairs, rule {told['rule']}", title_justify="left", box=None
    )
    for column in ("", "pairs", "found", "precision", "recall", "F", "weighted P", "R", "F"):
        table.add_column(column, justify="left" if not column else "right")
    table.add_row("stream", *_figures(told))
    table.add_row("  95 % from", *_bounds(told, 0))
    table.add_row("  to", *_bounds(told, 1))
    table.add_row("decision", *_figures(told["decision"]))
    found = told["candidates"]
    table.add_row(
        "candidates", "", "", "", f"{found['plain']:.3f}", "", "", f"{found['weighted']:.3f}"
    )
    for name, part in told["slices"].items():
        table.add_row(name, *_figures(part))
    return table


def _bounds(told: dict[str, Any], side: int) -> list[str]:
    return ["", ""] + [
        f"{told['intervals'][kind][name][side]:.3f}"
        for kind in ("plain", "weighted")
        for name in ("precision", "recall", "f1")
    ]


def _figures(part: dict[str, Any]) -> list[str]:
    counts = [str(part.get(name, "")) for name in ("pairs", "found")]
    shares = [
        f"{part[kind][name]:.3f}"
        for kind in ("plain", "weighted")
        for name in ("precision", "recall", "f1")
    ]
    return [*counts, *shares]
