from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.lab.lab_options import (
    Fresh,
    Out,
    Planted,
    StudiedItems,
    command,
    refuse_two_truths,
    written,
)
from newsdedup.cli.options import Config, Json, Quiet
from newsdedup.cli.registration import examples

EXAMPLES = examples(
    "newsdedup lab cluster news.jsonl --out reports/",
    "newsdedup lab cluster news.jsonl --pairs labelled.tsv --similarity cosine --out reports/",
    "newsdedup lab cluster made.jsonl --truth made.jsonl.truth.tsv --out reports/",
)


class Similarity(StrEnum):
    """The similarities of the seed."""

    JACCARD = "jaccard"
    COSINE = "cosine"
    EDIT = "edit"


Pairs = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        metavar="TSV",
        help="The truth is the closure of labelled pairs: columns id1, id2, dup (0 or 1).",
        show_default=False,
    ),
]
Thresholds = Annotated[
    list[float] | None,
    typer.Option(
        "--threshold",
        metavar="NUMBER",
        min=0.05,
        max=1.0,
        help="May be repeated. [default: 0.2 to 0.8 by tenths]",
        show_default=False,
    ),
]
Similarities = Annotated[
    list[Similarity] | None,
    typer.Option("--similarity", help="May be repeated. [default: all]", show_default=False),
]


def cluster(
    items: StudiedItems,
    *,
    out: Out,
    pairs: Pairs = None,
    truth: Planted = None,
    threshold: Thresholds = None,
    similarity: Similarities = None,
    fresh: Fresh = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare the clusterings of similar pairs over thresholds and similarities.

    Pr, Re, F1 and CPr of center, merge-center, star, ricochet, articulation points and of the
    service's own rule, beside B-cubed and pairwise scores. Without --pairs and --truth, texts
    that are the same by 80 % and more are the truth.
    """
    refuse_two_truths(pairs, truth)
    from newsdedup.lab.extras import require_modules

    require_modules("numpy", "rapidfuzz")
    from newsdedup.lab.cluster.measures import MEASURES
    from newsdedup.lab.cluster.study import Choice, Study, thresholds_of
    from newsdedup.lab.collections.truths import TruthChoice

    similarities = tuple(dict.fromkeys(map(str, similarity or MEASURES)))
    choice = Choice(similarities, thresholds_of(threshold), TruthChoice(pairs, truth))
    options: list[object] = ["--out", out, "--pairs", pairs, "--truth", truth, "--config", config]
    for each in threshold or []:
        options += ["--threshold", each]
    for name in similarity or []:
        options += ["--similarity", name]
    written(
        lambda corpus, stages: Study(corpus, stages, choice).report(),
        items,
        load_configuration(config).settings,
        out=out,
        called=command("cluster", items, *options),
        fresh=fresh,
        json=json,
        quiet=quiet,
    )
