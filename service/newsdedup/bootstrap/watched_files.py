"""The files that a process writes to, by what they hold: their volumes must not fill."""

from pathlib import Path

from newsdedup.adapters.files.paths import STDIO, scheme_of
from newsdedup.bootstrap.runs import RunPaths


def run_files(paths: RunPaths | None) -> dict[str, Path]:
    """Return the files of an embedded run, none without one."""
    if paths is None:
        return {}
    files = {"state": paths.state, **output_files(paths.to)}
    if paths.archive is not None:
        files["archive"] = paths.archive
    return files


def output_files(to: str) -> dict[str, Path]:
    """Return the file that a path for records or events names; none for a stream or an address."""
    return {} if to == STDIO or scheme_of(to) else {"output": Path(to)}
