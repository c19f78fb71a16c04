from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Line
    from rich.progress import TaskID

REFRESH_SECONDS = 0.1


class RunProgress:
    """A line on the terminal that tells how far a run has come; nothing in a pipe.

    >>> with Progress(stderr_console(), quiet=quiet) as progress:
    ...     progress.advance(items=512, duplicates=91)

    It is drawn by `advance` alone: no thread runs beside the engine, and a stream that pauses
    leaves the line as it is. Where the data goes to the same terminal, be quiet.
    """

    def __init__(
        self,
        console: "Console",
        *,
        quiet: bool = False,
        total: int | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._console = console
        self._quiet = quiet
        self._clock = clock
        self._items = 0
        self._duplicates = 0
        self._began_at = self._drawn_at = clock()
        self._line: Line | None = None
        if not quiet and console.is_interactive:
            self._line, self._task = _line(console, total=total, clock=clock)

    def __enter__(self) -> Self:
        if self._line is not None:
            self._line.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.stop()

    def advance(self, *, items: int, duplicates: int) -> None:
        """Count what was judged since the last call."""
        self._items += items
        self._duplicates += duplicates
        if self._line is None:
            return
        self._line.update(self._task, advance=items, share=self._share, rate=self._rate)
        now = self._clock()
        if now - self._drawn_at >= REFRESH_SECONDS:
            self._drawn_at = now
            self._line.refresh()

    def note(self, text: str) -> None:
        """Print a line for a person, above the progress."""
        if not self._quiet:
            self._console.print(text)

    @property
    def _rate(self) -> float:
        """Return items per second lately, or since the beginning while that is all there is."""
        speeds = [] if self._line is None else [task.speed for task in self._line.tasks]
        passed = self._clock() - self._began_at
        return next(filter(None, speeds), self._items / passed if passed else 0.0)

    @property
    def _share(self) -> str:
        return f"{self._duplicates / self._items:.0%}" if self._items else "0%"


def _line(
    console: "Console", *, total: int | None, clock: Callable[[], float]
) -> tuple["Line", "TaskID"]:
    """Return what draws the line, and the one task it shows."""
    from rich import progress as rich

    of = "" if total is None else " of {task.total:,.0f}"
    columns = [
        rich.TextColumn("{task.completed:,.0f}" + of + " items"),
        rich.TextColumn("{task.fields[rate]:,.0f}/s"),
        rich.TextColumn("{task.fields[share]} duplicates"),
        rich.TimeElapsedColumn(),
    ]
    line = rich.Progress(
        *columns,
        console=console,
        auto_refresh=False,
        transient=True,
        # Data on standard output must not pass through the drawing of this line.
        redirect_stdout=False,
        redirect_stderr=False,
        get_time=clock,
    )
    return line, line.add_task("", total=total, share="0%", rate=0.0)
