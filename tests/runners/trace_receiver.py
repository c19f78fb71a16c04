"""A receiver of traces as a collector is one: OTLP over HTTP, decoded by OpenTelemetry's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from servers.ports import HOST


class ReceivedSpan(NamedTuple):
    """A span as it was sent; ids are hexadecimal digits."""

    service: str
    name: str
    trace: str
    span: str
    parent: str
    links: tuple[str, ...]
    """Traces."""
    attributes: dict[str, Any]
    began: int
    ended: int


class TraceReceiver:
    """What was sent to an address."""

    def __init__(self) -> None:
        self.address = ""
        self.bodies: list[bytes] = []
        self.paths: list[str] = []

    def spans(self) -> list[ReceivedSpan]:
        return [span for body in self.bodies for span in decoded(body)]


def decoded(body: bytes) -> Iterator[ReceivedSpan]:
    request = ExportTraceServiceRequest.FromString(body)
    for resource in request.resource_spans:
        service = values(resource.resource.attributes)["service.name"]
        for scope in resource.scope_spans:
            for one in scope.spans:
                yield ReceivedSpan(
                    service,
                    one.name,
                    one.trace_id.hex(),
                    one.span_id.hex(),
                    one.parent_span_id.hex(),
                    tuple(link.trace_id.hex() for link in one.links),
                    values(one.attributes),
                    one.start_time_unix_nano,
                    one.end_time_unix_nano,
                )


def values(attributes: Any) -> dict[str, Any]:
    return {
        one.key: getattr(one.value, one.value.WhichOneof("value") or "string_value")
        for one in attributes
    }


@contextmanager
def trace_receiver() -> Iterator[TraceReceiver]:
    receiver = TraceReceiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            receiver.paths.append(self.path)
            receiver.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer((HOST, 0), Handler)
    receiver.address = f"http://{HOST}:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
