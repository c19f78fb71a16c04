"""Files of a report: page, figures, and atomic writing."""

import json
import os
from pathlib import Path

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.lab.report.html import render_html
from newsdedup.lab.report.report import Provenance, StudyReport


def prepare_report_folder(path: Path) -> Path:
    """Create the folder; raise at once, before minutes of work, if it is not writable."""
    with sink_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".newsdedup-writable"
        probe.write_bytes(b"")
        probe.unlink()
    return path


def write_report(report: StudyReport, made: Provenance, folder: Path) -> tuple[Path, Path]:
    """Write page and figures and return their paths; equal reports give equal bytes."""
    values = {
        "report": report.name,
        "made": {"command": made.command, "date": made.date, "versions": dict(made.versions)},
        "figures": dict(report.figures),
    }
    page, figures = folder / f"{report.name}.html", folder / f"{report.name}.json"
    write_atomically(page, render_html(report, made).encode())
    write_atomically(figures, render_json(values, indent=1))
    return page, figures


def render_json(value: object, *, indent: int | None = None) -> bytes:
    """Return a value as JSON bytes with keys in their given order."""
    return (json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False) + "\n").encode()


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old or the new content, never a part."""
    part = path.with_name(f".{path.name}.part")
    with sink_errors(path):
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
