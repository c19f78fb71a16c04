"""Processes of the command line that need not import it: they are forked off one that has.

A third of the processor time of the tests went into starts: a worker imports for 0.4 s, and reads
dictionaries and models for another 0.6 s. A process that is forked has its own arguments, streams,
environment, folder and end, and is a child of the tests like any other. What belongs to a start
itself is tested with real ones (tests/cli/test_starting_up.py): so is any process with variables
that the interpreter or the loader reads.
"""

import atexit
import gc
import json
import os
import pkgutil
import runpy
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from ctypes import CDLL
from importlib import import_module
from itertools import cycle
from pathlib import Path
from threading import Lock
from typing import Any

SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of Linux: who it is set for becomes the parent of orphans below it."""
BUG = "PLANTED_BUG"
"""The variable of planted_bugs.py, which imports too much to be imported here."""
OWN = ("NEWSDEDUP_", "NO_COLOR", "COLUMNS", BUG)
"""Beginnings of variables that only the command line reads, and the tests."""
ITEMS = (
    {"lang": "en", "title": "The ferry stopped on Monday because of a storm near the harbour."},
    {"lang": "ru", "title": "Паром остановился в понедельник из-за шторма возле гавани."},
    {"lang": "uk", "title": "Пором зупинився в понеділок через шторм біля гавані та їхніх осель."},
    {"title": "Most na rzece został otwarty po długim remoncie, mówi burmistrz."},
)
"""What makes an analyzer read its dictionaries and models."""


class Warm:
    """A process that has imported the command line, and forks at each request."""

    def __init__(self, seed: int) -> None:
        self._socket, other = socket.socketpair()
        path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)])
        with other:
            variables = {
                "PYTHONPATH": path,
                "PYTHONHASHSEED": str(seed),
                # A process that forks should have no thread but its own.
                "OPENBLAS_NUM_THREADS": "1",
            }
            self._process = subprocess.Popen(
                [sys.executable, "-m", "runners.warm", str(other.fileno())],
                pass_fds=[other.fileno()],
                env={**os.environ, **variables},
            )
        atexit.register(self.close)

    def fork(self, request: Mapping[str, Any], files: Sequence[int]) -> int:
        """Return the number of a new child of this process, which has three open files."""
        libc = CDLL(None)
        # Only as long as the one that forks it ends, so that no other orphan becomes a child.
        libc.prctl(SUBREAPER, 1, 0, 0, 0)
        try:
            content = json.dumps(request).encode()
            socket.send_fds(self._socket, [len(content).to_bytes(4, "big")], files)
            self._socket.sendall(content)
            return int.from_bytes(received(self._socket, 4), "big")
        finally:
            libc.prctl(SUBREAPER, 0, 0, 0, 0)

    def close(self) -> None:
        """Let it end."""
        self._socket.close()
        self._process.wait()


_lock = Lock()
# Two, because all processes of one walk sets in the same order, and a worker that goes on with the
# work of another must not depend on that.
_turns = cycle(range(2))
_warm: dict[int, Warm] = {}


def can_be_warm(environ: Mapping[str, str]) -> bool:
    """Return whether an environment differs from ours only in what is read after a start.

    Only within tests: scripts that use the same helpers measure memory.
    """
    if sys.platform != "linux" or "PYTEST_VERSION" not in os.environ:
        return False
    names = {name for name, _ in {*environ.items()} ^ {*os.environ.items()}}
    if BUG in names:
        # Its path leads to what plants the bug at a start, as a process that is forked does itself.
        names.discard("PYTHONPATH")
    return all(name.startswith(OWN) for name in names)


class WarmProcess(subprocess.Popen[bytes]):
    """A process of the command line as Popen knows it, which alone is made in another way."""

    def _execute_child(  # type: ignore[override]
        self, args: Any, *given: Any
    ) -> None:
        # As Popen of CPython calls it: the fifth and the sixth of the others are these two, and
        # the pipes are from the tenth on.
        cwd, environ, pipes = given[4], given[5], given[9:15]
        ends = pipes[0], pipes[3], pipes[5]
        sys.audit("subprocess.Popen", args[0], args, cwd, environ)
        request = {"args": args[1:], "cwd": str(cwd), "environ": environ}
        try:
            with _lock:
                turn = next(_turns)
                if turn not in _warm:
                    _warm[turn] = Warm(secrets.randbelow(2**31) * 2 + turn)
                files = [number if end == -1 else end for number, end in enumerate(ends)]
                self.pid = _warm[turn].fork(request, files)
            self._child_created = True
        finally:
            self._close_pipe_fds(*pipes)


def received(connection: socket.socket, size: int) -> bytes:
    """Return so many bytes; raise EOFError if the other end has gone."""
    found = b""
    while len(found) < size:
        if not (part := connection.recv(size - len(found))):
            raise EOFError
        found += part
    return found


def main() -> None:
    """Import everything, then fork at each request until nobody is there to ask."""
    number = int(sys.argv[1])
    load()
    with socket.socket(fileno=number) as connection:
        while True:
            try:
                size, files, _, _ = socket.recv_fds(connection, 4, 3)
                if not size:
                    return
                request = json.loads(received(connection, int.from_bytes(size, "big")))
            except (EOFError, KeyboardInterrupt):
                return
            if (child := forked()) == 0:
                break
            for file in files:
                os.close(file)
            connection.sendall(child.to_bytes(4, "big"))
    become(request, files)


def load() -> None:
    """Import the package, and have the tables read that it reads when it meets an item."""
    import newsdedup  # noqa: PLC0415
    from runners import read_once  # noqa: F401, PLC0415

    for module in pkgutil.walk_packages(newsdedup.__path__, "newsdedup."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for library in ("aiokafka", "faust"):
        import_module(library)
    from newsdedup.adapters.formats import item_json  # noqa: PLC0415
    from newsdedup.bootstrap.rules import item_analyzer  # noqa: PLC0415
    from newsdedup.config import Settings  # noqa: PLC0415

    analyzer = item_analyzer(Settings())
    for item in ITEMS:
        line = {"source": "a", "id": "1", "published_at": "2025-01-01T00:00:00Z", **item}
        analyzer.analyze(item_json.decode_item(json.dumps(line).encode()), b"")
    gc.collect()
    gc.freeze()


def forked() -> int:
    """Return the number of a process that is an orphan already, 0 in that process."""
    read, write = os.pipe()
    between = os.fork()
    if between == 0:
        child = os.fork()
        if child == 0:
            os.close(read)
            os.close(write)
            return 0
        os.write(write, child.to_bytes(4, "big"))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as numbers:
        child = int.from_bytes(numbers.read(), "big")
    os.waitpid(between, 0)
    return child


def become(request: Mapping[str, Any], files: Sequence[int]) -> None:
    """Be the command that was asked for, until it ends."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    for file in files:
        if file > 2:
            os.close(file)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environ"])
    time.tzset()
    sys.stdin = os.fdopen(0, closefd=False, errors=sys.stdin.errors)
    sys.stdout = os.fdopen(1, "w", closefd=False, errors=sys.stdout.errors)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False, errors="backslashreplace")
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    sys.path[0] = request["cwd"]
    sys.orig_argv[:] = [sys.executable, *request["args"]]
    sys.argv[1:] = request["args"][2:]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if BUG in os.environ:
        from runners.planted_bugs import plant  # noqa: PLC0415

        plant(os.environ[BUG])
    runpy.run_module("newsdedup", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
