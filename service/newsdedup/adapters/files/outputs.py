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
