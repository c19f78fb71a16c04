import asyncio
import sys
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Kafka, Quiet, parse_duration
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import stderr_console

if TYPE_CHECKING:
    from newsdedup.adapters.kafka.records import ReceivedRecord
    from newsdedup.config import Settings

EXAMPLES = examples(
    "newsdedup tail",
    "newsdedup tail --from beginning --count 20",
    "newsdedup tail --json | jq .dedup.verdict",
)


class Start(StrEnum):
    """Where a topic is read from."""

    BEGINNING = "beginning"
    END = "end"


From = Annotated[
    Start, typer.Option("--from", help="Where to begin: with all that is kept, or with what comes.")
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count", metavar="N", min=1, help="End after so many events.", show_default=False
    ),
]
Idle = Annotated[
    str | None,
    typer.Option(
        "--idle",
        metavar="DURATION",
        help="End when nothing has come for so long after something came.",
        show_default=False,
    ),
]
Topic = Annotated[
    str | None,
    typer.Option(
        "--topic",
        metavar="NAME",
        help="The topic to read. [default: kafka.output of the settings]",
        show_default=False,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Write each event as it came, one a line, for programs.")
]


def tail(
    *,
    start: From = Start.END,
    count: Count = None,
    idle: Idle = None,
    topic: Topic = None,
    kafka: Kafka = None,
    config: Config = None,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show what comes out: verdicts, corrections, retractions, changes of original.

    On a terminal a table that grows, in a pipe a line for each event, with --json the events
    themselves. Nothing is acknowledged: whoever reads the topic is not disturbed. Ends with
    Ctrl-C, after --count events, or when nothing comes for as long as --idle says.
    """
    from newsdedup.cli.shown.tail_views import choose_view

    settings = load_configuration(
        config, flags={"kafka.servers": kafka, "kafka.output": topic}
    ).settings
    until = Until(count, None if idle is None else parse_duration(idle).total_seconds())
    with closing(choose_view(sys.stdout, json=json)) as shown:
        asyncio.run(follow(settings, shown.show, start=start, until=until, quiet=quiet))
    if not json and not quiet:
        stderr_console().print(shown.summary())


class Until:
    """When enough was shown."""

    def __init__(
        self, count: int | None, idle: float | None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._left = count
        self._idle = idle
        self._clock = clock
        self._came_at: float | None = None

    def of(self, batch: "list[ReceivedRecord]") -> "list[ReceivedRecord]":
        """Return what may be shown of a batch, which may be empty."""
        if batch:
            self._came_at = self._clock()
        if self._left is None:
            return batch
        shown = batch[: self._left]
        self._left -= len(shown)
        return shown

    @property
    def reached(self) -> bool:
        """Return whether no more is to be shown."""
        if self._left == 0:
            return True
        if self._idle is None or self._came_at is None:
            return False
        return self._clock() - self._came_at >= self._idle


async def follow(
    settings: "Settings",
    show: "Callable[[list[ReceivedRecord]], None]",
    *,
    start: Start,
    until: "Until",
    quiet: bool,
) -> None:
    """Show the records of the output as they come, and no more than were asked for."""
    from newsdedup.adapters.kafka.reader import follow_topic
    from newsdedup.bootstrap import service

    name = settings.kafka.output
    access = service.kafka_access(settings)
    async with follow_topic(access, name, beginning=start is Start.BEGINNING) as batches:
        if not quiet:
            stderr_console().print(f"{name} from its {start.value}; Ctrl-C ends")
        async for batch in batches:
            show(until.of(batch))
            if until.reached:
                return
