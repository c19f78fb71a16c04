"""Dead letters for a person, whatever bytes are in them."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

from newsdedup.adapters.files.dead_letters import LineLetter
from newsdedup.cli.shown.output import print_json, printable_line, stdout_console

if TYPE_CHECKING:
    from rich.table import Table

Letter = TypeVar("Letter")
Numbered = tuple[int, LineLetter]
"""A letter and its line in the file."""


class Listing(Generic[Letter]):
    """Which letters a list shows, and how many there are of each code."""

    def __init__(self, *, code: str | None, limit: int) -> None:
        self.shown: list[Letter] = []
        self._codes: Counter[str] = Counter()
        self._code = code
        self._limit = limit

    def take(self, letter: Letter, *, code: str) -> None:
        """Count a letter, and show it if it is meant and there is room."""
        self._codes[code] += 1
        if self._code in (None, code) and (not self._limit or len(self.shown) < self._limit):
            self.shown.append(letter)

    def told(
        self,
        *,
        json: bool,
        fields: Callable[[Letter], dict[str, object]],
        table: "Callable[[list[Letter]], Table]",
    ) -> None:
        """Print the list."""
        codes = self._codes
        matching = codes.total() if self._code is None else codes[self._code]
        if json:
            letters = [fields(letter) for letter in self.shown]
            by_code = dict(sorted(codes.items()))
            print_json({"letters": letters, "matching": matching, "by_code": by_code})
            return
        if self.shown:
            stdout_console().print(table(self.shown))
        if len(self.shown) < matching:
            print(f"{matching - len(self.shown):,} more: --limit 0")
        print(count_by_code(codes))


def letters_table(letters: Iterable[Numbered]) -> "Table":
    """Return one line for each letter."""
    from rich.table import Table

    table = Table(pad_edge=False, box=None)
    table.add_column("number", justify="right", no_wrap=True)
    table.add_column("input", max_width=36, overflow="fold")
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("code", no_wrap=True)
    table.add_column("reason", ratio=1)
    table.add_column("bytes", justify="right", no_wrap=True)
    for number, letter in letters:
        table.add_row(
            str(number),
            printable_line(letter.input),
            str(letter.line),
            printable_line(letter.code),
            printable_line(letter.reason),
            f"{letter.size:,}",
        )
    return table


def count_by_code(codes: Counter[str]) -> str:
    """Return how many letters there are, and of which codes."""
    ranked = sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))
    by_code = ", ".join(f"{printable_line(code)} {count:,}" for code, count in ranked)
    letters = "1 letter" if codes.total() == 1 else f"{codes.total():,} letters"
    return f"{letters}: {by_code}" if by_code else letters


def place_and_reason(number: int, letter: LineLetter) -> dict[str, object]:
    """Return all of a letter but the record in it, which may be long."""
    return {
        "number": number,
        "input": letter.input,
        "line": letter.line,
        "offset": letter.offset,
        "code": letter.code,
        "reason": letter.reason,
        "size": letter.size,
        "cut": letter.cut,
    }


def visible(data: bytes) -> str:
    r"""Return bytes as one line of text that hides nothing and cannot steer a terminal.

    What is not UTF-8, or not printable, is written as Python writes it: \xff, \x1b, \u202e.
    """
    text = data.decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
