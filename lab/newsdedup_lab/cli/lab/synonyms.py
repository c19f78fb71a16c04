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

_Dictionaries = Annotated[
    list[Path] | None,
    option(
        "--synonyms",
        "FILE",
        "A dictionary in the format of MyThes; may be repeated. Without one, two of the four "
        "variants are left out.",
    ),
]
_Pairs = Annotated[
    Path | None,
    option("--pairs", "TSV", "The truth is labelled pairs: columns id1, id2, dup (0 or 1)."),
]
_Most = Annotated[
    int,
    typer.Option(
        "--most", metavar="N", min=4, help="Documents compared each with each, chosen by a hash."
    ),
]
_Lowest = Annotated[
    float, typer.Option("--lowest", min=0, help="Words of a lower ICF are stop words.")
]
_Highest = Annotated[
    float, typer.Option("--highest", min=0, help="Words of a higher ICF are too rare to count.")
]


@command(
    "newsdedup lab synonyms news.jsonl --out reports/",
    "newsdedup lab synonyms news.jsonl --synonyms th_ru_RU_v2.dat --out reports/",
    "newsdedup lab synonyms news.jsonl --pairs labelled.tsv --out reports/",
)
def study_synonyms(
    context: typer.Context,
    items: StudiedItems,
    *,
    out: ReportFolder,
    synonyms: _Dictionaries = None,
    pairs: _Pairs = None,
    truth: TruthFile = None,
    most: _Most = 2_000,
    lowest: _Lowest = 500.0,
    highest: _Highest = 191_703.0,
    fresh: FreshStages = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find out what removing stop words and counting synonyms does to Jaccard's coefficient.

    Coefficient and noise, precision and recall against the threshold, and times, for all words
    and for those of a band of frequency, without and with synonyms: the study of Neelova and
    Sychugov (2009). Without --pairs and --truth, texts that are the same by 80 % and more are the
    truth.
    """
    refuse_two_truths(pairs, truth)
    if lowest > highest:
        raise typer.BadParameter("--lowest is above --highest: no word is left")
    require_libraries("numpy", "rapidfuzz")
    from newsdedup_lab.collections.truths import TruthChoice
    from newsdedup_lab.synonyms.all_words import Band
    from newsdedup_lab.synonyms.synonym_study import SynonymsOptions, SynonymsStudy

    choice = SynonymsOptions(
        TruthChoice(pairs, truth), tuple(synonyms or ()), Band(lowest, highest), most
    )
    study = partial(SynonymsStudy, choice=choice)
    settings = load_settings(config)
    write_study(study, items, settings, context, out=out, fresh=fresh, json=json, quiet=quiet)
