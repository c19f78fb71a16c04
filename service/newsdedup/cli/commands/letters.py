import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.options import Config, Json, Kafka, parse_topic
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stderr_console

if TYPE_CHECKING:
    from newsdedup.adapters.files.lines import Line
    from newsdedup.cli.shown.letters import Numbered

LS_EXAMPLES = examples(
    "newsdedup dlq ls events.jsonl.dlq",
    "newsdedup dlq ls events.jsonl.dlq --code bad_date --json",
    "newsdedup dlq ls topic:news.dlq --kafka broker:9092",
)
SHOW_EXAMPLES = examples(
    "newsdedup dlq show events.jsonl.dlq 3",
    "newsdedup dlq show events.jsonl.dlq 3 --raw > record.json",
    "newsdedup dlq show topic:news.dlq 0/3",
)
LetterPlace = Annotated[
    str,
    typer.Argument(
        metavar="PLACE", help="A file of dead letters, or topic:NAME.", show_default=False
    ),
]
Number = Annotated[str, typer.Argument(metavar="N", help="Its number in `ls`.", show_default=False)]
Code = Annotated[
    str | None,
    typer.Option("--code", metavar="CODE", help="Only those of this code.", show_default=False),
]
Limit = Annotated[int, typer.Option("--limit", min=0, help="Letters shown; 0 for all.")]
Raw = Annotated[bool, typer.Option("--raw", help="Write the bytes of the record and no more.")]


def ls(
    place: LetterPlace,
    *,
    code: Code = None,
    limit: Limit = 100,
    kafka: Kafka = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """List the records that could not become items: where each came from, and why.

    A number is a line of the file: mend the record in its "text", then replay the file. Of a topic
    it is the partition and offset of the letter.
    """
    if (name := parse_topic(place)) is not None:
        from newsdedup.cli.commands import topic_letters

        settings = load_configuration(config, flags={"kafka.servers": kafka}).settings
        asyncio.run(
            topic_letters.ls(
                settings, name or settings.kafka.dead, code=code, limit=limit, json=json
            )
        )
        return
    _ls(Path(place), code=code, limit=limit, json=json)


def _ls(file: Path, *, code: str | None, limit: int, json: bool) -> None:
    from newsdedup.adapters.files.dead_letters import parse_letter, read_letter_lines
    from newsdedup.cli.shown.letters import Listing, letters_table, place_and_reason

    _tell_of_interrupted(file)
    listing: Listing[Numbered] = Listing(code=code, limit=limit)
    for line in read_letter_lines(file):
        one = parse_letter(line)
        listing.take((line.number, one), code=one.code)
    listing.told(
        json=json, fields=lambda numbered: place_and_reason(*numbered), table=letters_table
    )


def show(
    place: LetterPlace,
    number: Number,
    *,
    raw: Raw = False,
    kafka: Kafka = None,
    config: Config = None,
    json: Json = False,
) -> None:
    r"""Show one dead letter whole.

    Bytes that are no text, or could steer the terminal, are written as \xff or \x1b; with --raw
    the record is written as it was received.
    """
    if (name := parse_topic(place)) is not None:
        from newsdedup.cli.commands import topic_letters

        settings = load_configuration(config, flags={"kafka.servers": kafka}).settings
        asyncio.run(
            topic_letters.show(settings, name or settings.kafka.dead, number, raw=raw, json=json)
        )
        return
    if not number.isdecimal():
        raise typer.BadParameter(f"{number} is no number of a line in {place}")
    _show(Path(place), int(number), raw=raw, json=json)


def _show(file: Path, number: int, *, raw: bool, json: bool) -> None:
    from newsdedup.adapters.files.dead_letters import parse_letter
    from newsdedup.cli.shown.letters import place_and_reason, visible

    one = parse_letter(_line(file, number))
    if json:
        print_json({"number": number, **asdict(one)})
        return
    data = one.data
    if one.cut:
        kept = f"only the first {len(data):,} of {one.size:,} bytes are kept"
        stderr_console().print(f"newsdedup: {kept}")
    if raw:
        sys.stdout.buffer.write(data)
        return
    for name, value in place_and_reason(number, one).items():
        print(f"{name:<8}{visible(str(value).encode())}")
    print(f"\n{visible(data)}")


def _line(file: Path, number: int) -> "Line":
    from newsdedup.adapters.files.dead_letters import read_letter_lines

    for line in read_letter_lines(file):
        if line.number == number:
            return line
    raise typer.BadParameter(f"{file} has no letter {number}; `newsdedup dlq ls {file}` lists all")


def _tell_of_interrupted(file: Path) -> None:
    """Say where the letters are that a replay had begun with when it died."""
    from newsdedup.runners.files.replay import replaying

    aside = replaying(file)
    if aside.is_file():
        stderr_console().print(
            f"newsdedup: a replay was interrupted; the letters that it began with are in {aside}: "
            "`newsdedup dlq replay` goes on with them"
        )
