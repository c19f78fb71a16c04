from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.lab.lab_options import Fresh, Out, StudiedItems, command, written
from newsdedup.cli.options import Config, Json, Quiet
from newsdedup.cli.registration import examples

if TYPE_CHECKING:
    from newsdedup.lab.collections.corpora import Corpus
    from newsdedup.lab.report.report import StudyReport
    from newsdedup.lab.report.stages import Stages

EXAMPLES = examples(
    "newsdedup lab compare news.jsonl --out reports/",
    "newsdedup lab compare news.jsonl --methods terms12,long_sent,minhash --out reports/",
    "newsdedup lab compare news.jsonl --pairs labelled.tsv --out reports/",
    "newsdedup lab compare made.jsonl --truth made.jsonl.truth.tsv --out reports/",
)

Methods = Annotated[
    str,
    typer.Option("--methods", metavar="NAMES", help="Names with commas between them, or all."),
]
Without = Annotated[
    str,
    typer.Option(
        "--without",
        metavar="NAMES",
        help="Leave these out, such as decomposition_whole for a large collection.",
        show_default=False,
    ),
]
Pairs = Annotated[
    list[Path] | None,
    typer.Option(
        "--pairs",
        metavar="TSV",
        help="Score against labelled pairs, too: columns id1, id2, dup (0 or 1). May be repeated.",
        show_default=False,
    ),
]
Planted = Annotated[
    Path | None,
    typer.Option(
        "--truth",
        metavar="TSV",
        help="Score against the truth that `lab generate` wrote beside its items, too.",
        show_default=False,
    ),
]
Sample = Annotated[
    int,
    typer.Option(
        "--sample",
        metavar="N",
        min=1,
        help="Found pairs whose texts are compared, at most; of more, so many drawn by hash.",
    ),
]
Trials = Annotated[
    int,
    typer.Option(
        "--trials", metavar="N", min=2, help="Edited texts for each point of the predicted curves."
    ),
]
Summary = Annotated[
    Path | None,
    typer.Option(
        "--summary",
        metavar="FILE",
        help="Write costs and scores alone, without the name of any item, as JSON.",
        show_default=False,
    ),
]


def compare(
    items: StudiedItems,
    *,
    out: Out,
    methods: Methods = "all",
    without: Without = "",
    pairs: Pairs = None,
    truth: Planted = None,
    sample: Sample = 2_000_000,
    trials: Trials = 1_000,
    summary: Summary = None,
    fresh: Fresh = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the methods of the seeds: quality, cost, and who finds what.

    Precision, recall and F of every method (tables 2 and 7 of Zelenkov and Segalovich, 2007),
    pairs found and their Dice correlations (tables 3 and 4), beside the printed figures, and the
    curves that their formulas foretell. True are the found pairs whose texts are the same by 80 %
    and more.
    """
    from newsdedup.lab.extras import require_modules

    require_modules("numpy", "rapidfuzz")
    from newsdedup import bootstrap
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.adapters.files.outputs import check_writable
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.lab.compare.study import CompareOptions, CompareStudy, choose_methods

    if summary is not None:
        labels = [*(pairs or []), *([truth] if truth else [])]
        refuse_clashes([("--summary", summary)], [*expand_inputs(items), *labels])
        check_writable(summary, replaced=True)
    choice = CompareOptions(
        choose_methods(methods, without), tuple(pairs or ()), truth, sample, trials
    )
    options: list[object] = ["--methods", methods, "--without", without or None]
    for path in pairs or []:
        options += ["--pairs", path]
    options += ["--truth", truth, "--sample", sample, "--trials", trials]
    options += ["--out", out, "--summary", summary, "--config", config]
    settings = load_configuration(config).settings
    # A table without pivots is no reason to refuse: then A9 signs nothing, and the page says so.
    pivots = bootstrap.background(settings).pivots

    def study(corpus: "Corpus", stages: "Stages") -> "StudyReport":
        return CompareStudy(corpus, stages, choice, clock=process_time, pivots=pivots).report()

    written(
        study,
        items,
        settings,
        out=out,
        called=command("compare", items, *options),
        fresh=fresh,
        json=json,
        quiet=quiet,
    )
    if summary is not None:
        from newsdedup.lab.compare.study import write_summary

        write_summary(out / "compare.json", summary)
