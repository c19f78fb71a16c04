"""A server in the background: started, waited for, stopped, killed, its output in a file."""

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

START_SECONDS: Final = 120.0
STOP_SECONDS: Final = 60.0
LOOK_EVERY: Final = 0.05
SHOWN_LINES: Final = 40

# Reads until everybody with the other end of the pipe has gone, however they went.
GUARD: Final = ("/bin/sh", "-c", 'while read -r _; do :; done; kill -s KILL -- "-$1"', "guard")


class ServerFailed(RuntimeError):
    """A server that did not do what was asked; the message ends with the last lines of its log."""


def wait_until(true: Callable[[], bool], *, what: str, within: float = START_SECONDS) -> None:
    """Return as soon as something is true; raise when its time is over."""
    deadline = time.monotonic() + within
    while not true():
        if time.monotonic() > deadline:
            raise ServerFailed(f"not within {within:g} s: {what}")
        time.sleep(LOOK_EVERY)


class ServerProcess:
    """One program that serves, at most one process of it at a time.

    It dies with the process that started it, even if that one is killed, until it is released.
    It leads a process group of its own, so that Ctrl-C reaches only anyone who started it.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.log = folder / "log"
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process, which must have been started."""
        return self._started().pid

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def launch(self, command: Sequence[str | Path]) -> None:
        """Start the process without waiting for it to serve."""
        if self.alive:
            raise ServerFailed(f"{self.name} runs already")
        self.release()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # SIGXFSZ stays ignored: what `fill_disk` refuses is an error, and no end.
                restore_signals=False,
            )
        self._guard = subprocess.Popen(
            [*GUARD, str(self._process.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def wait(self, serves: Callable[[], bool], *, within: float = START_SECONDS) -> None:
        """Return as soon as the process serves; kill it and say what it said if it does not."""
        process = self._started()
        deadline = time.monotonic() + within
        while not serves():
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(LOOK_EVERY)
                self.kill()
                raise ServerFailed(self.with_log(f"{self.name} ended with {code} while starting"))
            if time.monotonic() > deadline:
                self.kill()
                raise ServerFailed(self.with_log(f"{self.name} did not serve within {within:g} s"))

    def stop(self, *, within: float = STOP_SECONDS) -> None:
        """End the process in its own way, or by force when that takes too long."""
        if not self.alive:
            self.release()
            return
        process = self._started()
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(within)
        self.kill()

    def kill(self) -> None:
        """End the process and its children as kill -9 does, and return when they are gone."""
        # One that was buried already has no number any more that could safely be killed.
        if self.alive or self._guard is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self._started().wait()
        self.release()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and its children."""
        os.killpg(self.pid, number)

    def fill_disk(self) -> None:
        """Let it write to no file any more: each attempt fails, as on a disk that is full."""
        self._limit_files(1)

    def free_disk(self) -> None:
        """Let it write to files again."""
        self._limit_files(resource.RLIM_INFINITY)

    def release(self) -> None:
        """Let the process outlive the one that started it.

        The guard of a process that is gone must go too: its number may soon be somebody else's.
        """
        guard, self._guard = self._guard, None
        if guard is not None and guard.stdin is not None:
            guard.kill()
            guard.wait()
            guard.stdin.close()

    def with_log(self, what: str) -> str:
        """Return a message with the last lines of the log."""
        lines = self.log.read_text("utf-8", errors="replace").splitlines()[-SHOWN_LINES:]
        return "\n".join([f"{what}; the end of {self.log}:", *(f"  {line}" for line in lines)])

    def _limit_files(self, size: int) -> None:
        _, most = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size, most))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise ServerFailed(f"{self.name} was never started")
        return self._process
