"""Progress on a terminal, drawn by the work itself: no thread runs alongside the engine.

In a pipe, and when quiet, nothing is drawn. Where data goes to the same terminal, be quiet.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Self, TypeVar

from newsdedup.cli.output import stderr_console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_REFRESH_SECONDS = 0.1
_RATE = "{task.fields[rate]:,.0f}/s"
_T = TypeVar("_T")
_Clock = Callable[[], float]


class _Line:
    """One line of a terminal with the progress of one task, redrawn ten times a second at most."""

    def __init__(
        self,
        console: "Console",
        *columns: str,
        total: int | None = None,
        clock: _Clock,
        **fields: Any,
    ) -> None:
        from rich import progress as rich

        parts: list[rich.ProgressColumn] = [rich.TextColumn(column) for column in columns]
        if total is not None:
            parts.append(rich.BarColumn(bar_width=24))
        self._clock = clock
        self.progress: Progress = rich.Progress(
            *parts,
            rich.TimeElapsedColumn(),
            console=console,
            auto_refresh=False,
            transient=True,
            # Data on standard output must not pass through the drawing of this line.
            redirect_stdout=False,
            redirect_stderr=False,
            get_time=clock,
        )
        self._task = self.progress.add_task("", total=total, rate=0.0, **fields)
        self._pending, self._done = 0, 0
        self._began_at = self._drawn_at = clock()

    def advance(self, parts: int, **fields: Any) -> None:
        """Count finished parts; redraw the line with these fields, ten times a second at most.

        Its field `rate` is set to the recent parts per second, or, until that is known, their mean.
        """
        self._pending += parts
        self._done += parts
        now = self._clock()
        if now - self._drawn_at >= _REFRESH_SECONDS:
            rate = self.progress.tasks[0].speed or self._done / (now - self._began_at)
            self.progress.update(
                self._task, advance=self._pending, refresh=True, rate=rate, **fields
            )
            self._pending, self._drawn_at = 0, now


class RunProgress:
    """The progress of a run: items, items per second, and the share of duplicates.

    >>> with RunProgress(stderr_console(), quiet=quiet) as progress:
    ...     progress.advance(items=512, duplicates=91)
    """

    def __init__(
        self, console: "Console", *, quiet: bool = False, clock: _Clock = monotonic
    ) -> None:
        self._console, self._quiet = console, quiet
        self._items, self._duplicates = 0, 0
        self._line: _Line | None = None
        if not quiet and console.is_interactive:
            columns = ("{task.completed:,.0f} items", _RATE, "{task.fields[share]} duplicates")
            self._line = _Line(console, *columns, clock=clock, share="0%")

    def __enter__(self) -> Self:
        if self._line is not None:
            self._line.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.progress.stop()

    def advance(self, *, items: int, duplicates: int) -> None:
        """Count the items and duplicates judged since the last call, and draw the progress."""
        self._items += items
        self._duplicates += duplicates
        if self._line is not None:
            share = self._duplicates / self._items if self._items else 0.0
            self._line.advance(items, share=f"{share:.0%}")

    def note(self, text: str) -> None:
        """Print a line for a person above the progress, unless quiet."""
        if not self._quiet:
            self._console.print(text)


class Steps:
    """The progress of work in steps: each is shown on standard error while it lasts."""

    def __init__(self, *, quiet: bool) -> None:
        self._console, self._quiet = stderr_console(), quiet

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        """Show a step while the block runs; yield the function that counts finished parts.

        `total` is the number of all parts, None if it is not known.
        """
        if self._quiet or not self._console.is_interactive:
            yield lambda _: None
            return
        of = "" if total is None else " of {task.total:,.0f}"
        columns = (name, "{task.completed:,.0f}" + of)
        line = _Line(self._console, *columns, total=total, clock=monotonic)
        with line.progress:
            line.progress.refresh()
            yield line.advance

    def say(self, text: str) -> None:
        """Print a line for a person, unless quiet."""
        if not self._quiet:
            self._console.print(text)


def show_count(
    things: Iterable[_T],
    console: "Console",
    *,
    of: str,
    counted: type = object,
    quiet: bool = False,
    clock: _Clock = monotonic,
) -> Iterator[_T]:
    """Yield things unchanged, and show how many of the type `counted` came, and their rate.

    `of` is the noun after the number. In a pipe, and when quiet, nothing is shown.
    """
    if quiet or not console.is_interactive:
        yield from things
        return
    line = _Line(console, f"{{task.completed:,.0f}} {of}", _RATE, clock=clock)
    with line.progress:
        for thing in things:
            yield thing
            line.advance(int(isinstance(thing, counted)))
