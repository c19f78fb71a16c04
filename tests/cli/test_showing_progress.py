import io
from collections.abc import Iterator

from rich.console import Console

from newsdedup.cli.shown.progress import RunProgress, show_count


class Clock:
    """Tells the time it was set to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)


def pipe() -> Console:
    return Console(file=io.StringIO(), force_interactive=False)


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def steps(progress: RunProgress, clock: Clock, *, seconds: float) -> Iterator[None]:
    """Judge 100 items, a quarter of them duplicates, at every step."""
    while True:
        clock.now += seconds
        progress.advance(items=100, duplicates=25)
        yield


def test_a_terminal_shows_items_rate_share_and_time() -> None:
    console, clock = terminal(), Clock()
    with RunProgress(console, clock=clock) as progress:
        running = steps(progress, clock, seconds=0.5)
        for _ in range(30):
            next(running)
    last = written(console).split("\r")[-3:]
    shown = " ".join(last)
    assert "3,000 items" in shown
    assert "200/s" in shown
    assert "25% duplicates" in shown
    assert "0:00:15" in shown


def test_the_line_is_drawn_at_most_ten_times_a_second() -> None:
    console, clock = terminal(), Clock()
    with RunProgress(console, clock=clock) as progress:
        running = steps(progress, clock, seconds=0.001)
        for _ in range(1000):
            next(running)
    assert written(console).count(" items") <= 12


def test_a_pipe_hears_nothing() -> None:
    console, clock = pipe(), Clock()
    with RunProgress(console, clock=clock) as progress:
        next(steps(progress, clock, seconds=1))
    assert written(console) == ""


def test_notes_reach_a_pipe_and_stand_above_the_line_of_a_terminal() -> None:
    for console in (pipe(), terminal()):
        with RunProgress(console) as progress:
            progress.advance(items=1, duplicates=0)
            progress.note("7 bad records")
        assert "7 bad records\n" in written(console)


def test_quiet_means_silent() -> None:
    console, clock = terminal(), Clock()
    with RunProgress(console, quiet=True, clock=clock) as progress:
        next(steps(progress, clock, seconds=1))
        progress.note("nobody asked")
    assert written(console) == ""


def test_no_items_are_no_duplicates() -> None:
    console, clock = terminal(), Clock()
    with RunProgress(console, clock=clock) as progress:
        clock.now += 1
        progress.advance(items=0, duplicates=0)
    assert "0% duplicates" in written(console)


def ticking(step: float) -> Iterator[float]:
    now = 0.0
    while True:
        now += step
        yield now


def counted(console: Console, *, step: float, quiet: bool = False) -> list[int]:
    clock = ticking(step)
    things = show_count(range(1000), console, of="rows", quiet=quiet, clock=lambda: next(clock))
    return list(things)


def test_things_come_through_in_their_order() -> None:
    assert counted(terminal(), step=1) == [*range(1000)]


def test_a_terminal_shows_how_many_things_and_how_fast() -> None:
    console = terminal()
    counted(console, step=1)
    assert "999 rows" in written(console)
    assert "/s" in written(console)


def test_what_is_not_of_the_counted_type_comes_through_uncounted() -> None:
    console, clock = terminal(), ticking(1)
    lines: list[int | None] = [1, None, None, 2, None]
    things = show_count(lines, console, of="lines", counted=int, clock=lambda: next(clock))
    assert list(things) == lines
    assert "2 lines" in written(console)
    assert "3 lines" not in written(console)


def test_the_line_of_a_count_is_drawn_only_now_and_then() -> None:
    console = terminal()
    counted(console, step=0.0001)
    assert written(console).count(" rows") < 20


def test_pipes_and_quiet_people_hear_nothing() -> None:
    pipe = Console(file=io.StringIO(), force_interactive=False)
    silent = terminal()
    assert counted(pipe, step=1) == counted(silent, step=1, quiet=True)
    assert written(pipe) == written(silent) == ""
