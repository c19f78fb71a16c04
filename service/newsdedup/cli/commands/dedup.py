from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Json, Quiet, Rule, parse_input_place, parse_output_place
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stderr_console
from newsdedup.cli.shown.result_places import (
    TableForm,
    result_figures,
    result_lines,
    result_places,
    write_result,
)
from newsdedup.cli.shown.tally import show_count

if TYPE_CHECKING:
    from newsdedup.runners.files.result import Result

EXAMPLES = examples(
    "newsdedup dedup news.csv --to result/",
    "newsdedup dedup news.parquet --to result.parquet --window none",
    "newsdedup dedup archive/ --to result/ --format csv --map title=kicker,text=story_html",
    "newsdedup dedup news.jsonl --to - | jq 'select(.verdict == \"duplicate\")'",
)
NONE = "none"
CENTURY = "36500d"

Dataset = Annotated[
    list[str],
    typer.Argument(
        metavar="DATASET...",
        parser=parse_input_place,
        help="Files (.jsonl, .csv, .tsv, also .gz and .zst; .parquet), folders of them, or - for "
        "lines of JSON on standard input.",
        show_default=False,
    ),
]
To = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="PLACE",
        parser=parse_output_place,
        help="A folder for the tables; or a file for the items, the other tables beside it; or - "
        "for the items on standard output.",
        show_default=False,
    ),
]
Formed = Annotated[
    TableForm | None,
    typer.Option(
        "--format",
        help="Of the tables. [default: by the name of the file, else jsonl]",
        show_default=False,
    ),
]
WindowOrNone = Annotated[
    str | None,
    typer.Option(
        "--window",
        metavar="DURATION",
        help="How far apart in time two items of one story may be, or none: any two are compared. "
        "[default: 72h]",
        show_default=False,
    ),
]
Mapped = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="FIELD=COLUMN,...",
        help="Which columns hold id, source, url, title, text, published_at, seen_at, updated_at "
        "and lang, where their names do not tell; may be repeated.",
        show_default=False,
    ),
]


def dedup(
    dataset: Dataset,
    *,
    to: To,
    form: Formed = None,
    window: WindowOrNone = None,
    mapped: Mapped = None,
    rule: Rule = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the duplicates of a finished collection: the final result, not events.

    Writes four tables: items (each row with its verdict), pairs (each duplicate with its
    original), stories, and rejected (rows that cannot be items, with the reason). Rows are
    numbered from 0, as data frames count them.
    """
    from newsdedup import bootstrap
    from newsdedup.adapters.tables.columns import parse_column_map
    from newsdedup.adapters.tables.datasets import dataset_files, read_datasets
    from newsdedup.adapters.tables.rows import decode_row
    from newsdedup.ports.errors import NothingToRead
    from newsdedup.runners.files.finished import finished

    began = monotonic()
    settings = load_configuration(
        config, window=CENTURY if window == NONE else window, rule=rule
    ).settings
    limits, judging = bootstrap.limits(settings), bootstrap.rule(settings)
    files = dataset_files(dataset)
    places = result_places(to, form, inputs=files)
    rows = read_datasets(files, parse_column_map(mapped or ()), limits=limits)
    result = finished(
        show_count(rows, stderr_console(), of="rows", quiet=quiet),
        read=lambda row: decode_row(row, limits=limits),
        analyze=bootstrap.analyze(settings, bootstrap.background(settings)),
        rule=judging,
        school=bootstrap.school(judging),
    )
    if not result.items:
        raise NothingToRead(_nothing(result))
    write_result(result, places)
    seconds = monotonic() - began
    if json and places.files:
        print_json(result_figures(result, places.files, seconds=seconds))
    elif not quiet:
        stderr_console().print("\n".join(result_lines(result, places.files, seconds=seconds)))


def _nothing(result: "Result") -> str:
    if not result.rejected:
        return "there are no rows"
    bad = result.rejected[0]
    return (
        f"none of {len(result.rejected):,} rows can be an item; "
        f"the first, row {bad.row} of {bad.input}: {bad.reason} ({bad.code})"
    )
