"""Events as they come: as the bytes they are, as lines, or as a table that grows."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TextIO

from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.cli.shown.output import stdout_console
from newsdedup.cli.shown.tail_rows import Row, as_it_came, counted, in_words, row

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

AROUND: Final = 4
"""Lines of a terminal that are not rows."""


class View(Protocol):
    """What shows events."""

    def show(self, batch: Sequence[ReceivedRecord]) -> None:
        """Show some more."""
        ...

    def summary(self) -> str:
        """Return in a line what was shown."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was."""
        ...


def view(stream: TextIO, *, json: bool) -> View:
    """Return how events are shown on an output."""
    if json:
        return Lines(stream, lambda record, _: as_it_came(record))
    if stream.isatty():
        return Growing(stdout_console())
    return Lines(stream, lambda _, told: "  ".join(told))


class Lines:
    """A line for each event."""

    def __init__(self, stream: TextIO, line: Callable[[ReceivedRecord, Row], str]) -> None:
        self._stream = stream
        self._line = line
        self._counts: Counter[str] = Counter()

    def show(self, batch: Sequence[ReceivedRecord]) -> None:
        """Write some lines, at once for whoever reads them."""
        for record in batch:
            told = row(record)
            counted(self._counts, told)
            self._stream.write(self._line(record, told) + "\n")
        self._stream.flush()

    def summary(self) -> str:
        """Return in a line what was shown."""
        return in_words(self._counts)

    def close(self) -> None:
        """Leave everything as it is."""


class Growing:
    """A table of the newest events, as high as the terminal."""

    def __init__(self, console: "Console") -> None:
        from rich.live import Live  # noqa: PLC0415 - nobody in a pipe waits for it

        self._counts: Counter[str] = Counter()
        self._rows: deque[Row] = deque(maxlen=max(1, console.height - AROUND))
        self._live = Live(console=console, auto_refresh=False, redirect_stderr=False)
        self._live.start()

    def show(self, batch: Sequence[ReceivedRecord]) -> None:
        """Draw the table with some more events at its end."""
        if not batch:
            return
        for record in batch:
            told = row(record)
            counted(self._counts, told)
            self._rows.append(told)
        self._live.update(_table(self._rows, in_words(self._counts)), refresh=True)

    def summary(self) -> str:
        """Return in a line what was shown."""
        return in_words(self._counts)

    def close(self) -> None:
        """Leave the table as it was drawn last."""
        self._live.stop()


def _table(rows: Sequence[Row], caption: str) -> "Table":
    from rich.table import Table  # noqa: PLC0415 - as above

    table = Table(pad_edge=False, box=None, expand=True, caption=caption, caption_justify="left")
    for heading in Row._fields:
        ratio = {"title": 3, "original": 1}.get(heading)
        table.add_column(heading, no_wrap=True, overflow="ellipsis", ratio=ratio)
    for told in rows:
        table.add_row(*told, style=_style(told))
    return table


def _style(told: Row) -> str | None:
    if told.event != "item.judged":
        return "yellow"
    return "bold" if told.verdict == "original" else None
