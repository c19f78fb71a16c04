"""Compare the clusterings of similar pairs over thresholds and similarities."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.errors import require_libraries
from newsdedup.cli.options import Config, Json, Quiet, option
from newsdedup.cli.registry import command
from newsdedup_lab.cli.studies import (
    FreshStages,
    ReportFolder,
    StudiedItems,
    TruthFile,
    refuse_two_truths,
    write_study,
)


class Similarity(StrEnum):
    """The similarities of paper 002."""

    JACCARD = "jaccard"
    COSINE = "cosine"
    EDIT = "edit"


_Pairs = Annotated[
    Path | None,
    option(
        "--pairs",
        "TSV",
        "The truth is the closure of labelled pairs: columns id1, id2, dup (0 or 1).",
    ),
]
_Thresholds = Annotated[
    list[float] | None,
    option(
        "--threshold",
        "NUMBER",
        "May be repeated. [default: 0.2 to 0.8 by tenths]",
        min=0.05,
        max=1.0,
    ),
]
_Similarities = Annotated[
    list[Similarity] | None,
    typer.Option("--similarity", help="May be repeated. [default: all]", show_default=False),
]


@command(
    "newsdedup lab cluster news.jsonl --out reports/",
    "newsdedup lab cluster news.jsonl --pairs labelled.tsv --similarity cosine --out reports/",
    "newsdedup lab cluster made.jsonl --truth made.jsonl.truth.tsv --out reports/",
)
def compare_clusterings(
    context: typer.Context,
    items: StudiedItems,
    *,
    out: ReportFolder,
    pairs: _Pairs = None,
    truth: TruthFile = None,
    threshold: _Thresholds = None,
    similarity: _Similarities = None,
    fresh: FreshStages = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the clusterings of similar pairs over thresholds and similarities.

    Pr, Re, F1 and CPr of center, merge-center, star, ricochet, articulation points and of the
    service's own rule, alongside B-cubed and pairwise scores. Without --pairs and --truth, texts
    that are the same by 80 % and more are the truth.
    """
    refuse_two_truths(pairs, truth)
    require_libraries("numpy", "rapidfuzz")
    from newsdedup_lab.cluster.clustering_study import (
        ClusterOptions,
        ClusterStudy,
        choose_thresholds,
    )
    from newsdedup_lab.cluster.measures import MEASURES
    from newsdedup_lab.collections.truths import TruthChoice

    similarities = tuple(dict.fromkeys(map(str, similarity or MEASURES)))
    choice = ClusterOptions(similarities, choose_thresholds(threshold), TruthChoice(pairs, truth))
    study = partial(ClusterStudy, choice=choice)
    settings = load_settings(config)
    write_study(study, items, settings, context, out=out, fresh=fresh, json=json, quiet=quiet)
