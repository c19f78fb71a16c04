"""Dead letters of a topic, for a person and for programs."""

import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

import typer

from newsdedup.adapters.kafka.dead_letters import TopicLetter, decode_topic_letter, read_tombstones
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.cli.shown.letters import Listing, visible
from newsdedup.cli.shown.output import print_json, printable_line, stderr_console

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.config import Settings

AT_ONCE = 500


async def letters(settings: "Settings", name: str) -> AsyncGenerator[TopicLetter, None]:
    """Yield all letters that a topic keeps now, but for those of items withdrawn since."""
    from newsdedup.bootstrap import service

    access = service.kafka_access(settings)
    erased = await read_tombstones(access, name)
    async with open_topic(access, name) as opened:
        async for batch in opened.records(at_once=AT_ONCE):
            for record in erased.remaining(batch):
                yield decode_topic_letter(record)


async def ls(settings: "Settings", name: str, *, code: str | None, limit: int, json: bool) -> None:
    """List letters, and how many there are of each code."""
    listing: Listing[TopicLetter] = Listing(code=code, limit=limit)
    async for one in letters(settings, name):
        listing.take(one, code=one.code)
    listing.told(json=json, fields=place_and_reason, table=_table)


async def show(settings: "Settings", name: str, number: str, *, raw: bool, json: bool) -> None:
    """Show one letter whole."""
    one = await _numbered(settings, name, number)
    value = one.value or b""
    if one.cut:
        kept = f"only the first {len(value):,} bytes of {one.size:,} are kept"
        stderr_console().print(f"newsdedup: {kept}")
    if raw:
        sys.stdout.buffer.write(value)
        return
    headers = [[key, visible(said)] for key, said in one.headers]
    key = None if one.key is None else visible(one.key)
    if json:
        text = None if one.value is None else visible(value)
        told = {**place_and_reason(one), "key": key, "headers": headers, "value": text}
        print_json(told)
        return
    for field, said in {**place_and_reason(one), "key": key or "none"}.items():
        print(f"{field:<8}{visible(str(said).encode())}")
    for field, said in headers:
        print(f"header  {printable_line(field)}: {said}")
    print(f"\n{'(no value)' if one.value is None else visible(value)}")


async def _numbered(settings: "Settings", name: str, number: str) -> TopicLetter:
    async with aclosing(letters(settings, name)) as found:
        async for one in found:
            if one.number == number:
                return one
    raise typer.BadParameter(
        f"{name} has no letter {number}; `newsdedup dlq ls topic:{name}` lists all"
    )


def place_and_reason(one: TopicLetter) -> dict[str, object]:
    """Return all of a letter but the record in it."""
    return {
        "number": one.number,
        "input": one.input,
        "offset": one.at,
        "code": one.code,
        "reason": one.reason,
        "size": one.size,
        "cut": one.cut,
    }


def _table(shown: list[TopicLetter]) -> "Table":
    from rich.table import Table

    table = Table(pad_edge=False, box=None)
    for heading in ("number", "input"):
        table.add_column(heading, no_wrap=True)
    table.add_column("offset", justify="right", no_wrap=True)
    table.add_column("code", no_wrap=True)
    table.add_column("reason", ratio=1)
    table.add_column("bytes", justify="right", no_wrap=True)
    for one in shown:
        place = (one.number, printable_line(one.input), str(one.at), printable_line(one.code))
        table.add_row(*place, printable_line(one.reason), f"{one.size:,}")
    return table
