"""Files by their paths: all in a folder, whether two paths are one file, free space under each."""

import os
import shutil
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from newsdedup.ports.errors import SinkUnusable, SourceUnusable

STDIO = "-"
"""The path that means standard input or standard output."""


def scheme_of(target: str) -> str:
    """Return the scheme of an address (SCHEME://...) in lower case, "" for the path of a file."""
    scheme, delimiter, _ = target.partition("://")
    return scheme.lower() if delimiter else ""


FileIdentity = tuple[int, int] | Path
"""Device and number of a file, under whatever name; the path of one that is not there yet."""


def list_files(folder: Path, is_wanted: Callable[[str], bool]) -> list[Path]:
    """Return the files in a folder and below it whose names are wanted, sorted.

    Raise SourceUnusable for a folder that cannot be listed: its files would be missing.
    """

    def fail(error: OSError) -> None:
        raise error

    try:
        return sorted(
            path
            for above, _, names in os.walk(folder, onerror=fail)
            for path in (Path(above, name) for name in names if is_wanted(name))
            if _is_file(path)
        )
    except OSError as error:
        target = error.filename or folder
        raise SourceUnusable(f"{target}: cannot be read: {error.strerror or error}") from error


def _is_file(path: Path) -> bool:
    """Return whether a path is a regular file; raise PermissionError, which pathlib hides."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:  # a link to nothing, or removed meanwhile
        return False


def refuse_folder(target: str | Path) -> None:
    """Raise SinkUnusable if an output is a folder: files next to it could have no name."""
    if target != STDIO and Path(target).is_dir():
        raise SinkUnusable(f"{target}: cannot be written: Is a directory; name a file in it")


def refuse_clashes(outputs: Iterable[tuple[str, str | Path]], inputs: Iterable[str | Path]) -> None:
    """Raise SinkUnusable if an output is also an input, or two outputs are one file.

    Outputs are pairs of a flag and its path. Pipes, devices and addresses are not compared.
    """
    read = {file_identity(target, descriptor=0) for target in inputs}
    written: dict[FileIdentity, str] = {}
    for flag, target in outputs:
        file = file_identity(target, descriptor=1)
        if file is None:
            continue
        name = "standard output" if target == STDIO else target
        if file in read:
            raise SinkUnusable(f"{name} is an input and would be overwritten: name another {flag}")
        if file in written:
            raise SinkUnusable(f"{name} is named by {written[file]} and by {flag}: name two files")
        written[file] = flag


def file_identity(target: str | Path, *, descriptor: int = 0) -> FileIdentity | None:
    """Return what identifies a file, None for pipes and addresses; `-` is the descriptor's file."""
    if isinstance(target, str) and scheme_of(target):
        return None
    try:
        state = os.fstat(descriptor) if target == STDIO else Path(target).stat()
    except OSError:
        return None if target == STDIO else Path(target).resolve()
    return (state.st_dev, state.st_ino) if stat.S_ISREG(state.st_mode) else None


def free_by_name(files: Mapping[str, Path]) -> dict[str, float]:
    """Return the free bytes of the volume under each file, by the name of the file.

    A file that is not there yet counts by its folder; one whose folder cannot be looked at is left
    out. A link counts by what it leads to.
    """
    free: dict[str, float] = {}
    for name, path in files.items():
        with suppress(OSError):
            free[name] = shutil.disk_usage(path if path.exists() else path.parent).free
    return free
