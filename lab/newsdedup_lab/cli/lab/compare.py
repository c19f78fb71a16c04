from functools import partial
from pathlib import Path
from time import process_time
from typing import Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.errors import require_libraries
from newsdedup.cli.options import Config, Json, Quiet, option
from newsdedup.cli.registry import command
from newsdedup_lab.cli.studies import FreshStages, ReportFolder, StudiedItems, write_study

_Methods = Annotated[
    str, typer.Option("--methods", metavar="NAMES", help="Names with commas between them, or all.")
]
_Without = Annotated[
    str,
    option(
        "--without", "NAMES", "Leave these out, such as decomposition_whole for a large collection."
    ),
]
_Pairs = Annotated[
    list[Path] | None,
    option(
        "--pairs",
        "TSV",
        "Score against labelled pairs, too: columns id1, id2, dup (0 or 1). May be repeated.",
    ),
]
_Planted = Annotated[
    Path | None,
    option(
        "--truth", "TSV", "Score against the truth that `lab generate` wrote with its items, too."
    ),
]
_Sample = Annotated[
    int,
    typer.Option(
        "--sample",
        metavar="N",
        min=1,
        help="Found pairs whose texts are compared, at most; of more, so many drawn by hash.",
    ),
]
_Trials = Annotated[
    int,
    typer.Option(
        "--trials", metavar="N", min=2, help="Edited texts for each point of the predicted curves."
    ),
]
_Summary = Annotated[
    Path | None,
    option(
        "--summary", "FILE", "Write costs and scores alone, without the name of any item, as JSON."
    ),
]


@command(
    "newsdedup lab compare news.jsonl --out reports/",
    "newsdedup lab compare news.jsonl --methods terms12,long_sent,minhash --out reports/",
    "newsdedup lab compare news.jsonl --pairs labelled.tsv --out reports/",
    "newsdedup lab compare made.jsonl --truth made.jsonl.truth.tsv --out reports/",
)
def compare_methods(
    context: typer.Context,
    items: StudiedItems,
    *,
    out: ReportFolder,
    methods: _Methods = "all",
    without: _Without = "",
    pairs: _Pairs = None,
    truth: _Planted = None,
    sample: _Sample = 2_000_000,
    trials: _Trials = 1_000,
    summary: _Summary = None,
    fresh: FreshStages = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the methods of the papers: quality, cost, and who finds what.

    Precision, recall and F of every method (tables 2 and 7 of Zelenkov and Segalovich, 2007),
    pairs found and their Dice correlations (tables 3 and 4), alongside the printed numbers, and the
    curves that their formulas foretell. True are the found pairs whose texts are the same by 80 %
    and more.
    """
    require_libraries("numpy", "rapidfuzz")
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.adapters.files.outputs import check_writable
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.bootstrap.rules import load_background
    from newsdedup_lab.compare.comparison_study import CompareOptions, CompareStudy, choose_methods

    if summary is not None:
        labels = [*(pairs or []), *([truth] if truth else [])]
        refuse_clashes([("--summary", summary)], [*expand_inputs(items), *labels])
        check_writable(summary, replaced=True)
    choice = CompareOptions(
        choose_methods(methods, without), tuple(pairs or ()), truth, sample, trials
    )
    settings = load_settings(config)
    # A table without pivots is no reason to refuse: then A9 signs nothing, and the page says so.
    pivots = load_background(settings).pivots
    study = partial(CompareStudy, choice=choice, clock=process_time, pivots=pivots)
    write_study(study, items, settings, context, out=out, fresh=fresh, json=json, quiet=quiet)
    if summary is not None:
        from newsdedup_lab.compare.comparison_study import write_summary

        write_summary(out / "compare.json", summary)
