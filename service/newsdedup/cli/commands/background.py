from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import STANDARD_STREAM, Config, Items, Json, Quiet, parse_output_place
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.background_words import (
    background_figures,
    background_lines,
    left_out_reasons,
    most_frequent,
    usage_advice,
)
from newsdedup.cli.shown.output import print_json, stderr_console
from newsdedup.cli.shown.tally import show_count

if TYPE_CHECKING:
    from newsdedup.config import Settings
    from newsdedup.core.words.background import Background

BUILD_EXAMPLES = examples(
    "newsdedup background build archive/ --to own.zst",
    "newsdedup background build 2024.parquet 2025.parquet --to own.zst --least 5",
)
SHOW_EXAMPLES = examples("newsdedup background show", "newsdedup background show own.zst --json")
EXAMPLES = BUILD_EXAMPLES

background = typer.Typer(
    help="Count how common words are in news of your own; show such a table.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
To = Annotated[
    str,
    typer.Option(
        "--to", metavar="FILE", parser=parse_output_place, help="The table.", show_default=False
    ),
]
Least = Annotated[
    int,
    typer.Option("--least", metavar="N", min=1, help="Lemmas of fewer documents are left out."),
]
Shown = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE",
        help="A table. [default: the one that the settings name, else that of the package]",
        show_default=False,
    ),
]


@background.command("build", epilog=BUILD_EXAMPLES)
def build(
    items: Items,
    *,
    to: To,
    least: Least = 3,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count the words of items: a table that makes weights and look-ups fit your own stream.

    Reads what `newsdedup dedup` reads, once, and keeps counts and the pivot words that the method
    descr_words signs with. Use the table by the setting words.background; a state that was made
    with another table is refused, so begin anew with --fresh.
    """
    from newsdedup import bootstrap
    from newsdedup.adapters.files.outputs import check_writable
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.adapters.tables.columns import ColumnMap
    from newsdedup.adapters.tables.datasets import dataset_files, read_datasets
    from newsdedup.adapters.tables.rows import decode_row
    from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
    from newsdedup.adapters.words.package_data import write_background
    from newsdedup.core.document import Analyzer
    from newsdedup.core.words.background import EMPTY_BACKGROUND
    from newsdedup.ports.errors import NothingToRead
    from newsdedup.runners.files.counting import counted

    if to == STANDARD_STREAM:
        raise typer.BadParameter("a table goes to a file, not to standard output")
    settings = load_configuration(config).settings
    limits = bootstrap.limits(settings)
    files = dataset_files(items)
    refuse_clashes([("--to", to)], files)
    check_writable(Path(to), replaced=True)
    rows = read_datasets(files, ColumnMap(), limits=limits)
    table, left_out = counted(
        show_count(rows, stderr_console(), of="items", quiet=quiet),
        read=lambda row: decode_row(row, limits=limits),
        analyzer=Analyzer(shipped_vocabulary(EMPTY_BACKGROUND, bound=settings.words.cache_forms)),
        least=least,
    )
    if not any(count.lemmas for count in table.counts.values()):
        raise NothingToRead(
            f"no lemma occurs in {least} items: nothing is written"
            f"{left_out_reasons(left_out)}; more items, or a smaller --least, make a table"
        )
    size = write_background(Path(to), table)
    if json:
        print_json(
            {**background_figures(table), "left_out": dict(sorted(left_out.items())), "bytes": size}
        )
    elif not quiet:
        stderr_console().print(
            "\n".join([*background_lines(table, size=size), *usage_advice(to, left_out)])
        )


@background.command("show", epilog=SHOW_EXAMPLES)
def show(file: Shown = None, *, config: Config = None, json: Json = False) -> None:
    """Print what a table was counted from, its size and its most frequent lemmas."""
    table, origin, size = _table(file, load_configuration(config).settings)
    if json:
        print_json({"origin": origin, **background_figures(table), "bytes": size})
        return
    print(origin)
    print("\n".join(background_lines(table, size=size)))
    for lang, lemmas in most_frequent(table).items():
        print(f"{lang}: {', '.join(f'{lemma} {df:,}' for lemma, df in lemmas.items())}")


def _table(file: Path | None, settings: "Settings") -> tuple["Background", str, int]:
    """Return the table in a file, in use, or of the package, where it is, and its size."""
    from newsdedup.adapters.words.package_data import (
        pack_background,
        read_background,
        shipped_background,
    )

    if file is None and not settings.words.background:
        table = shipped_background()
        return table, "the table of the package", len(pack_background(table))
    path = file or Path(settings.words.background)
    table, size = read_background(path)
    return table, str(path), size
