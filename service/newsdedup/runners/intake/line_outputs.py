"""Records as JSON lines: at the end of a file, or on standard output."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from newsdedup.adapters.files.outputs import AppendedFile, OutputPipe, sink_errors

_CHUNK = 64 * 2**10


class LinesFile:
    """A RecordOutput: a file that only grows, synced after each call.

    A process that was killed may have left half a line at the end. It is cut off when the file is
    opened, unless it is whole JSON: its record was not acknowledged and is written again.
    """

    def __init__(self, path: Path) -> None:
        self._file = AppendedFile(path)
        with sink_errors(path):
            cut_half_line(path)
        self._file.add(b"")
        self._turn = asyncio.Lock()

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Write records as lines; return [] when they are synced.

        Raise SinkUnusable if that fails.
        """
        async with self._turn:
            await asyncio.to_thread(self._file.add, _lines(records))
        return []

    async def close(self) -> None:
        """Leave the file, which is open during a write only."""


class LinesPipe:
    """A RecordOutput: standard output; a record that its reader did not get may come again."""

    def __init__(self) -> None:
        self._pipe = OutputPipe()

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Write records as lines; return [] when they are in the pipe."""
        # In one piece: no other task runs between the lines.
        self._pipe.write(_lines(records))
        self._pipe.sync()
        return []

    async def close(self) -> None:
        """Leave standard output open for the rest of the process."""


def cut_half_line(path: Path) -> None:
    """Cut off what is behind the last line feed of a file, if it is not whole JSON."""
    if not path.is_file():
        return
    with path.open("r+b") as file:
        size = begin = file.seek(0, os.SEEK_END)
        rest = b""
        while begin and b"\n" not in rest:
            step = min(_CHUNK, begin)
            begin = file.seek(begin - step)
            rest = file.read(step) + rest
        half = rest[rest.rfind(b"\n") + 1 :]
        if half and not _is_json(half):
            file.truncate(size - len(half))


def _is_json(data: bytes) -> bool:
    """Return whether the bytes are one whole JSON value."""
    try:
        msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _lines(records: Sequence[bytes]) -> bytes:
    """Return the records joined, each ended by a line feed."""
    return b"".join(record + b"\n" for record in records)
