"""List, show and replay dead letters: records that could not become items."""

import asyncio
from collections import Counter
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import KillAtFailpoint, end_at_sigterm, load_settings
from newsdedup.cli.errors import say
from newsdedup.cli.invocation import as_called
from newsdedup.cli.options import argument, option, parse_topic, switch
from newsdedup.cli.output import counted, print_json, print_result, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown import dead_letters as shown
from newsdedup.cli.shown.progress import RunProgress
from newsdedup.cli.shown.results import run_stats
from newsdedup.config import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

_REPLAY_SUFFIX = "-replay"
"""Added to the group of the workers: the group that commits how far a replay is."""

_Address = Annotated[str, argument("FILE|TOPIC", "A file of dead letters, or topic:NAME.")]
_Number = Annotated[str, argument("N", "Its number in `ls`.")]
_Code = Annotated[str | None, option("--code", "CODE", "Only those of this code.")]
_Limit = Annotated[int, typer.Option("--limit", min=0, help="Dead letters shown; 0 for all.")]
_Raw = Annotated[bool, switch("--raw", "Write only the bytes of the record.")]
_Target = Annotated[
    str | None,
    option(
        "--to",
        "FILE|TOPIC",
        "For a file: the output of the run that the dead letters come from, or - for standard "
        "output. For a topic: topic:NAME. [default: the topic of the input]",
        parser=options.parse_sink_target,
    ),
]


