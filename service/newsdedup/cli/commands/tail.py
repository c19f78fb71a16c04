"""Show the events of the output topic as they come."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Kafka, Quiet, option, parse_duration, switch
from newsdedup.cli.output import stderr_console
from newsdedup.cli.registry import command

if TYPE_CHECKING:
    from newsdedup.adapters.kafka.records import ReceivedRecord
    from newsdedup.config import Settings


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
    bool, switch("--json", "Write each event as it came, one a line, for programs.")
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
    """Show what comes out: verdicts, corrections, retractions, changes of original.

    On a terminal a table that grows, in a pipe a line for each event, with --json the events
    themselves. It belongs to no consumer group, so other readers are not affected. Ends with
    Ctrl-C, after --count events, or when nothing comes for as long as --idle says.
    """
    from newsdedup.cli.shown.tail_views import choose_view

    settings = load_settings(config, {"kafka.servers": kafka, "kafka.output": topic})
    until = StopCondition(count, None if idle is None else parse_duration(idle).total_seconds())
    with closing(choose_view(sys.stdout, json=json)) as view:
        asyncio.run(_follow(settings, view.show, start=start, until=until, quiet=quiet))
    if not json and not quiet:
        stderr_console().print(view.summary())


class StopCondition:
    """When to stop: after `count` events, or when none came for `idle` seconds after another."""

    def __init__(
        self, count: int | None, idle: float | None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._left = count
        self._idle = idle
        self._clock = clock
        self._came_at: float | None = None

    def take(self, batch: "list[ReceivedRecord]") -> "list[ReceivedRecord]":
        """Note that events came; return those of the batch that `count` still allows."""
        if batch:
            self._came_at = self._clock()
        if self._left is None:
            return batch
        shown = batch[: self._left]
        self._left -= len(shown)
        return shown

    @property
    def reached(self) -> bool:
        """Return whether it is time to stop."""
        if self._left == 0:
            return True
        if self._idle is None or self._came_at is None:
            return False
        return self._clock() - self._came_at >= self._idle


async def _follow(
    settings: "Settings",
    show: "Callable[[list[ReceivedRecord]], None]",
    *,
    start: Start,
    until: "StopCondition",
    quiet: bool,
) -> None:
    from newsdedup.adapters.kafka.reader import follow_topic
    from newsdedup.bootstrap.workers import kafka_access

    name = settings.kafka.output
    access = kafka_access(settings)
    async with follow_topic(access, name, beginning=start is Start.BEGINNING) as batches:
        if not quiet:
            stderr_console().print(f"{name} from its {start.value}; Ctrl-C ends")
        async for batch in batches:
            show(until.take(batch))
            if until.reached:
                return
