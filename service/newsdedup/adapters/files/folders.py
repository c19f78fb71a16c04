"""Folders of inputs: every file in them, or an error."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from newsdedup.ports.errors import SourceUnusable


def list_files(folder: Path, is_wanted: Callable[[str], bool]) -> list[Path]:
    """Return the files in a folder and below it whose names are wanted, in their order.

    Raise SourceUnusable for a folder that cannot be looked into: its files would be missing.
    """
    try:
        return sorted(
            path
            for above, _, names in os.walk(folder, onerror=_raise)
            for path in (Path(above, name) for name in names if is_wanted(name))
            if _is_file(path)
        )
    except OSError as error:
        named = error.filename or folder
        raise SourceUnusable(f"{named}: cannot be read: {error.strerror or error}") from error


def _raise(error: OSError) -> None:
    raise error


def _is_file(path: Path) -> bool:
    """Return whether there is a file; unlike pathlib, do not take a forbidden one for none."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:  # a link to nothing, or removed meanwhile
        return False
