import asyncio
import os
import signal
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.commands.letters import LetterPlace
from newsdedup.cli.commands.run import places
from newsdedup.cli.environment import failpoint, load_configuration
from newsdedup.cli.options import (
    STANDARD_STREAM,
    Config,
    Json,
    Kafka,
    Quiet,
    Rule,
    State,
    Window,
    parse_output_place,
    parse_topic,
)
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stderr_console
from newsdedup.cli.shown.progress import RunProgress
from newsdedup.cli.shown.run_summary import run_figures

if TYPE_CHECKING:
    from newsdedup.config import Settings
    from newsdedup.runners.files.embedded import EmbeddedRun

EXAMPLES = examples(
    "newsdedup dlq replay events.jsonl.dlq --to events.jsonl",
    "newsdedup dlq replay bad.jsonl --to events.jsonl --state news.state",
    "newsdedup dlq replay topic:news.dlq",
)
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="PLACE",
        parser=parse_output_place,
        help="Of a file: the output of the run that the letters come from, or - for standard "
        "output. Of a topic: topic:NAME to write to. [default: the topic of the input]",
        show_default=False,
    ),
]


def replay(
    place: LetterPlace,
    *,
    to: To = None,
    state: State = None,
    window: Window = None,
    rule: Rule = None,
    kafka: Kafka = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Feed dead letters again, after they were mended or settings were changed.

    With the output and the state of the run they come from, verdicts land where the others are.
    What fails again stays in FILE, at its own place in its own input. Killed at any time and
    started again, it goes on where it was: meanwhile the letters are in FILE.replaying.

    Letters of a topic go to the topic of the input, as they were received, each once: how far they
    were fed again is kept in the consumer group kafka.group with -replay at its end.
    """
    flags = {"kafka.servers": kafka}
    settings = load_configuration(
        config, state=state, window=window, rule=rule, flags=flags
    ).settings
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if (name := parse_topic(place)) is not None:
        from newsdedup.cli.commands import topic_replay

        target = settings.kafka.input if to is None else parse_topic(to)
        if target is None:
            raise typer.BadParameter(f"--to {to}: letters of a topic go to a topic, as topic:NAME")
        asyncio.run(topic_replay.replay(settings, name, to=target, json=json, quiet=quiet))
    elif to is None:
        raise typer.BadParameter("--to: name the output of the run that the letters come from")
    else:
        _replay(Path(place), settings, to=to, json=json, quiet=quiet)


def _replay(file: Path, settings: "Settings", *, to: str, json: bool, quiet: bool) -> None:
    from newsdedup import bootstrap
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.runners.files.replay import replays

    where = places(settings, to=to, dlq=str(file), fresh=False)
    refuse_clashes((("--to", where.to), ("--state", where.state)), [file])
    fail = failpoint(os.environ)

    def opened() -> "EmbeddedRun":
        return bootstrap.embedded(settings, where, fail=fail)

    told: list[dict[str, object]] = []
    with RunProgress(stderr_console(), quiet=quiet) as progress:
        for batches in replays(file, opened):
            began = monotonic()
            counts: Counter[str] = Counter()
            for batch in batches:
                counts.update(batch)
                progress.advance(items=batch["lines"], duplicates=batch["duplicate"])
            seconds = monotonic() - began
            told.append(run_figures(counts, to=where.to, dead=str(file), seconds=seconds))
            if not json or to == STANDARD_STREAM:
                progress.note(_in_words(told[-1]))
    if json and to != STANDARD_STREAM:
        print_json({"replays": told})


def _in_words(told: Mapping[str, object]) -> str:
    """Return what came of the letters, in a line or two."""
    letters = "letter" if told["lines"] == 1 else "letters"
    line = (
        f"{told['lines']:,} {letters} fed again: {told['judged']:,} judged "
        f"({told['originals']:,} originals, {told['duplicates']:,} duplicates), "
        f"{told['dead_letters']:,} failed again"
    )
    if not told["dead_letters"]:
        return line
    file = told["dead_letters_file"]
    return f"{line}\nThese are in {file}: see `newsdedup dlq ls {file}`"
