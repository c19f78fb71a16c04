"""The files that a process writes to, by what they hold: their volumes must not fill."""

from pathlib import Path

from newsdedup.adapters.files.paths import STDIO, scheme_of
from newsdedup.bootstrap.runs import RunPaths


def run_files(places: RunPaths | None) -> dict[str, Path]:
    """Return the files of an embedded run, none without one."""
    if places is None:
        return {}
    files = {"state": places.state, **output_files(places.to)}
    if places.archive is not None:
        files["archive"] = places.archive
    return files


def output_files(to: str) -> dict[str, Path]:
    """Return the file behind a place for records or events; none behind a stream or an address."""
    return {} if to == STDIO or scheme_of(to) else {"output": Path(to)}
