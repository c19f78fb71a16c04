"""A server over an archive and a writer alongside it, each in a process of its own."""

import re
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from typing import Final, Self

from newsdedup.ports.errors import SourceUnusable

_START_SECONDS: Final = 120.0
_END_SECONDS: Final = 30.0
_WRITTEN_AT_ONCE: Final = 25
_ADDRESS: Final = re.compile(r" at (http://\S+)")
_COMMAND: Final = (sys.executable, "-m", "newsdedup")


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Memory of a process in MiB."""

    resident: float
    """All pages in memory, also those of files, which the system drops where memory is short."""
    own: float
    """Without those of files."""


@dataclass(frozen=True, slots=True)
class ServedArchive:
    """A running server, its address and its process."""

    address: str
    process: int
    ready_seconds: float

    def memory(self) -> MemoryUse:
        """Return the memory of the process, read from /proc."""
        status = Path(f"/proc/{self.process}/status").read_text("ascii")
        found = dict(re.findall(r"^(Rss\w+|VmRSS):\s+([0-9]+) kB", status, re.MULTILINE))
        return MemoryUse(int(found["VmRSS"]) / 1_024, int(found["RssAnon"]) / 1_024)

    def processor_seconds(self) -> float:
        """Return the processor time that the process has used."""
        fields = Path(f"/proc/{self.process}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100


@contextmanager
def served_archive(archive: Path, options: Sequence[str], log: Path) -> Iterator[ServedArchive]:
    """Run `newsdedup serve` until the block ends; raise SourceUnusable if it does not start."""
    arguments = ("serve", "--archive", str(archive), "--port", "0", *options)
    began = time.monotonic()
    with (
        log.open("wb") as output,
        subprocess.Popen(  # noqa: S603 - our own command
            (*_COMMAND, *arguments), stdout=output, stderr=output
        ) as process,
    ):
        try:
            yield ServedArchive(
                _address(process, log, began + _START_SECONDS),
                process.pid,
                time.monotonic() - began,
            )
        finally:
            process.terminate()
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _address(process: "subprocess.Popen[bytes]", log: Path, end: float) -> str:
    """Return the address that a server prints when it is ready."""
    while time.monotonic() < end and process.poll() is None:
        if found := _ADDRESS.search(log.read_text("utf-8", "replace")):
            return found[1]
        time.sleep(0.02)
    raise SourceUnusable(f"the server did not start: {log.read_text('utf-8', 'replace')}")


class PacedWriter:
    """Feeds events to `newsdedup archive` at a rate, from a thread."""

    def __init__(
        self, archive: Path, events: Generator[bytes, None, None], rate: int, log: Path
    ) -> None:
        self.written = 0
        self._archive = archive
        self._events = events
        self._rate = rate
        self._log = log
        self._stop = Event()
        self._seconds = 0.0
        self._thread = Thread(target=self._run, name="paced-writer")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def rate(self) -> float:
        """Return how many events were applied in a second, when the block has ended."""
        return self.written / self._seconds if self._seconds else 0.0

    def _run(self) -> None:
        """Feed the events at the rate until the block ends, in the thread."""
        arguments = ("archive", "-", "--to", str(self._archive), "--quiet")
        with (
            closing(self._events),
            self._log.open("wb") as output,
            subprocess.Popen(  # noqa: S603 - our own command
                (*_COMMAND, *arguments), stdin=subprocess.PIPE, stdout=output, stderr=output
            ) as process,
        ):
            if process.stdin is None:
                raise RuntimeError("the writer has no input")
            began = time.monotonic()
            # The pipe holds little: anyone who fills it waits for the transactions.
            while batch := list(islice(self._events, _WRITTEN_AT_ONCE)):
                process.stdin.write(b"".join(line + b"\n" for line in batch))
                process.stdin.flush()
                self.written += len(batch)
                wait = began + self.written / self._rate - time.monotonic()
                if self._stop.wait(max(0.0, wait)):
                    break
            process.stdin.close()
            process.wait()
            self._seconds = time.monotonic() - began
