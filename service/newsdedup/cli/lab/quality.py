from pathlib import Path
from typing import Annotated

import typer

from newsdedup.cli.options import Json
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json

EXAMPLES = examples("newsdedup lab quality reports/ --docs docs/")
Reports = Annotated[
    Path,
    typer.Argument(
        metavar="REPORTS",
        help="A folder with the reports dev, terms, own and hard of `lab score --out` and fit of "
        "`lab fit --report`, each in a folder of its own; scripts/quality makes them.",
        show_default=False,
    ),
]
Docs = Annotated[
    Path,
    typer.Option(
        "--docs",
        metavar="DIR",
        help="The folder of quality.md; its quality/ gets the plots, its results/ the figures.",
        show_default=False,
    ),
]


def quality(reports: Reports, *, docs: Docs, json: Json = False) -> None:
    """Write docs/quality.md anew from reports: its tables, its plots and the figures behind them.

    Only what stands between the marks `<!-- lab quality: NAME -->` and `<!-- end of NAME -->` is
    replaced; what people wrote around it stays, and must be read again.
    """
    from newsdedup.lab.extras import require_modules

    require_modules("matplotlib")
    from newsdedup.lab.quality.page import write_quality
    from newsdedup.lab.quality.results import load_results

    written = write_quality(load_results(reports), docs)
    if json:
        print_json({"written": [str(path) for path in written]})
    else:
        for path in written:
            print(path)
