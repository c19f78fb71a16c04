"""Where a run writes: a file cut to what was committed, a pipe, or a file that only grows."""

import fcntl
import logging
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from newsdedup.ports.errors import SinkBusy, SinkUnusable

LOG: Final = logging.getLogger("newsdedup.run")


@contextmanager
def sink_errors(path: Path) -> Iterator[None]:
    """Turn errors of the file system into SinkUnusable with the path."""
    try:
        yield
    except OSError as error:
        raise SinkUnusable(f"{path}: cannot be written: {error.strerror or error}") from error


def check_writable(path: Path, *, replaced: bool = False) -> Path:
    """Return the path if it can be written; else raise SinkUnusable.

    `replaced` says that a new file will replace it. The content stays as it is; a device or a pipe
    is not touched.
    """
    with sink_errors(path):
        if replaced and not path.is_dir():
            probe = path.with_name(f".{path.name}.part")
            probe.open("wb").close()
            probe.unlink()
        elif not path.exists():
            target = path.resolve()  # a link may lead to what is not there yet
            target.open("xb").close()
            target.unlink()
        elif path.is_file() or path.is_dir():
            path.open("ab").close()
    return path


def _write_all(file: int, data: bytes) -> None:
    """Write all bytes to a file descriptor: one call of the system may write only a part."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _sync_file(file: int) -> None:
    """Make the writes to a file descriptor durable; do nothing for a pipe or a device."""
    if stat.S_ISREG(os.fstat(file).st_mode):
        os.fsync(file)


def lock_output(file: int, path: Path, *, shared: bool = False) -> None:
    """Lock an open regular file until it is closed; `shared` is for writers that only append.

    Raise SinkBusy if another process writes it. Pipes and devices are not locked, nor are files of
    a file system without locks. Readers are not disturbed.
    """
    if not stat.S_ISREG(os.fstat(file).st_mode):
        return
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise SinkBusy(f"{path} is being written by another process: name another file") from error
    except OSError:
        pass  # the file system has no locks


def refuse_run_output(path: Path) -> None:
    """Raise SinkUnusable if a run writes the file, or has its state alongside: do not replace it.

    Raise SinkBusy if another process writes it just now.
    """
    with sink_errors(path):
        if not path.is_file():
            return
        state = path.with_name(f"{path.name}.state")
        if state.exists():
            raise SinkUnusable(
                f"{path} has the events of a run, whose state is {state}: name another file"
            )
        with path.open("rb") as file:
            lock_output(file.fileno(), path)


_AS_COMMITTED: Final = (
    "committed: put it back, write another file with the same --state, or begin anew with "
    "`newsdedup run --fresh`"
)


class OutputFile:
    """A Sink: a file that is cut to its committed length when it is opened again.

    It is locked while it is open: of two runs with different states the second one is refused.
    """

    def __init__(self, path: Path, *, committed: int | None, fresh: bool = False) -> None:
        self.path = path
        self.length = 0 if fresh or committed is None else committed
        if self.length and not path.exists():
            raise SinkUnusable(f"{path} is missing, but {self.length} bytes were {_AS_COMMITTED}")
        with sink_errors(self.path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            lock_output(self._file, path)
            with sink_errors(self.path):
                state = os.fstat(self._file)
                if stat.S_ISREG(state.st_mode):  # a device holds nothing that could be cut
                    self._cut(state.st_size, known=fresh or committed is not None)
        except SinkUnusable:
            os.close(self._file)
            raise

    def _cut(self, size: int, *, known: bool) -> None:
        """Cut the file of this size to the committed length and go to its end.

        Raise SinkUnusable if it is shorter, or has content that is neither committed nor to be
        overwritten (not `known`).
        """
        if size and not known:
            raise SinkUnusable(
                f"{self.path} exists and no state says how much of it is ours: "
                "name another --to, or use --fresh to overwrite it"
            )
        if size < self.length:
            raise SinkUnusable(
                f"{self.path} holds {size} bytes, but {self.length} were {_AS_COMMITTED}"
            )
        if size > self.length:
            if self.length:  # else a run begins, or was killed in its first batch
                LOG.warning(
                    "output_cut path=%s bytes=%d: they were written after the last commit, or the "
                    "state is an older copy than its output",
                    self.path,
                    size - self.length,
                )
            os.ftruncate(self._file, self.length)
        if self.length:
            os.lseek(self._file, self.length, os.SEEK_SET)

    def write(self, data: bytes) -> None:
        """Write whole lines at the end of the file; raise SinkUnusable if that fails."""
        with sink_errors(self.path):
            _write_all(self._file, data)
        self.length += len(data)

    def sync(self) -> int:
        """Make everything written durable; return the length in bytes, or raise SinkUnusable."""
        with sink_errors(self.path):
            _sync_file(self._file)
        return self.length

    def close(self) -> None:
        """Close the file; the next run cuts off what was not committed."""
        os.close(self._file)


@contextmanager
def _stdout_errors() -> Iterator[None]:
    """Add the name "standard output" to OSErrors of a block that name no file."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or "standard output"
        raise


class OutputPipe:
    """A Sink: standard output; after a crash events come again, with the same ids."""

    @_stdout_errors()
    def write(self, data: bytes) -> None:
        """Write whole lines to standard output; raise OSError, naming it, if that fails."""
        sys.stdout.buffer.write(data)

    @_stdout_errors()
    def sync(self) -> int:
        """Flush standard output; return 0, as a pipe has no length; raise OSError if it fails."""
        sys.stdout.buffer.flush()
        return 0

    def close(self) -> None:
        """Leave standard output open for the rest of the process."""


class AppendedFile:
    """A file of dead letters: lines are added, none are cut off.

    People mend, move, share and remove the file between two batches, so its length says nothing
    about its content. A run commits the dead letters to its state before it adds them here;
    `finish` completes them after a crash between the two. Several runs may add to one file, but
    none to the output of another.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self.path = path
        if fresh and path.is_file():
            with sink_errors(path), path.open("ab") as file:
                lock_output(file.fileno(), path)
                file.truncate(0)

    def add(self, data: bytes) -> None:
        """Append whole lines durably, or raise SinkUnusable; without lines no file is created."""
        if data:
            end = self._end(1)
            # Some editors leave the last line open: it must not swallow ours.
            self._write(data if end in (b"", b"\n") else b"\n" + data)

    def finish(self, data: bytes) -> None:
        """Append, as `add` does, the part of these lines that a crash kept from the file's end."""
        written = _overlap(self._end(len(data)), data)
        if written:
            self._write(data[written:])
        else:
            self.add(data)

    def _write(self, data: bytes) -> None:
        """Append bytes durably, creating a missing file; raise SinkUnusable if that fails."""
        with sink_errors(self.path):
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                lock_output(file, self.path, shared=True)
                _write_all(file, data)
                _sync_file(file)
            finally:
                os.close(file)

    def _end(self, length: int) -> bytes:
        """Return the last `length` bytes of the file; b"" if it is no regular file."""
        if not self.path.is_file():
            return b""
        with sink_errors(self.path), self.path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - length))
            return file.read()


def _overlap(end: bytes, data: bytes) -> int:
    """Return the length of the longest beginning of `data` with which `end` ends.

    Only what begins a line counts: the end of another line may look like the beginning of ours.
    """
    there, ours = memoryview(end), memoryview(data)
    start = 0
    while start < len(end):
        if ours[: len(end) - start] == there[start:]:
            return len(end) - start
        start = end.find(b"\n", start) + 1 or len(end)
    return 0
