from contextlib import closing
from time import monotonic
from typing import Annotated

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import argument, option, parse_input_path, parse_output_target
from newsdedup.cli.output import counted, print_result, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown import results
from newsdedup.cli.shown.progress import show_count

_NONE = "none"
_CENTURY = "36500d"

_Dataset = Annotated[
    list[str],
    argument(
        "DATASET...",
        "Files (.jsonl, .csv, .tsv, also .gz and .zst; .parquet), folders of them, or - for "
        "JSON lines on standard input.",
        parser=parse_input_path,
    ),
]
_To = Annotated[
    str,
    option(
        "--to",
        "TARGET",
        "A folder for the tables; or a file for the items, with the other tables next to it; or - "
        "for the items on standard output.",
        parser=parse_output_target,
    ),
]
_Formed = Annotated[
    results.TableForm | None,
    typer.Option(
        "--format",
        help="Of the tables. [default: by the name of the file, else jsonl]",
        show_default=False,
    ),
]
_WindowOrNone = Annotated[
    str | None,
    option(
        "--window",
        "DURATION",
        "How far apart in time two items of one story may be; none compares any two. "
        "[default: 72h]",
    ),
]


@command(
    "newsdedup dedup news.csv --to result/",
    "newsdedup dedup news.parquet --to result.parquet --window none",
    "newsdedup dedup archive/ --to result/ --format csv --map title=kicker,text=story_html",
    "newsdedup dedup news.jsonl --to - | jq 'select(.verdict == \"duplicate\")'",
)
def deduplicate_dataset(
    dataset: _Dataset,
    *,
    to: _To,
    form: _Formed = None,
    window: _WindowOrNone = None,
    mapped: options.Mapped = None,
    rule: options.RuleOption = None,
    helpers: options.Helpers = None,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the duplicates of a finished collection: the final result, not events.

    Writes four tables: items (each row with its verdict), pairs (each duplicate with its original),
    stories, and rejected (rows that cannot be items, with the reason). Row numbers begin at 0, as
    in data frames.
    """
    from newsdedup.adapters.tables.columns import parse_column_map
    from newsdedup.adapters.tables.input_records import dataset_files, read_datasets
    from newsdedup.adapters.tables.rows import decode_row
    from newsdedup.bootstrap.rules import batch_analysis, item_analyzer, make_rule, stream_recorder
    from newsdedup.bootstrap.runs import record_limits
    from newsdedup.ports.errors import NothingToRead
    from newsdedup.runners.files.finished import judge_collection

    began = monotonic()
    span = _CENTURY if window == _NONE else window
    flags = {"rule.window": span, "rule.name": rule, "run.helpers": helpers}
    settings = load_settings(config, flags)
    limits, judging = record_limits(settings), make_rule(settings)
    files = dataset_files(dataset)
    paths = results.result_paths(to, form, inputs=files)
    rows = read_datasets(files, parse_column_map(mapped or ()), limits=limits)
    with closing(batch_analysis(settings, item_analyzer(settings))) as analysis:
        result = judge_collection(
            show_count(rows, stderr_console(), of="rows", quiet=quiet),
            read=lambda row: decode_row(row, limits=limits),
            analysis=analysis,
            rule=judging,
            recorder=stream_recorder(judging, keeps=False),
        )
    if not result.items and not result.rejected:
        raise NothingToRead("there are no rows")
    if not result.items:
        bad = result.rejected[0]
        raise NothingToRead(
            f"none of {counted(len(result.rejected), 'row')} can be an item; "
            f"the first, row {bad.row} of {bad.input}: {bad.reason} ({bad.code})"
        )
    results.write_result(result, paths)
    seconds = monotonic() - began
    stats = results.result_stats(result, paths.files, seconds=seconds)
    lines = results.result_lines(stats, paths.files)
    times = [row.at for row in result.items if row.at is not None]
    if window is None and times and max(times) - min(times) > settings.rule.window:
        hours = f"{settings.rule.window.total_seconds() / 3600:g} h"
        lines.insert(1, f"Not compared: rows more than {hours} apart (--window none compares all)")
    words = "\n".join(lines)
    print_result(stats, words, json=json and bool(paths.files), quiet=quiet)
