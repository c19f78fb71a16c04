"""Stages of a study, stored in the report folder so that a rerun need not repeat them."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from newsdedup.lab.report.files import render_json, write_atomically

Advance = Callable[[int], None]
"""Counts what was done since the last call."""

_STAGE_FORMAT = 1
"""Raised whenever a stage of the same parameters would find other figures, or tell them so."""


class StepProgress(Protocol):
    """Receives the progress of a study."""

    def step(self, name: str, total: int | None = None) -> AbstractContextManager[Advance]:
        """Begin a step of `total` parts, if known; the context gives a counter."""
        ...

    def say(self, text: str) -> None:
        """Report a line of text."""
        ...


class NoProgress:
    """Discards progress."""

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        """Discard a step."""
        del name, total
        yield lambda _: None

    def say(self, text: str) -> None:
        """Discard a line."""
        del text


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages of one report over one collection, each a file in a folder.

    A stage whose file was made of the same inputs with the same parameters is read, not done;
    one that is damaged or was made of others is done again.
    """

    folder: Path
    inputs: str
    """A digest of all that is read, and of what reads it."""
    watch: StepProgress
    fresh: bool = False
    """Whether every stage is done again."""

    def run(self, name: str, parameters: Mapping[str, object], work: Callable[[], object]) -> Any:
        """Return the figures of a stage, computed now or read from its file."""
        path = self.folder / f"{name}.stage.json"
        made_of = {"form": _STAGE_FORMAT, "inputs": self.inputs, "parameters": dict(parameters)}
        stored = None if self.fresh else _read_stage(path)
        if stored is not None and stored.get("made_of") == json.loads(render_json(made_of)):
            self.watch.say(f"{name}: kept in {path.name}")
            return stored["figures"]
        done = render_json({"made_of": made_of, "figures": work()})
        write_atomically(path, done)
        # Read back, so that a stage done now and one done before tell the same to the bit.
        return json.loads(done)["figures"]


def _read_stage(path: Path) -> dict[str, Any] | None:
    """Return a stored stage, None if the file is missing or damaged."""
    try:
        stored = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return stored if type(stored) is dict and "figures" in stored else None
