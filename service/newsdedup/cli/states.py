"""Where runs write and where their states are, and the item of a state that a name means."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, TypeVar

import typer

from newsdedup.cli.options import STANDARD_STREAM
from newsdedup.cli.output import printable_line
from newsdedup.config import Settings

if TYPE_CHECKING:
    from newsdedup.adapters.sqlite.state import StateReader
    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.core.model import ItemKey
    from newsdedup.core.stories.kinship import Placed

_T = TypeVar("_T")
_DEAD_IN_PIPES = "newsdedup.dlq.jsonl"
_MOST_SOURCES = 10
"""Items that a message names when an id is not enough."""


def state_path(settings: Settings) -> Path:
    """Return the path of the state in the settings; raise BadParameter if they name none.

    FILE.state is used instead of FILE if it exists and FILE is no database, so that users can name
    the output of a run instead of the state next to it.
    """
    named = settings.run.state
    if not named:
        raise typer.BadParameter("name a state with --state FILE, such as events.jsonl.state")
    path, alongside = Path(named), Path(f"{named}.state")
    if not alongside.is_file():
        return path
    if path.is_file():
        with path.open("rb") as file:
            if file.read(16) == b"SQLite format 3\0":
                return path
    return alongside


def run_paths(
    settings: Settings, *, to: str, dlq: str | None, fresh: bool, archive: Path | None = None
) -> "RunPaths":
    """Return the paths of a run: its output `to`, and the state and dead letters next to it.

    Settings may name another state, and `dlq` another file of dead letters. For a device, a named
    pipe, an address or standard output the state is in memory, the dead letters in the current
    folder. Raise SinkUnusable if the output is a folder, or this user may not look at it.
    """
    from newsdedup.adapters.files.inputs import is_pipe
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.adapters.files.paths import refuse_folder, scheme_of
    from newsdedup.adapters.sqlite.file_schema import MEMORY
    from newsdedup.bootstrap.runs import RunPaths

    with sink_errors(Path(to)):
        refuse_folder(to)
        is_file = to != STANDARD_STREAM and not scheme_of(to) and not is_pipe(Path(to))
    output = Path(to) if is_file else None
    state = Path(settings.run.state) if settings.run.state else MEMORY
    if output is not None and not settings.run.state:
        state = output.with_name(output.name + ".state")
    dead = Path(_DEAD_IN_PIPES) if output is None else output.with_name(output.name + ".dlq")
    return RunPaths(to, state, Path(dlq) if dlq else dead, fresh, archive)


def find_item(name: str, state: "StateReader") -> "Placed":
    """Return the one item of a state that `name` (ID or SOURCE/ID) means.

    Raise SourceUnusable if there is none, with the most similar names, or if its source withdrew
    it; raise BadParameter if several sources have that id.
    """
    from newsdedup.ports.errors import SourceUnusable

    items = state.find_items(name)
    if not items:
        raise SourceUnusable(describe_unknown(name, state, among=()))
    item = only_item(name, items, lambda placed: placed.record.key)
    if item.record.retracted:
        raise SourceUnusable(f"{name} was withdrawn by its source; nothing of it is kept")
    return item


def only_item(name: str, items: Sequence[_T], key: Callable[[_T], "ItemKey"]) -> _T:
    """Return the only one of the items that have this name; `key` returns the key of an item.

    If there are several, raise BadParameter with SOURCE/ID of up to ten of them.
    """
    from newsdedup.core.item_names import item_name

    if len(items) == 1:
        return items[0]
    names = [printable_line(item_name(key(item))) for item in items[:_MOST_SOURCES]]
    more = f" and {len(items) - _MOST_SOURCES} more" if len(items) > _MOST_SOURCES else ""
    raise typer.BadParameter(
        f"{len(items)} sources have an item {printable_line(name)}; write SOURCE/ID, one of: "
        f"{', '.join(names)}{more}"
    )


def describe_unknown(name: str, state: "StateReader", *, among: Iterable[str]) -> str:
    """Return the error message for a name that no item of a state has.

    It gives the last verdict on an item that has left the window, from the output files of the
    state; else the most similar ids and names of items in the state and in `among`.
    """
    from newsdedup.cli.event_files import find_published
    from newsdedup.core.item_names import item_name, nearest_names
    from newsdedup.core.moments import to_datetime

    known, oldest = set(among), None
    for record in state.records():
        if not record.retracted:
            known.update((record.key.id, item_name(record.key)))
            at = record.entry.effective_at
            oldest = at if oldest is None else min(at, oldest)
    if published := find_published(name, state.outputs):
        file, last = published
        since = "no items" if oldest is None else f"{to_datetime(oldest):items since %F %R} UTC"
        story = f", story {last.story.id}" if last.story else ""
        return (
            f"{name} has left the window: {state.path} keeps {since}. The verdict in {file} was: "
            f"{last.verdict}{story}. `newsdedup explain A B --items FILE` compares items of a file"
        )
    near = nearest_names(name, known)
    advice = (
        f"did you mean {' or '.join(near)}?"
        if near
        else f"`newsdedup stories list {quote(str(state.path))}` lists some"
    )
    return f"nothing called {name} is kept in {state.path}; {advice}"
