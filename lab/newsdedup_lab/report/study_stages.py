"""Stages of a study, stored in the report folder so that a rerun need not repeat them."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup_lab.report.html import render_html
from newsdedup_lab.report.report_content import Provenance, StudyReport


def prepare_report_folder(path: Path) -> Path:
    """Create the folder of a report and return its path.

    Raise SinkUnusable at once, before minutes of work, if no file can be written there.
    """
    with sink_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".newsdedup-writable"
        probe.write_bytes(b"")
        probe.unlink()
    return path


def write_report(report: StudyReport, made: Provenance, folder: Path) -> tuple[Path, Path]:
    """Write a report as NAME.html and NAME.json into a folder; return both paths.

    Equal reports give equal bytes.
    """
    values = {
        "report": report.name,
        "made": {"command": made.command, "date": made.date, "versions": dict(made.versions)},
        "measurements": dict(report.measurements),
    }
    page, measurements = folder / f"{report.name}.html", folder / f"{report.name}.json"
    write_atomically(page, render_html(report, made).encode())
    write_atomically(measurements, render_json(values, indent=1))
    return page, measurements


def render_json(value: object, *, indent: int | None = None) -> bytes:
    """Return a value as JSON bytes with keys in their given order."""
    return (json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False) + "\n").encode()


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old or the new content, never a part.

    Raise SinkUnusable if it cannot be written.
    """
    part = path.with_name(f".{path.name}.part")
    with sink_errors(path):
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)


Advance = Callable[[int], None]
"""Counts what was done since the last call."""

_STAGE_FORMAT = 1
"""Raised whenever a stage of the same parameters would find other measurements, or tell them so."""


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
        """Discard the step; the context gives a counter that does nothing."""
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
        """Return the measurements of a stage, read from its file, or computed by `work` and stored.

        The file is read if it was made of the same inputs with the same `parameters` and `fresh` is
        not set. Measurements pass through JSON in both cases, so tuples come back as lists.
        """
        path = self.folder / f"{name}.stage.json"
        made_of = {"form": _STAGE_FORMAT, "inputs": self.inputs, "parameters": dict(parameters)}
        stored = None if self.fresh else _read_stage(path)
        if stored is not None and stored.get("made_of") == json.loads(render_json(made_of)):
            self.watch.say(f"{name}: kept in {path.name}")
            return stored["measurements"]
        done = render_json({"made_of": made_of, "measurements": work()})
        write_atomically(path, done)
        # Read back, so that a stage done now and one done before tell the same to the bit.
        return json.loads(done)["measurements"]


def _read_stage(path: Path) -> dict[str, Any] | None:
    """Return the JSON object in a stage's file, None if the file is missing or damaged."""
    try:
        stored = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return stored if type(stored) is dict and "measurements" in stored else None
