"""A file that lines are added to and nothing is ever cut from."""

import os
import stat
from pathlib import Path

from newsdedup.adapters.files.outputs import sink_errors


class AppendedFile:
    """Where dead letters go: people mend, move, share and remove the file between two batches.

    So nobody can tell by its length what is in it. What must not get lost is committed elsewhere
    before it is added, and completed by `finish` if the process died between the two.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self.path = path
        if fresh and path.is_file():
            with sink_errors(path):
                os.truncate(path, 0)

    def add(self, data: bytes) -> None:
        """Add whole lines, durably; most files are never made, for want of a line."""
        if data:
            end = self._end(1)
            # Some editors leave the last line open: it must not swallow ours.
            self._write(data if end in (b"", b"\n") else b"\n" + data)

    def finish(self, data: bytes) -> None:
        """Add of these lines what the file does not end with: all, the rest of them, or nothing."""
        begun = _begun(self._end(len(data)), data)
        if begun:
            self._write(data[begun:])
        else:
            self.add(data)

    def _write(self, data: bytes) -> None:
        with sink_errors(self.path):
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(file, rest) :]
                if stat.S_ISREG(os.fstat(file).st_mode):
                    os.fsync(file)
            finally:
                os.close(file)

    def _end(self, length: int) -> bytes:
        """Return the last bytes of the file, none of what is no file."""
        if not self.path.is_file():
            return b""
        with sink_errors(self.path), self.path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - length))
            return file.read()


def _begun(end: bytes, data: bytes) -> int:
    """Return how many of the first bytes of the data are the last ones of the end.

    Only what begins a line counts: the end of another line may look like the beginning of ours.
    """
    there, ours = memoryview(end), memoryview(data)
    start = 0
    while start < len(end):
        if ours[: len(end) - start] == there[start:]:
            return len(end) - start
        start = end.find(b"\n", start) + 1 or len(end)
    return 0
