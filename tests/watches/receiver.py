"""A real HTTP server that takes webhooks, in a thread of the test."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Event, Thread
from typing import Any, Final

HELD: Final = -1


@dataclass(frozen=True)
class Received:
    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """What came, and the statuses that the next requests get.

    0 closes the connection without an answer, HELD keeps it open without one until the end.
    """

    address: str = ""
    statuses: list[int] = field(default_factory=list)
    location: str = ""
    received: list[Received] = field(default_factory=list)
    changed: Condition = field(default_factory=Condition)
    ended: Event = field(default_factory=Event)

    def wait_for(self, number: int) -> list[Received]:
        """Return what came once there are `number` requests, at most 60 s later."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.received) >= number, 60)
            return list(self.received)

    def take(self, request: Received) -> int:
        with self.changed:
            self.received.append(request)
            self.changed.notify_all()
            return self.statuses.pop(0) if self.statuses else 204


@contextmanager
def receiving(*statuses: int, location: str = "") -> Iterator[Receiver]:
    """Take webhooks on a free port; `statuses` are those of the first requests, then 204."""
    receiver = Receiver(statuses=list(statuses), location=location)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status = receiver.take(Received(headers, body))
            if status == HELD:
                receiver.ended.wait(60)
            if status in (0, HELD):
                self.close_connection = True
                return
            self.send_response(status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing to the output of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.address = f"http://127.0.0.1:{server.server_port}/hits?key=private"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.ended.set()
        server.shutdown()
        server.server_close()
        thread.join(30)
