import asyncio
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import end_at_sigterm, load_settings
from newsdedup.cli.errors import ExitCode, say
from newsdedup.cli.options import Config, Items, Json, Kafka, Quiet, option, switch
from newsdedup.cli.output import counted, print_result, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import show_count
from newsdedup.config import Settings

if TYPE_CHECKING:
    from newsdedup.adapters.files.lines import Idle
    from newsdedup.runners.worker.input_topic import ProducedLines

_Topic = Annotated[
    str | None,
    option("--topic", "NAME", "The topic to write to. [default: kafka.input of the settings]"),
]

_AsIs = Annotated[
    bool, switch("--as-is", "Keep the order of the input: do not sort files by time.")
]


@command(
    "newsdedup produce items.jsonl",
    "newsdedup produce archive/ --kafka broker:9092 --topic news.raw",
    "tail -f items.jsonl | newsdedup produce -",
)
def produce_items(
    items: Items,
    *,
    kafka: Kafka = None,
    topic: _Topic = None,
    as_is: _AsIs = False,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write JSON lines to the topic that workers read.

    All files together are sorted by event time, so that workers find the duplicates in a backlog.
    Standard input and pipes keep their order, and so do files that are named with them.

    Each line becomes a record as it is, with its item as the key, so that the records about an item
    stay in order; so does each object of a JSON array, and each row of CSV as an object. A line
    without a readable item is written without a key: the worker makes it a dead letter. A line that
    is too large for Kafka is reported and not written, and the exit code is 65.
    """
    settings = load_settings(config, {"kafka.servers": kafka, "kafka.input": topic})
    end_at_sigterm()
    began = monotonic()
    written = keyless = too_large = 0
    for done in _publish_lines(items, settings, as_is=as_is, quiet=quiet):
        written += done.written
        keyless += done.keyless
        too_large += len(done.too_large)
        for line in done.too_large:
            say(f"{line.input}:{line.number}: {line.size:,} bytes are more than Kafka accepts")
    seconds = monotonic() - began
    stats = {
        "topic": settings.kafka.input,
        "written": written,
        "without_key": keyless,
        "too_large": too_large,
        "seconds": round(seconds, 3),
    }
    words = (
        f"{counted(written, 'record')} written to {settings.kafka.input}, {keyless:,} of them "
        f"without an item's name; {too_large:,} too large; "
        f"{written / max(seconds, 0.001):,.0f} records/s"
    )
    print_result(stats, words, json=json, quiet=quiet)
    if too_large:
        raise typer.Exit(ExitCode.INPUT_UNUSABLE)


def _publish_lines(
    items: list[str], settings: Settings, *, as_is: bool, quiet: bool
) -> "Iterator[ProducedLines]":
    """Write the lines of inputs to the topic, sorted unless `as_is` or streamed; yield by batch.

    Raise SourceUnusable or NothingToRead for an input, SinkUnusable without the topic, Unavailable
    if Kafka does not answer.
    """
    from newsdedup.adapters.files.inputs import InputPosition, expand_inputs, is_stream
    from newsdedup.adapters.files.line_sort import sort_lines
    from newsdedup.adapters.files.lines import Line
    from newsdedup.adapters.kafka.admin import require_topic
    from newsdedup.adapters.kafka.publisher import KafkaPublisher
    from newsdedup.adapters.kafka.records import line_record, line_subject
    from newsdedup.adapters.tables.input_records import check_forms, read_records
    from newsdedup.bootstrap.runs import record_limits
    from newsdedup.bootstrap.workers import kafka_access
    from newsdedup.runners.worker.input_topic import produce_lines

    limits, chosen, access = record_limits(settings), settings.kafka, kafka_access(settings)
    publisher = KafkaPublisher(access, message_bytes=chosen.message_bytes)
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner())
        stack.callback(lambda: runner.run(publisher.close()))
        inputs = expand_inputs(items)
        check_forms(inputs)
        runner.run(require_topic(access, chosen.input))
        read = partial(
            read_records,
            limit=settings.limits.line_bytes,
            idle_seconds=settings.run.idle_flush.total_seconds(),
        )
        lines: Iterable[Line | Idle] = chain.from_iterable(
            read(name, InputPosition()) for name in inputs
        )
        if not (as_is or any(is_stream(item) and not Path(item).is_dir() for item in items)):
            shown = show_count(lines, stderr_console(), of="lines read", counted=Line, quiet=quiet)
            lines = sort_lines(shown, lambda line: line_subject(line, limits=limits))
        yield from produce_lines(
            show_count(lines, stderr_console(), of="lines", counted=Line, quiet=quiet),
            lambda line: line_record(line, topic=chosen.input, limits=limits),
            lambda records: runner.run(publisher.publish(records)),
        )