@command(
    "newsdedup dlq ls events.jsonl.dlq",
    "newsdedup dlq ls events.jsonl.dlq --code bad_field --json",
    "newsdedup dlq ls topic:news.dlq --kafka broker:9092",
    name="ls",
)
def list_dead_letters(
    address: _Address,
    *,
    code: _Code = None,
    limit: _Limit = 100,
    kafka: options.Kafka = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """List the records that could not become items: where each came from, and why.

    The number is the line in the file: correct the record in its "text", then replay the file. In a
    topic it is the partition and offset of the dead letter.
    """
    if parse_topic(address) is None:
        from newsdedup.runners.files.replay import replaying_path

        if (aside := replaying_path(Path(address))).is_file():
            stderr_console().print(
                f"newsdedup: a replay was interrupted; its dead letters are in {aside}: "
                + as_called("`newsdedup dlq replay` continues with them")
            )
    _, dead_letters = _open_dead_letters(address, kafka, config)
    asyncio.run(shown.print_dead_letters(dead_letters, code=code, limit=limit, json=json))


@command(
    "newsdedup dlq show events.jsonl.dlq 3",
    "newsdedup dlq show events.jsonl.dlq 3 --raw > record.json",
    "newsdedup dlq show topic:news.dlq 0/3",
    name="show",
)
def show_dead_letter(
    address: _Address,
    number: _Number,
    *,
    raw: _Raw = False,
    kafka: options.Kafka = None,
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    r"""Show all of one dead letter.

    Bytes that are no text, or control the terminal, are written as \xff or \x1b; with --raw the
    record is written as it was received.
    """
    if parse_topic(address) is None and not number.isdecimal():
        raise typer.BadParameter(f"{number} is no number of a line in {address}")
    name, dead_letters = _open_dead_letters(address, kafka, config)
    asyncio.run(shown.print_dead_letter(dead_letters, number, address=name, raw=raw, json=json))


def _open_dead_letters(
    address: str, kafka: str | None, config: Path | None
) -> "tuple[str, AsyncGenerator[shown.ShownDeadLetter, None]]":
    """Return the name of a file, or topic:NAME, and an iterator over its dead letters."""
    topic = parse_topic(address)
    if topic is None:
        return address, shown.file_dead_letters(Path(address))
    settings = load_settings(config, {"kafka.servers": kafka})
    topic = topic or settings.kafka.dead
    return f"topic:{topic}", shown.topic_dead_letters(topic, settings)


@command(
    "newsdedup dlq replay events.jsonl.dlq --to events.jsonl",
    "newsdedup dlq replay bad.jsonl --to events.jsonl --state news.state",
    "newsdedup dlq replay topic:news.dlq",
    name="replay",
)
def replay_dead_letters(
    address: _Address,
    *,
    to: _Target = None,
    state: options.State = None,
    window: options.Window = None,
    rule: options.RuleOption = None,
    kafka: options.Kafka = None,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Process dead letters again, after they were corrected or settings were changed.

    Name the output and the state of the run they come from, so that all verdicts are in one output.
    What fails again stays in FILE, with its position in its own input. A replay that was stopped or
    killed continues when it is started again; meanwhile its dead letters are in FILE.replaying.

    Dead letters of a topic go to the topic of the input, as they were received, each once: a
    consumer group, kafka.group with -replay at its end, records how far the replay is. They are
    written in the order in which they failed; items that have left the window are late.
    """
    flags = {"run.state": state, "rule.window": window, "rule.name": rule, "kafka.servers": kafka}
    settings = load_settings(config, flags)
    end_at_sigterm()
    if (name := parse_topic(address)) is not None:
        target = settings.kafka.input if to is None else parse_topic(to)
        if target is None:
            raise typer.BadParameter(f"--to {to}: of a topic name another one, as topic:NAME")
        stats = asyncio.run(_replay_topic(settings, name or settings.kafka.dead, to=target))
        dead_letters = counted(stats["replayed"], "dead letter")
        line = f"{dead_letters} of {stats['topic']} replayed to {stats['to']}"
        for kind, words in (("cut", "cut short"), ("refused", "larger than Kafka accepts")):
            line += f", {stats[kind]:,} {words}" if stats[kind] else ""
        print_result(stats, line, json=json, quiet=quiet)
    elif to is None:
        raise typer.BadParameter("--to: name the output of the run that the dead letters come from")
    else:
        _replay_file(Path(address), settings, to=to, json=json, quiet=quiet)


def _replay_file(file: Path, settings: Settings, *, to: str, json: bool, quiet: bool) -> None:
    """Replay the dead letters of a file in the run whose output is `to`, and print the results.

    An interrupted replay is finished first, and counted separately. Raise SinkUnusable for an
    unusable output, StateUnusable for a state of other settings.
    """
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.bootstrap.runs import open_run
    from newsdedup.cli.states import run_paths
    from newsdedup.runners.files.replay import replay_dead_letter_file

    where = run_paths(settings, to=to, dlq=str(file), fresh=False)
    refuse_clashes((("--to", where.to), ("--state", where.state)), [file])
    fail = KillAtFailpoint()
    replayed: list[dict[str, Any]] = []
    with RunProgress(stderr_console(), quiet=quiet) as progress:
        for batches in replay_dead_letter_file(file, lambda: open_run(settings, where, fail=fail)):
            began = monotonic()
            counts: Counter[str] = Counter()
            for batch in batches:
                counts.update(batch)
                progress.advance(items=batch["lines"], duplicates=batch["duplicate"])
            seconds = monotonic() - began
            stats = run_stats(counts, to=where.to, dead=str(file), seconds=seconds)
            replayed.append(stats)
            line = (
                f"{counted(stats['lines'], 'dead letter')} replayed: {stats['judged']:,} judged "
                f"({counted(stats['originals'], 'original')}, "
                f"{counted(stats['duplicates'], 'duplicate')}), "
                f"{stats['dead_letters']:,} failed again"
            )
            if stats["dead_letters"]:
                line += as_called(
                    f"\nThese are in {file}: see `newsdedup dlq ls {quote(str(file))}`"
                )
            if not json or to == options.STANDARD_STREAM:
                progress.note(line)
    if json and to != options.STANDARD_STREAM:
        print_json({"replays": replayed})


async def _replay_topic(settings: Settings, name: str, *, to: str) -> dict[str, Any]:
    """Write the records of a topic's dead letters to the topic `to`; count them by what happened.

    Those that were cut or refused are printed to standard error.
    """
    from newsdedup.adapters.kafka.admin import require_topic
    from newsdedup.adapters.kafka.dead_letters import read_tombstones
    from newsdedup.adapters.kafka.publisher import KafkaPublisher
    from newsdedup.adapters.kafka.reader import open_topic
    from newsdedup.bootstrap.workers import kafka_access
    from newsdedup.runners.worker.input_topic import replay_topic_dead_letters

    access = kafka_access(settings)
    await require_topic(access, to)
    publisher = KafkaPublisher(access, message_bytes=settings.kafka.message_bytes)
    counts: Counter[str] = Counter()
    try:
        async with open_topic(access, name, group=settings.kafka.group + _REPLAY_SUFFIX) as rest:
            erased = await read_tombstones(access, name)
            async for came, left in replay_topic_dead_letters(
                rest, publisher.publish, to=to, tombstones=erased
            ):
                counts.update(came)
                for one in left:
                    say(f"{one.number}: its dead letter is cut; it came from {one.input}@{one.at}")
    finally:
        await publisher.close()
    kinds = ("replayed", "cut", "refused")
    return {"topic": name, "to": to, **{kind: counts[kind] for kind in kinds}}
