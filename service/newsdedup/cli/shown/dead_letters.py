"""Dead letters of a file or of a topic, listed and shown whole, whatever bytes are in them."""

import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from newsdedup.cli import output
from newsdedup.cli.output import counted, plain_table, print_json, printable_line
from newsdedup.config import Settings

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.adapters.kafka.dead_letters import TopicDeadLetter

_RECORDS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ShownDeadLetter:
    """A dead letter with its number in the list."""

    fields: dict[str, Any]
    """Its number, where its record came from and why it failed, without the record."""
    value: Callable[[], bytes | None]
    """The record in it, or as much as was kept; None for a record without a value."""
    whole: Callable[[], dict[str, Any]]
    """The rest of the dead letter with its record; it may repeat some `fields`."""


async def file_dead_letters(path: Path) -> AsyncGenerator[ShownDeadLetter, None]:
    """Yield the dead letters of a file, numbered by line; raise SourceUnusable if there is none."""
    from newsdedup.adapters.files.line_decoder import parse_dead_letter, read_dead_letter_lines

    names = ("input", "line", "offset", "code", "reason", "size", "cut")
    for line in read_dead_letter_lines(path):
        one = parse_dead_letter(line)
        fields = {"number": line.number, **{name: getattr(one, name) for name in names}}
        yield ShownDeadLetter(fields, partial(getattr, one, "data"), partial(asdict, one))


async def topic_dead_letters(
    name: str, settings: Settings
) -> AsyncGenerator[ShownDeadLetter, None]:
    """Yield the dead letters that a topic has now, without those of items withdrawn since.

    Raise SourceUnusable if there is no such topic, Unavailable if Kafka does not answer.
    """
    from newsdedup.adapters.kafka.dead_letters import decode_topic_dead_letter, read_tombstones
    from newsdedup.adapters.kafka.reader import open_topic
    from newsdedup.bootstrap.workers import kafka_access

    access = kafka_access(settings)
    erased = await read_tombstones(access, name)
    async with open_topic(access, name) as opened:
        async for batch in opened.records(at_once=_RECORDS_AT_ONCE):
            for record in erased.remaining(batch):
                yield _topic_dead_letter(decode_topic_dead_letter(record))


def _topic_dead_letter(one: "TopicDeadLetter") -> ShownDeadLetter:
    """Return a dead letter of a topic; `whole` gives key, headers and value as printable text."""
    fields = {"number": one.number, "input": one.input, "offset": one.at}
    fields |= {name: getattr(one, name) for name in ("code", "reason", "size", "cut")}
    return ShownDeadLetter(
        fields,
        lambda: one.value,
        lambda: {
            "key": None if one.key is None else visible(one.key),
            "headers": [[name, visible(value)] for name, value in one.headers],
            "value": None if one.value is None else visible(one.value),
        },
    )


async def print_dead_letters(
    dead_letters: AsyncGenerator[ShownDeadLetter, None], *, code: str | None, limit: int, json: bool
) -> None:
    """Print the dead letters with `code` (None: any) as a table, then how many have each code.

    At most `limit` dead letters are printed, all if it is 0. With `json`, print both as one object.
    """
    shown: list[dict[str, object]] = []
    codes: Counter[str] = Counter()
    async for one in dead_letters:
        codes[str(one.fields["code"])] += 1
        if code in (None, one.fields["code"]) and (not limit or len(shown) < limit):
            shown.append(one.fields)
    matching = codes.total() if code is None else codes[code]
    if json:
        by_code = dict(sorted(codes.items()))
        print_json({"dead_letters": shown, "matching": matching, "by_code": by_code})
        return
    if shown:
        output.stdout_console().print(_table(shown))
    if len(shown) < matching:
        print(f"{matching - len(shown):,} more: --limit 0")
    ranked = sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))
    by_rank = ", ".join(f"{printable_line(code)} {count:,}" for code, count in ranked)
    print(counted(codes.total(), "dead letter") + (f": {by_rank}" if by_rank else ""))


async def print_dead_letter(
    dead_letters: AsyncGenerator[ShownDeadLetter, None],
    number: str,
    *,
    address: str,
    raw: bool,
    json: bool,
) -> None:
    """Print the whole dead letter with this number, or, with `raw`, only the bytes of its record.

    Raise BadParameter, naming the `address` of the file or topic, if there is no such dead letter.
    """
    async with aclosing(dead_letters):
        async for one in dead_letters:
            if str(one.fields["number"]) == number:
                break
        else:
            raise typer.BadParameter(
                f"{address} has no dead letter {number}; `newsdedup dlq ls {address}` lists all"
            )
    fields, data = dict(one.fields), one.value()
    if fields["cut"]:
        cut = f"only the first {len(data or b''):,} of {fields['size']:,} bytes are kept"
        output.stderr_console().print(f"newsdedup: {cut}")
    if json:
        print_json({**fields, **one.whole()})
        return
    if raw:
        sys.stdout.buffer.write(data or b"")
        return
    whole = one.whole()
    if "key" in whole:
        fields["key"] = whole["key"] or "none"
    for name, value in fields.items():
        print(f"{name:<8}{visible(str(value).encode())}")
    for name, value in whole.get("headers", ()):
        print(f"header  {printable_line(name)}: {value}")
    print(f"\n{'(no value)' if data is None else visible(data)}")


def _table(dead_letters: list[dict[str, object]]) -> "Table":
    """Return the table of dead letters, given by their `fields`; there must be one at least."""
    position = "line" if "line" in dead_letters[0] else "offset"
    table = plain_table(">number", "input", f">{position}", "code", "reason", ">bytes")
    for column in table.columns:
        column.no_wrap = column.header not in ("input", "reason")
    table.columns[1].max_width, table.columns[1].overflow = 36, "fold"
    table.columns[4].ratio = 1
    for one in dead_letters:
        cells = [printable_line(str(one[name])) for name in ("input", position, "code", "reason")]
        table.add_row(str(one["number"]), *cells, f"{one['size']:,}")
    return table


def visible(data: bytes) -> str:
    r"""Return bytes as one line of printable text that shows every byte.

    What is not UTF-8, or not printable, is written as Python writes it: \xff, \x1b, \u202e.
    """
    text = data.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
