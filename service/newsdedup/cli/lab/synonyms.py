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
    "newsdedup lab synonyms news.jsonl --out reports/",
    "newsdedup lab synonyms news.jsonl --synonyms th_ru_RU_v2.dat --out reports/",
    "newsdedup lab synonyms news.jsonl --pairs labelled.tsv --out reports/",
)

Dictionaries = Annotated[
    list[Path] | None,
    typer.Option(
        "--synonyms",
        metavar="FILE",
        help="A dictionary in the format of MyThes; may be repeated. Without one, two of the four "
        "variants are left out.",
        show_default=False,
    ),
]
Pairs = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        metavar="TSV",
        help="The truth is labelled pairs: columns id1, id2, dup (0 or 1).",
        show_default=False,
    ),
]
Most = Annotated[
    int,
    typer.Option(
        "--most", metavar="N", min=4, help="Documents compared each with each, chosen by a hash."
    ),
]
Lowest = Annotated[
    float, typer.Option("--lowest", min=0, help="Words of a lower ICF are stop words.")
]
Highest = Annotated[
    float, typer.Option("--highest", min=0, help="Words of a higher ICF are too rare to count.")
]


def synonyms(
    items: StudiedItems,
    *,
    out: Out,
    synonyms: Dictionaries = None,
    pairs: Pairs = None,
    truth: Planted = None,
    most: Most = 2_000,
    lowest: Lowest = 500.0,
    highest: Highest = 191_703.0,
    fresh: Fresh = False,
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
    from newsdedup.lab.extras import require_modules

    require_modules("numpy", "rapidfuzz")
    from newsdedup.lab.collections.truths import TruthChoice
    from newsdedup.lab.synonyms.all_words import Band
    from newsdedup.lab.synonyms.study import Choice, Study

    choice = Choice(TruthChoice(pairs, truth), tuple(synonyms or ()), Band(lowest, highest), most)
    options: list[object] = ["--out", out, "--pairs", pairs, "--truth", truth, "--config", config]
    options += ["--most", most, "--lowest", lowest, "--highest", highest]
    for file in synonyms or []:
        options += ["--synonyms", file]
    written(
        lambda corpus, stages: Study(corpus, stages, choice).report(),
        items,
        load_configuration(config).settings,
        out=out,
        called=command("synonyms", items, *options),
        fresh=fresh,
        json=json,
        quiet=quiet,
    )
