from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.lab.lab_options import Fresh, Out, StudiedItems, command, written
from newsdedup.cli.options import Config, Json, Quiet, Rule, Window
from newsdedup.cli.registration import examples

if TYPE_CHECKING:
    from newsdedup.lab.stats.report import Period

EXAMPLES = examples(
    "newsdedup lab stats news.jsonl --out reports/",
    "newsdedup lab stats news.jsonl --query 'выборы президента' --period day --out reports/",
)


class PeriodName(StrEnum):
    """How the time of a stream is divided."""

    WEEK = "week"
    DAY = "day"
    HOUR = "hour"


PERIODS: "dict[PeriodName, Period]" = {
    PeriodName.WEEK: "week",
    PeriodName.DAY: "day",
    PeriodName.HOUR: "hour",
}

Query = Annotated[
    str | None,
    typer.Option(
        "--query",
        metavar="WORDS",
        help="Show apart the items that hold all of these words, in whatever form.",
        show_default=False,
    ),
]
Periods = Annotated[PeriodName, typer.Option("--period", help="What is counted together.")]


def stats(
    items: StudiedItems,
    *,
    out: Out,
    query: Query = None,
    period: Periods = PeriodName.WEEK,
    rule: Rule = None,
    window: Window = None,
    fresh: Fresh = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count originals and duplicates by time and by source.

    Figures 4 to 6 of Lande, Darmokhval and Morozov (2006): volumes by period, those of a query,
    duplication against references to other sites with the zone of mass plagiarism, and the most
    original sources.
    """
    from newsdedup.lab.stats.study import Study

    options = ("--out", out, "--query", query, "--period", period.value)
    settings = ("--rule", rule, "--window", window, "--config", config)
    written(
        lambda corpus, stages: Study(
            corpus, stages, query=query or "", period=PERIODS[period]
        ).report(),
        items,
        load_configuration(config, window=window, rule=rule).settings,
        out=out,
        called=command("stats", items, *options, *settings),
        fresh=fresh,
        json=json,
        quiet=quiet,
    )
