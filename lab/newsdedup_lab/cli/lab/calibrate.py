from functools import partial
from typing import Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Json, Quiet
from newsdedup.cli.registry import command
from newsdedup_lab.cli.studies import FreshStages, ReportFolder, StudiedItems, write_study

_Most = Annotated[
    int,
    typer.Option(
        "--most",
        metavar="N",
        min=2,
        help="Documents to compare, at most; of more, so many are chosen by a hash of their names.",
    ),
]


@command("newsdedup lab calibrate news.jsonl --out reports/")
def calibrate_terms(
    context: typer.Context,
    items: StudiedItems,
    *,
    out: ReportFolder,
    most: _Most = 30_000,
    fresh: FreshStages = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find out how many shared terms make a duplicate in a collection.

    Asymmetry and transitivity against the number of shared terms, as figures 2 and 3 of Lande,
    Darmokhval and Morozov (2006), in both readings, and the number that they recommend.
    """
    from newsdedup_lab.calibrate.calibration_study import CalibrationStudy

    study = partial(CalibrationStudy, most=most)
    settings = load_settings(config)
    write_study(study, items, settings, context, out=out, fresh=fresh, json=json, quiet=quiet)
