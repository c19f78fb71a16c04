"""Count originals and duplicates by time and by source."""

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Json, Quiet, RuleOption, Window, option
from newsdedup.cli.registry import command
from newsdedup_lab.cli.studies import FreshStages, ReportFolder, StudiedItems, write_study

if TYPE_CHECKING:
    from newsdedup_lab.stats.stats_report import Period


class PeriodName(StrEnum):
    """How the time of a stream is divided."""

    WEEK = "week"
    DAY = "day"
    HOUR = "hour"


_PERIODS: "dict[PeriodName, Period]" = {
    PeriodName.WEEK: "week",
    PeriodName.DAY: "day",
    PeriodName.HOUR: "hour",
}

_Query = Annotated[
    str | None,
    option(
        "--query", "WORDS", "Show apart the items that hold all of these words, in whatever form."
    ),
]
_Periods = Annotated[PeriodName, typer.Option("--period", help="What is counted together.")]


@command(
    "newsdedup lab stats news.jsonl --out reports/",
    "newsdedup lab stats news.jsonl --query 'выборы президента' --period day --out reports/",
)
def study_stream(
    context: typer.Context,
    items: StudiedItems,
    *,
    out: ReportFolder,
    query: _Query = None,
    period: _Periods = PeriodName.WEEK,
    rule: RuleOption = None,
    window: Window = None,
    fresh: FreshStages = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count originals and duplicates by time and by source.

    Figures 4 to 6 of Lande, Darmokhval and Morozov (2006): volumes by period, those of a query,
    duplication against references to other sites with the zone of mass plagiarism, and the most
    original sources.
    """
    from newsdedup_lab.stats.stats_study import StatsStudy

    study = partial(StatsStudy, query=query or "", period=_PERIODS[period])
    settings = load_settings(config, {"rule.window": window, "rule.name": rule})
    write_study(study, items, settings, context, out=out, fresh=fresh, json=json, quiet=quiet)
