"""The command line: one module per command, registered here.

Modules of commands import nothing heavy at their top: `newsdedup --help` imports them all.
"""

from typing import Annotated

import typer

from newsdedup.cli.commands import (
    background,
    bench,
    config,
    dedup,
    demo,
    dlq,
    doctor,
    explain,
    produce,
    rebuild,
    run,
    schema,
    sources,
    stories,
    tail,
    topics,
    version,
    worker,
)
from newsdedup.cli.lab import (
    calibrate,
    cluster,
    compare,
    fit,
    generate,
    lab,
    quality,
    stats,
    synonyms,
)
from newsdedup.cli.registration import Commands, examples

EXAMPLES = examples(
    "newsdedup demo",
    "newsdedup run items.jsonl --to events.jsonl",
    "newsdedup doctor",
)
HELP_OPTIONS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

app = typer.Typer(
    name="newsdedup",
    cls=Commands,
    epilog=EXAMPLES,
    no_args_is_help=True,
    # Plain help: it starts twice as fast without rich, and can be searched and copied in pipes.
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        version.version()
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
]


@app.callback()
def newsdedup(*, _version: Version = False) -> None:
    """Find duplicate news in a stream: every item marked original or duplicate, with the reason."""


settings = typer.Typer(help="Show the settings.", no_args_is_help=True, rich_markup_mode=None)
settings.command("show", epilog=config.EXAMPLES)(config.show)

app.command("demo", epilog=demo.EXAMPLES)(demo.demo)
app.command("run", epilog=run.EXAMPLES)(run.run)
app.command("rebuild", epilog=rebuild.EXAMPLES)(rebuild.rebuild)
app.command("worker", epilog=worker.EXAMPLES)(worker.worker)
app.add_typer(topics.topics, name="topics", epilog=topics.EXAMPLES)
app.command("produce", epilog=produce.EXAMPLES)(produce.produce)
app.command("tail", epilog=tail.EXAMPLES)(tail.tail)
app.command("explain", epilog=explain.EXAMPLES)(explain.explain)
app.add_typer(stories.stories, name="stories", epilog=stories.EXAMPLES)
app.add_typer(sources.sources, name="sources", epilog=sources.EXAMPLES)
app.command("dedup", epilog=dedup.EXAMPLES)(dedup.dedup)
app.add_typer(dlq.dlq, name="dlq", epilog=dlq.EXAMPLES)
app.add_typer(background.background, name="background", epilog=background.EXAMPLES)
app.command("bench", epilog=bench.EXAMPLES)(bench.bench)
lab.lab.command("calibrate", epilog=calibrate.EXAMPLES)(calibrate.calibrate)
lab.lab.command("cluster", epilog=cluster.EXAMPLES)(cluster.cluster)
lab.lab.command("compare", epilog=compare.EXAMPLES)(compare.compare)
lab.lab.command("fit", epilog=fit.EXAMPLES)(fit.fit)
lab.lab.command("generate", epilog=generate.EXAMPLES)(generate.generate)
lab.lab.command("quality", epilog=quality.EXAMPLES)(quality.quality)
lab.lab.command("stats", epilog=stats.EXAMPLES)(stats.stats)
lab.lab.command("synonyms", epilog=synonyms.EXAMPLES)(synonyms.synonyms)
app.add_typer(lab.lab, name="lab", epilog=lab.EXAMPLES)
app.add_typer(settings, name="config", epilog=config.EXAMPLES)
app.command("schema", epilog=schema.EXAMPLES)(schema.schema)
app.command("doctor", epilog=doctor.EXAMPLES)(doctor.doctor)
app.command("version", epilog=version.EXAMPLES)(version.version)
