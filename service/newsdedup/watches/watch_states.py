"""The state of saved searches: how much each found, and how its webhook fares."""

from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from newsdedup.core.moments import to_datetime
from newsdedup.watches.hits import WATCH_SCHEMA
from newsdedup.watches.watch import Watch

_WATCH: Final = msgspec.json.Decoder(Watch)
STATES: Final = """
SELECT w.definition, w.listed, w.failing_since, w.problem,
    (SELECT count(*) FROM hits h WHERE h.watch = w.name),
    (SELECT count(*) FROM hits h WHERE h.watch = w.name AND h.found > ?),
    (SELECT count(*) FROM deliveries d WHERE d.watch = w.name AND d.dead = 0),
    (SELECT count(*) FROM deliveries d WHERE d.watch = w.name AND d.dead = 1)
FROM watches w ORDER BY w.name
"""
"""Selects what `state_of` reads, with the hits since a time as new ones."""


class WatchState(Struct, frozen=True, kw_only=True):
    """A saved search with what became of it."""

    watch: Watch
    listed: bool
    """Whether it is one of the settings, which pages cannot delete."""
    hits: int
    new_hits: int
    """Found in the last 24 hours."""
    waiting: int
    """Hits that are to be sent to its webhook."""
    dead: int
    failing_since: datetime | None
    """Since when no attempt of its webhook has succeeded; None while it takes what it gets."""
    problem: str
    """Why the last attempt failed."""


def read_problems(path: Path) -> tuple[int, list[str]]:
    """Return how many searches a file has, and a line for each whose webhook fails or gave up.

    It may be in use. Raise SourceUnusable if there is no such file, StateUnusable for another kind.
    """
    opened = closing(WATCH_SCHEMA.open_for_reading(path, WATCH_SCHEMA.check))
    with opened as connection, WATCH_SCHEMA.errors(path, "reading"):
        rows = connection.execute(STATES, (0,)).fetchall()
    states = [state_of(row) for row in rows]
    return len(states), [line for line in map(problem_of, states) if line]


def problem_of(state: WatchState) -> str:
    """Return what is wrong with the webhook of a search, "" if nothing is."""
    if state.failing_since is not None:
        return (
            f"webhook of {state.watch.name}: failing since {state.failing_since:%Y-%m-%dT%H:%MZ}"
            f" ({state.problem}), {state.waiting} waiting, {state.dead} dead"
        )
    return f"webhook of {state.watch.name}: {state.dead} dead letters" if state.dead else ""


def state_of(row: Sequence[Any]) -> WatchState:
    """Return a search with what became of it, of a row of STATES."""
    definition, listed, failing_since, problem, hits, new_hits, waiting, dead = row
    return WatchState(
        watch=_WATCH.decode(definition),
        listed=bool(listed),
        hits=hits,
        new_hits=new_hits,
        waiting=waiting,
        dead=dead,
        failing_since=None if failing_since is None else to_datetime(failing_since),
        problem=problem,
    )
