from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

REFRESH_SECONDS = 0.1
T = TypeVar("T")


def show_count(
    things: Iterable[T],
    console: "Console",
    *,
    of: str,
    quiet: bool = False,
    clock: Callable[[], float] = monotonic,
) -> Iterator[T]:
    """Yield things and count them on a terminal; in a pipe, or if quiet, only yield them.

    The line is drawn between two things, never by a thread beside the engine.
    """
    if quiet or not console.is_interactive:
        yield from things
        return
    from rich import progress as rich

    columns = (
        rich.TextColumn(f"{{task.completed:,.0f}} {of}"),
        rich.TextColumn("{task.fields[rate]:,.0f}/s"),
        rich.TimeElapsedColumn(),
    )
    with rich.Progress(
        *columns,
        console=console,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        get_time=clock,
    ) as line:
        task = line.add_task("", total=None, rate=0.0)
        began = drawn_at = clock()
        for count, thing in enumerate(things, 1):
            yield thing
            now = clock()
            if now - drawn_at >= REFRESH_SECONDS:
                line.update(task, completed=count, rate=count / (now - began), refresh=True)
                drawn_at = now
