"""The folder of a report: the page, the figures beside it, and the stages on the way to them."""

import json
import os
from pathlib import Path

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.lab.report.html import render_html
from newsdedup.lab.report.report import Provenance, StudyReport


def prepare_report_folder(path: Path) -> Path:
    """Return the folder, made if need be; refuse one in which nothing can be written.

    Asked before the work begins, which may take minutes.
    """
    with sink_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".newsdedup-writable"
        probe.write_bytes(b"")
        probe.unlink()
    return path


def write_report(report: StudyReport, made: Provenance, folder: Path) -> tuple[Path, Path]:
    """Write the page and its figures; return their names. The same report, the same bytes."""
    told = {
        "report": report.name,
        "made": {"command": made.command, "date": made.date, "versions": dict(made.versions)},
        "figures": dict(report.figures),
    }
    page, figures = folder / f"{report.name}.html", folder / f"{report.name}.json"
    write_atomically(page, render_html(report, made).encode())
    write_atomically(figures, render_json(told, indent=1))
    return page, figures


def render_json(value: object, *, indent: int | None = None) -> bytes:
    """Return a value as JSON; keys keep their order, so that equal values give equal bytes."""
    return (json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False) + "\n").encode()


def write_atomically(path: Path, data: bytes) -> None:
    """Let a file hold this, or what it held before: never a part of it."""
    part = path.with_name(f".{path.name}.part")
    with sink_errors(path):
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
