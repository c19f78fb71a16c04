"""Commands run within the tests: what `runners.processes.run` gives, in a quarter of its time."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from unittest.mock import patch

from newsdedup.__main__ import main
from runners.processes import environment

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(
    *arguments: str | Path, cwd: Path, stdin: bytes | None = None, **variables: str
) -> CompletedProcess[bytes]:
    """Return what a command that has ended wrote to its streams, and its exit code."""
    command = ["newsdedup", *map(str, arguments)]
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin or b"")
        given.seek(0)
        with ExitStack() as stack:
            stack.enter_context(chdir(cwd))
            stack.enter_context(patch.dict(os.environ, environment(**variables), clear=True))
            stack.enter_context(patch.object(sys, "argv", command))
            stack.enter_context(own_signals())
            stack.enter_context(own_streams(given.fileno(), out.fileno(), err.fileno()))
            code = exit_code()
        written = [file.read() for file in (out, err) if file.seek(0) == 0]
    return CompletedProcess(command, code, *written)


def exit_code() -> int:
    """Return how the command line ends."""
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@contextmanager
def own_signals() -> Iterator[None]:
    """Take back what a command does with signals."""
    before = [signal.getsignal(number) for number in SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def own_streams(*files: int) -> Iterator[None]:
    """Put open files in the slots of the standard streams."""
    sys.stdout.flush()
    sys.stderr.flush()
    before = [os.dup(number) for number in range(3)]
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
        with (
            open(0, encoding="utf-8", closefd=False) as stdin,
            open(1, "w", encoding="utf-8", closefd=False) as stdout,
            open(2, "w", encoding="utf-8", closefd=False) as stderr,
            patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
        ):
            yield
    finally:
        for number, file in enumerate(before):
            os.dup2(file, number)
            os.close(file)
