from pathlib import Path
from typing import Annotated

from newsdedup.cli.errors import require_libraries
from newsdedup.cli.options import Json, argument, option
from newsdedup.cli.output import print_json
from newsdedup.cli.registry import command

_Measured = Annotated[
    Path,
    argument(
        "MEASUREMENTS",
        "What `newsdedup bench --suite --json` printed, or some of its parts, or `bench --pairs "
        "--json`; scripts/benchmark makes it.",
    ),
]
_Docs = Annotated[
    Path,
    option(
        "--docs",
        "DIR",
        "The folder of performance.md; its performance/ and frontier/ get the plots, its results/ "
        "the results.",
    ),
]


@command("newsdedup lab performance suite.json --docs docs/")
def write_performance_page(measured: _Measured, *, docs: _Docs, json: Json = False) -> None:
    """Write docs/performance.md anew from measurements of the suite: its tables and its plots.

    Parts that were not measured again stay as docs/results/performance.json has them; the output of
    `bench --pairs --json` renews only what is about speed and quality. Only what is between the
    comments `<!-- lab performance: NAME -->` and `<!-- end of NAME -->` is replaced; what people
    wrote around it stays, and must be read again.
    """
    require_libraries("matplotlib")
    from newsdedup_lab.performance.performance_page import write_performance

    written = write_performance(measured, docs)
    if json:
        print_json({"written": [str(path) for path in written]})
    else:
        for path in written:
            print(path)
