"""Where events go: a file that never holds more than was committed, or a pipe."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from newsdedup.ports.errors import SinkUnusable

STDOUT = "-"


class OutputLines(Protocol):
    """A place for lines; what is synced survives the process."""

    def write(self, data: bytes) -> None:
        """Add whole lines."""
        ...

    def sync(self) -> int:
        """Let all that was written be durable; return the length of the output."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


@contextmanager
def sink_errors(path: Path) -> Iterator[None]:
    """Let no error of the file system out that does not name the file."""
    try:
        yield
    except OSError as error:
        raise SinkUnusable(f"{path}: cannot be written: {error.strerror or error}") from error


def check_writable(path: Path, *, replaced: bool = False) -> Path:
    """Return a file that can be written, or replaced; refuse another before the work.

    What it holds stays as it is. A device or a pipe is not touched.
    """
    with sink_errors(path):
        if replaced and not path.is_dir():
            probe = path.with_name(f".{path.name}.part")
            probe.open("wb").close()
            probe.unlink()
        elif not path.exists():
            place = path.resolve()  # a link may lead to what is not there yet
            place.open("xb").close()
            place.unlink()
        elif path.is_file() or path.is_dir():
            path.open("ab").close()
    return path


class OutputFile:
    """A file cut to its committed length when it is opened again."""

    def __init__(self, path: Path, *, committed: int | None, fresh: bool = False) -> None:
        self.path = path
        self.length = 0 if fresh or committed is None else committed
        with sink_errors(self.path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            with sink_errors(self.path):
                found = os.fstat(self._file)
                if stat.S_ISREG(found.st_mode):  # a device holds nothing that could be cut
                    self._begin(found.st_size, known=fresh or committed is not None)
        except SinkUnusable:
            os.close(self._file)
            raise

    def _begin(self, size: int, *, known: bool) -> None:
        if size and not known:
            raise SinkUnusable(
                f"{self.path} exists and no state tells how much of it is ours: "
                "name another --to, or use --fresh to overwrite it"
            )
        if size < self.length:
            raise SinkUnusable(
                f"{self.path} holds {size} bytes, but {self.length} were committed: somebody cut "
                "it; put it back, or begin anew with --fresh"
            )
        if size > self.length:
            os.ftruncate(self._file, self.length)
        if self.length:
            os.lseek(self._file, self.length, os.SEEK_SET)

    def write(self, data: bytes) -> None:
        """Add whole lines."""
        rest = memoryview(data)
        with sink_errors(self.path):
            while rest:
                rest = rest[os.write(self._file, rest) :]
        self.length += len(data)

    def sync(self) -> int:
        """Let all that was written be durable; return the length of the output."""
        with sink_errors(self.path):
            if stat.S_ISREG(os.fstat(self._file).st_mode):
                os.fsync(self._file)
        return self.length

    def close(self) -> None:
        """Let go of the file; what was not committed is cut off by the next run."""
        os.close(self._file)


@contextmanager
def _standard_output() -> Iterator[None]:
    """Give an error of the system the name of the stream, which has no file name."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or "standard output"
        raise


class OutputPipe:
    """Standard output: at least once, told apart by event ids."""

    def write(self, data: bytes) -> None:
        """Add whole lines."""
        with _standard_output():
            sys.stdout.buffer.write(data)

    def sync(self) -> int:
        """Hand all to the reader."""
        with _standard_output():
            sys.stdout.buffer.flush()
        return 0

    def close(self) -> None:
        """Leave standard output open: it is not ours."""


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
