"""The streams of a command: standard output is for data, standard error for notes."""

import io
import json as encoder
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDTH_IN_PIPES = 120
"""Columns of a table where neither COLUMNS nor a terminal of the caller says how many there are."""


def prepare_streams() -> None:
    """Set standard output to UTF-8 in a pipe; on a terminal keep the encoding that it has.

    A character that the encoding lacks is written as a backslash escape. Streams that the caller
    has closed are replaced by the null device.
    """
    # Reading standard input and writing standard output then fail; notes on standard error are
    # lost. Python has None there, and the next file that is opened would get the number of the
    # stream, so that notes could be written into the data.
    for name, flags, mode in (
        ("stdin", os.O_WRONLY, "r"),
        ("stdout", os.O_RDONLY, "w"),
        ("stderr", os.O_WRONLY, "w"),
    ):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, flags)
            setattr(sys, name, os.fdopen(nothing, mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        if isinstance(sys.stdout.buffer, io.RawIOBase):
            # With PYTHONUNBUFFERED, as in the image: of what a full disk or a closed pipe takes
            # only a part, the raw stream would drop the rest without an error.
            sys.stdout = open(sys.stdout.fileno(), "w", buffering=1, closefd=False)  # noqa: SIM115
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def counted(number: int, one: str, many: str = "") -> str:
    """Return a count with its noun, as "1 item" or "1,024 items"; `many` is an irregular plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed_counts(counts: Mapping[str, int]) -> str:
    """Return counts with their names, as "3 original, 2 duplicate"."""
    return ", ".join(f"{number:,} {name}" for name, number in counts.items())


class _Trimmed:
    """A stream that leaves out the blanks with which tables fill their lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text without blanks at the ends of lines; those at the end of the text stay."""
        *lines, last = text.split("\n")
        return self._stream.write("\n".join([*(line.rstrip(" ") for line in lines), last]))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _width_in_pipes() -> int:
    """Return the columns of a line: of COLUMNS, a terminal at standard error or input, or 120."""
    if (named := os.environ.get("COLUMNS", "")).isdecimal() and int(named):
        return int(named)
    for stream in (sys.stderr, sys.stdin):
        try:
            return os.get_terminal_size(stream.fileno()).columns or WIDTH_IN_PIPES
        except (OSError, ValueError):
            continue
    return WIDTH_IN_PIPES


def print_json(value: object) -> None:
    """Print a value as indented JSON; raise TypeError for types unknown to msgspec, as Path."""

    def to_builtins(value: object) -> Any:
        # Dataclasses and structs become dicts, times and decimals text, sets lists, bytes base64.
        import msgspec

        return msgspec.to_builtins(value)

    print(encoder.dumps(value, ensure_ascii=False, indent=2, default=to_builtins))


def print_result(stats: object, words: str, *, json: bool, quiet: bool) -> None:
    """Print what a command has done: `stats` as JSON, or else, unless quiet, `words` as a note."""
    if json:
        print_json(stats)
    elif not quiet:
        stderr_console().print(words)


def stdout_console() -> "Console":
    """Return the console for tables: coloured on a terminal, else plain, without trailing blanks.

    In a pipe its width is COLUMNS, else that of a terminal at standard error or input, else 120.
    """
    if sys.stdout.isatty():
        return _console(sys.stdout)
    return _console(_Trimmed(sys.stdout), width=_width_in_pipes())


def stderr_console() -> "Console":
    """Return the console for notes and progress; plain in a pipe and wherever NO_COLOR is set."""
    return _console(sys.stderr, soft_wrap=True)


def plain_table(*headings: str, title: str | None = None, folding: str = "") -> "Table":
    """Return a table without lines; a heading that begins with > is that of a right-aligned column.

    With `folding` the column of that heading wraps its text, and no other breaks a line.
    """
    from rich.table import Table

    table = Table(title=title, title_justify="left", pad_edge=False, box=None)
    for heading in headings:
        folds = bool(folding) and heading == folding
        table.add_column(
            heading.lstrip(">"),
            justify="right" if heading[:1] == ">" else "left",
            no_wrap=bool(folding) and not folds,
            overflow="fold" if folds else "ellipsis",
            ratio=1 if folds else None,
        )
    return table


def printable_line(text: str) -> str:
    """Return a text of others as one line without terminal control sequences.

    White space becomes a space; control, direction and invisible characters are left out.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " * c.isspace() for c in text)


def _console(stream: Any, *, width: int | None = None, soft_wrap: bool = False) -> "Console":
    """Return a rich console that prints texts without markup; without `width`, rich measures it."""
    from rich.console import Console

    return Console(
        file=stream,
        width=width,
        soft_wrap=soft_wrap,
        # Texts of the news are printed as they are: [b] and :smile: in them are no markup.
        highlight=False,
        markup=False,
        emoji=False,
        # Rich by itself keeps bold and italics under NO_COLOR.
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        # FORCE_COLOR asks for colours in a log, but never for a line that is drawn over itself.
        force_interactive=None if stream.isatty() else False,
    )
