"""How far a study of the lab has come: one line on the terminal for the step it is at."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

REFRESH_SECONDS = 0.1


class Steps:
    """Shows each step while it lasts; in a pipe, and when quiet, nothing.

    >>> steps = Steps(stderr_console(), quiet=quiet)
    >>> with steps.step("reading", total=len(items)) as advance:
    ...     advance(512)

    Drawn by `advance` alone, as the line of a run is: no thread runs beside the work.
    """

    def __init__(
        self, console: "Console", *, quiet: bool, clock: Callable[[], float] = monotonic
    ) -> None:
        self._console = console
        self._quiet = quiet
        self._clock = clock

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        """Show a step of so many parts, if that is known."""
        if self._quiet or not self._console.is_interactive:
            yield lambda _: None
            return
        from rich import progress as rich

        of = "" if total is None else " of {task.total:,.0f}"
        line = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.TextColumn("{task.completed:,.0f}" + of),
            *([] if total is None else [rich.BarColumn(bar_width=24)]),
            rich.TimeElapsedColumn(),
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            get_time=self._clock,
        )
        task = line.add_task(name, total=total)
        drawn_at = self._clock()

        def advance(parts: int) -> None:
            nonlocal drawn_at
            line.update(task, advance=parts)
            if self._clock() - drawn_at >= REFRESH_SECONDS:
                drawn_at = self._clock()
                line.refresh()

        with line:
            line.refresh()
            yield advance

    def say(self, text: str) -> None:
        """Print a line for a person."""
        if not self._quiet:
            self._console.print(text, markup=False, highlight=False)
