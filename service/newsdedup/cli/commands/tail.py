"""Show the events of the output topic as they come."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Kafka, Quiet, option, parse_duration, switch
from newsdedup.cli.output import stderr_console
from newsdedup.cli.registry import command

if TYPE_CHECKING:
    from newsdedup.adapters.kafka.records import ReceivedRecord


class Start(StrEnum):
    """Where a topic is read from."""

    BEGINNING = "beginning"
    END = "end"


_From = Annotated[
    Start, typer.Option("--from", help="Where to begin: with all events, or with new ones.")
]
_Count = Annotated[int | None, option("--count", "N", "End after so many events.", min=1)]
_Idle = Annotated[
    str | None, option("--idle", "DURATION", "End when no more events have come for so long.")
]
_Topic = Annotated[
    str | None,
    option("--topic", "NAME", "The topic to read. [default: kafka.output of the settings]"),
]
_AsJson = Annotated[
    bool, switch("--json", "Write each event as it came, one per line, for programs.")
]


@command(
    "newsdedup tail",
    "newsdedup tail --from beginning --count 20",
    "newsdedup tail --json | jq .dedup.verdict",
)
def tail_events(
    *,
    start: _From = Start.END,
    count: _Count = None,
    idle: _Idle = None,
    topic: _Topic = None,
    kafka: Kafka = None,
    config: Config = None,
    json: _AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show events as they are published: verdicts, corrections, retractions, changes of original.

    On a terminal it is a growing table, in a pipe a line for each event, with --json the events
    themselves. It joins no consumer group, so other readers are not affected. It ends with Ctrl-C,
    after --count events, or when none come for the time of --idle.
    """
    from newsdedup.cli.shown.tail_views import choose_view

    settings = load_settings(config, {"kafka.servers": kafka, "kafka.output": topic})
    patience = inf if idle is None else parse_duration(idle).total_seconds()

    async def follow(show: "Callable[[list[ReceivedRecord]], None]") -> None:
        from newsdedup.adapters.kafka.reader import follow_topic
        from newsdedup.bootstrap.workers import kafka_access

        access, name = kafka_access(settings), settings.kafka.output
        left = count
        async with follow_topic(access, name, beginning=start is Start.BEGINNING) as batches:
            if not quiet:
                stderr_console().print(f"{name} from its {start.value}; Ctrl-C ends")
            came_at = monotonic()
            async for batch in batches:
                if batch:
                    came_at = monotonic()
                shown = batch[:left]
                show(shown)
                left = None if left is None else left - len(shown)
                if left == 0 or monotonic() - came_at >= patience:
                    return

    with closing(choose_view(sys.stdout, json=json)) as view:
        asyncio.run(follow(view.show))
    if not json and not quiet:
        stderr_console().print(view.summary())
