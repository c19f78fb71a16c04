from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.configured import configured
from newsdedup.cli.options import Config, Json, Quiet, Rule
from newsdedup.cli.places import input_place, output_place
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stderr_console
from newsdedup.cli.shown.result_places import Form, result_places, write_result
from newsdedup.cli.shown.result_summary import in_words, summary
from newsdedup.cli.shown.tally import tallied

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
        parser=input_place,
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
        parser=output_place,
        help="A folder for the tables; or a file for the items, the other tables beside it; or - "
        "for the items on standard output.",
        show_default=False,
    ),
]
Formed = Annotated[
    Form | None,
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
    from newsdedup import bootstrap  # noqa: PLC0415 - help must not wait for the engine
    from newsdedup.adapters.tables.columns import parse_column_map  # noqa: PLC0415
    from newsdedup.adapters.tables.datasets import dataset_files, read_datasets  # noqa: PLC0415
    from newsdedup.adapters.tables.rows import decode_row  # noqa: PLC0415
    from newsdedup.ports.errors import NothingToRead  # noqa: PLC0415
    from newsdedup.runners.files.finished import finished  # noqa: PLC0415

    began = monotonic()
    settings = configured(config, window=CENTURY if window == NONE else window, rule=rule).settings
    limits, judging = bootstrap.limits(settings), bootstrap.rule(settings)
    files = dataset_files(dataset)
    places = result_places(to, form, inputs=files)
    rows = read_datasets(files, parse_column_map(mapped or ()), limits=limits)
    result = finished(
        tallied(rows, stderr_console(), of="rows", quiet=quiet),
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
        print_json(summary(result, places.files, seconds=seconds))
    elif not quiet:
        stderr_console().print("\n".join(in_words(result, places.files, seconds=seconds)))


def _nothing(result: "Result") -> str:
    if not result.rejected:
        return "there are no rows"
    bad = result.rejected[0]
    return (
        f"none of {len(result.rejected):,} rows can be an item; "
        f"the first, row {bad.row} of {bad.input}: {bad.reason} ({bad.code})"
    )
