import io
from collections.abc import Iterator

from rich.console import Console

from newsdedup.cli.shown.tally import show_count


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


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


def test_a_terminal_shows_how_many_and_how_fast() -> None:
    console = terminal()
    counted(console, step=1)
    assert "999 rows" in written(console)
    assert "/s" in written(console)


def test_the_line_is_drawn_only_now_and_then() -> None:
    console = terminal()
    counted(console, step=0.0001)
    assert written(console).count(" rows") < 20


def test_pipes_and_quiet_people_hear_nothing() -> None:
    pipe = Console(file=io.StringIO(), force_interactive=False)
    silent = terminal()
    assert counted(pipe, step=1) == counted(silent, step=1, quiet=True)
    assert written(pipe) == written(silent) == ""
