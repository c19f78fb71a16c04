"""A way to a server that can be slow, fall silent, break, or lead to another server."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from servers.ports import HOST

CHUNK: Final = 1 << 16
TICK_SECONDS: Final = 0.05
"""How soon a thread notices that it is to stop, or that a silence is over."""


class FaultProxy:
    """Passes bytes both ways; what it does to them may change at any time."""

    def __init__(self, target: int) -> None:
        self.target = target
        """The port that it leads to."""
        self._listener = socket.create_server((HOST, 0))
        self._listener.settimeout(TICK_SECONDS)
        self.port = int(self._listener.getsockname()[1])
        self._flowing = threading.Event()
        self._flowing.set()
        self._stopped = threading.Event()
        self._delay = 0.0
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._stopped.set()
        self._flowing.set()
        self.cut()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def silence(self) -> None:
        """Take connections and bytes, and pass nothing on: a half-open connection."""
        self._flowing.clear()

    def slow(self, seconds: float) -> None:
        """Let every piece that is passed on take so long."""
        self._delay = seconds

    def well(self) -> None:
        """Pass everything on at once."""
        self._delay = 0.0
        self._flowing.set()

    def cut(self) -> None:
        """Break all connections; new ones may come."""
        with self._lock:
            broken, self._open = self._open, set()
        for end in broken:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def aim(self, target: int) -> None:
        """Lead to another server from now on."""
        self.target = target
        self.cut()

    def _accept(self) -> None:
        while not self._stopped.is_set():
            try:
                near, _ = self._listener.accept()
            except TimeoutError:
                continue
            near.settimeout(None)
            try:
                far = socket.create_connection((HOST, self.target), timeout=5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            with self._lock:
                self._open |= {near, far}
            for ends in ((near, far), (far, near)):
                thread = threading.Thread(target=self._pump, args=ends, daemon=True)
                self._threads.append(thread)
                thread.start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(CHUNK):
                while not self._flowing.wait(TICK_SECONDS):
                    pass
                if self._delay:
                    self._stopped.wait(self._delay)
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
