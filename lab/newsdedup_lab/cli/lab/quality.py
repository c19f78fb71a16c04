from pathlib import Path
from typing import Annotated

from newsdedup.cli.errors import require_libraries
from newsdedup.cli.options import Json, argument, option
from newsdedup.cli.output import print_json
from newsdedup.cli.registry import command

_Reports = Annotated[
    Path,
    argument(
        "REPORTS",
        "A folder with the reports dev, terms, own and hard of `lab score --out` and fit of "
        "`lab fit --report`, each in a folder of its own; scripts/quality makes them.",
    ),
]
_Docs = Annotated[
    Path,
    option(
        "--docs",
        "DIR",
        "The folder of quality.md; its quality/ gets the plots, its results/ the measurements.",
    ),
]


@command("newsdedup lab quality reports/ --docs docs/")
def write_quality_page(reports: _Reports, *, docs: _Docs, json: Json = False) -> None:
    """Write docs/quality.md anew from reports: its tables, its plots and the results behind them.

    Only what is between the comments `<!-- lab quality: NAME -->` and `<!-- end of NAME -->` is
    replaced; what people wrote around it stays, and must be read again.
    """
    require_libraries("matplotlib")
    from newsdedup_lab.quality.quality_page import write_quality
    from newsdedup_lab.quality.results import load_results

    written = write_quality(load_results(reports), docs)
    if json:
        print_json({"written": [str(path) for path in written]})
    else:
        for path in written:
            print(path)
