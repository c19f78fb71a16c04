"""What earlier runs left in a folder of inputs: the same output, dead letters and state."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from newsdedup.adapters.files.clashes import _STANDARD, FileIdentity, file_identity
from newsdedup.adapters.files.letters_file import holds_letters
from newsdedup.adapters.sqlite.state_file import MEMORY


def own_files(*, to: str, state: Path, dead: Path) -> set[FileIdentity]:
    """Return the files of a run that are no inputs of it, though they are in a folder of them.

    An output that no state knows is perhaps somebody's news; letters are told by what they hold,
    and a state that is none is refused by whoever opens it.
    """
    own = {file_identity(state, descriptor=1)}
    if to == _STANDARD or _is_empty(Path(to)) or str(Path(to).absolute()) in _outputs(state):
        own.add(file_identity(to, descriptor=1))
    if holds_letters(dead):
        own.add(file_identity(dead, descriptor=1))
    return {found for found in own if found is not None}


class _Progress(msgspec.Struct):
    outputs: dict[str, int] = {}


def _outputs(state: Path) -> dict[str, int]:
    """Return the outputs that a state knows, also one of another version; none if unreadable."""
    if state == MEMORY:
        return {}
    with (
        suppress(sqlite3.Error, msgspec.DecodeError),
        closing(sqlite3.connect(f"{state.resolve().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        row = connection.execute("SELECT value FROM meta WHERE name = 'progress'").fetchone()
        return msgspec.json.decode(row[0], type=_Progress).outputs if row else {}
    return {}


def _is_empty(path: Path) -> bool:
    with suppress(OSError):
        return path.is_file() and not path.stat().st_size
    return False
