from typing import Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.lab.lab_options import Fresh, Out, StudiedItems, command, written
from newsdedup.cli.options import Config, Json, Quiet
from newsdedup.cli.registration import examples

EXAMPLES = examples("newsdedup lab calibrate news.jsonl --out reports/")

Most = Annotated[
    int,
    typer.Option(
        "--most",
        metavar="N",
        min=2,
        help="Documents to compare, at most; of more, so many are chosen by a hash of their names.",
    ),
]


def calibrate(
    items: StudiedItems,
    *,
    out: Out,
    most: Most = 30_000,
    fresh: Fresh = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find out how many shared terms make a duplicate in a collection.

    Asymmetry and transitivity against the number of shared terms, as figures 2 and 3 of Lande,
    Darmokhval and Morozov (2006), in both readings, and the number that they recommend.
    """
    from newsdedup.lab.calibrate.study import Study

    written(
        lambda corpus, stages: Study(corpus, stages, most=most).report(),
        items,
        load_configuration(config).settings,
        out=out,
        called=command("calibrate", items, "--out", out, "--most", most, "--config", config),
        fresh=fresh,
        json=json,
        quiet=quiet,
    )
