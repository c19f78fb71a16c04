"""Progress on a terminal, drawn by the work itself: no thread runs alongside the engine.

In a pipe, and when quiet, nothing is drawn. Where data goes to the same terminal, be quiet.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_REFRESH_SECONDS = 0.1
_T = TypeVar("_T")
_Clock = Callable[[], float]


class _Line:
    """One line of a terminal with the progress of one task, redrawn ten times a second at most."""

    def __init__(
        self,
        console: "Console",
        *columns: str,
        total: int | None = None,
        bar: bool = False,
        clock: _Clock,
        **fields: Any,
    ) -> None:
        from rich import progress as rich

        parts: list[rich.ProgressColumn] = [rich.TextColumn(column) for column in columns]
        if bar:
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
        self._task = self.progress.add_task("", total=total, **fields)
        self._pending = 0
        self._drawn_at = clock()

    def advance(self, parts: int, **fields: Any) -> None:
        """Count finished parts; redraw the line with these fields, ten times a second at most."""
        self._pending += parts
        now = self._clock()
        if now - self._drawn_at >= _REFRESH_SECONDS:
            self.progress.update(self._task, advance=self._pending, refresh=True, **fields)
            self._pending, self._drawn_at = 0, now

    @property
    def speed(self) -> float | None:
        """Return the recent parts per second, None before that is known."""
        return self.progress.tasks[0].speed


class RunProgress:
    """The progress of a run: items, items per second, and the share of duplicates.

    >>> with RunProgress(stderr_console(), quiet=quiet) as progress:
    ...     progress.advance(items=512, duplicates=91)
    """

    def __init__(
        self, console: "Console", *, quiet: bool = False, clock: _Clock = monotonic
    ) -> None:
        self._console = console
        self._quiet = quiet
        self._clock = clock
        self._items = 0
        self._duplicates = 0
        self._began_at = clock()
        self._line: _Line | None = None
        if not quiet and console.is_interactive:
            self._line = _Line(
                console,
                "{task.completed:,.0f} items",
                "{task.fields[rate]:,.0f}/s",
                "{task.fields[share]} duplicates",
                clock=clock,
                share="0%",
                rate=0.0,
            )

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
            share = f"{self._duplicates / self._items:.0%}" if self._items else "0%"
            self._line.advance(items, share=share, rate=self._rate(self._line))

    def note(self, text: str) -> None:
        """Print a line for a person above the progress, unless quiet."""
        if not self._quiet:
            self._console.print(text)

    def _rate(self, line: _Line) -> float:
        """Return the recent items per second; before that is known, the mean since the start."""
        passed = self._clock() - self._began_at
        return line.speed or (self._items / passed if passed else 0.0)


class Steps:
    """The progress of a study of the lab: each step while it lasts.

    >>> steps = Steps(stderr_console(), quiet=quiet)
    >>> with steps.step("reading", total=len(items)) as advance:
    ...     advance(512)
    """

    def __init__(self, console: "Console", *, quiet: bool, clock: _Clock = monotonic) -> None:
        self._console = console
        self._quiet = quiet
        self._clock = clock

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        """Show a step while the block runs; yield the function that counts finished parts.

        `total` is the number of all parts, None if it is not known.
        """
        if self._quiet or not self._console.is_interactive:
            yield lambda _: None
            return
        of = "" if total is None else " of {task.total:,.0f}"
        line = _Line(
            self._console,
            name,
            "{task.completed:,.0f}" + of,
            total=total,
            bar=total is not None,
            clock=self._clock,
        )
        with line.progress:
            line.progress.refresh()
            yield line.advance

    def announce(self, step: str) -> None:
        """Print the name of a step that begins, unless quiet."""
        self.say(f"{step} ...")

    def say(self, text: str) -> None:
        """Print a line for a person, unless quiet."""
        if not self._quiet:
            self._console.print(text, markup=False, highlight=False)


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

    `of` is the word behind the number. In a pipe, and when quiet, nothing is shown.
    """
    if quiet or not console.is_interactive:
        yield from things
        return
    columns = (f"{{task.completed:,.0f}} {of}", "{task.fields[rate]:,.0f}/s")
    line = _Line(console, *columns, clock=clock, rate=0.0)
    with line.progress:
        began = clock()
        count = 0
        for thing in things:
            yield thing
            new = int(isinstance(thing, counted))
            count += new
            passed = clock() - began
            line.advance(new, rate=count / passed if passed else 0.0)
