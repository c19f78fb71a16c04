"""Folders of inputs: every file in them, or an error."""

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from newsdedup.ports.errors import SinkUnusable, SourceUnusable


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


_STANDARD = "-"
FileIdentity = tuple[int, int] | Path
"""Device and number of a file, under whatever name; the path of one that is not there yet."""


def refuse_clashes(outputs: Iterable[tuple[str, str | Path]], inputs: Iterable[str | Path]) -> None:
    """Raise SinkUnusable if a file would be written that is read, or one file by two flags.

    Outputs are flags and their places. What is no regular file holds nothing that could be lost.
    """
    read = {file_identity(place, descriptor=0) for place in inputs}
    written: dict[FileIdentity, str] = {}
    for flag, place in outputs:
        found = file_identity(place, descriptor=1)
        if found is None:
            continue
        told = "standard output" if place == _STANDARD else place
        if found in read:
            raise SinkUnusable(f"{told} is an input and would be overwritten: name another {flag}")
        if found in written:
            raise SinkUnusable(f"{told} is named by {written[found]} and by {flag}: name two files")
        written[found] = flag


def file_identity(place: str | Path, *, descriptor: int) -> FileIdentity | None:
    """Return what tells a file from others, None for pipes and devices; `-` is the descriptor."""
    try:
        found = os.fstat(descriptor) if place == _STANDARD else Path(place).stat()
    except OSError:
        return None if place == _STANDARD else Path(place).resolve()
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
