"""Spans by OpenTelemetry, sent over OTLP as the OTEL_* variables say (the extra `otel`)."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Thread
from typing import Any, Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from newsdedup.ports.streams import Headers
from newsdedup.ports.tracing import Span, SpanAttribute, SpanKind

_MOST_LINKS: Final = 128
"""As many as a span keeps by default."""
_W3C: Final = TraceContextTextMapPropagator()


class OtlpTracer:
    """A Tracer whose spans a thread sends in the background."""

    is_on = True

    def __init__(self, *, service: str, release: str, close_seconds: float = 3.0) -> None:
        """Read the OTEL_* variables; `service` is the name of the process if they give it none.

        `close_seconds` is how long a collector may take at the end to get what waits.
        """
        self._close_seconds = close_seconds
        resource = Resource.create()
        if str(resource.attributes.get("service.name", "unknown")).startswith("unknown"):
            resource = resource.merge(Resource({"service.name": service}))
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("newsdedup", release)

    @contextmanager
    def span(
        self,
        name: str,
        *,
        kind: SpanKind = "internal",
        causes: Iterable[Headers] = (),
        began_ns: int | None = None,
    ) -> Iterator[Span]:
        """Make a span for a block, as the port says; its status is the kind of an error alone."""
        contexts = list(islice(_distinct_contexts(causes), _MOST_LINKS))
        alone = len({one.trace_id for one in contexts}) == 1
        parent = None
        if contexts:
            parent = Context()
            if alone:
                parent = trace.set_span_in_context(trace.NonRecordingSpan(contexts[0]), parent)
        linked = contexts[1:] if alone else contexts
        with self._tracer.start_as_current_span(
            name,
            context=parent,
            kind=trace.SpanKind[kind.upper()],
            links=[trace.Link(one) for one in linked],
            start_time=began_ns,
            # The message of an error may quote what was received.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield _OtlpSpan(self._tracer, span)
            except Exception as error:
                span.set_status(trace.StatusCode.ERROR, type(error).__name__)
                raise

    def close(self) -> None:
        """Send the waiting spans; those that the collector does not accept in time are lost."""
        # The exporter would try again for as long as OTEL_EXPORTER_OTLP_TIMEOUT says.
        closing = Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        closing.join(self._close_seconds)


class _OtlpSpan:
    def __init__(self, tracer: Any, span: Any) -> None:
        self._tracer = tracer
        self._span = span
        self._inside = trace.set_span_in_context(span, Context())
        carrier: dict[str, str] = {}
        _W3C.inject(carrier, context=self._inside)
        self._trace = carrier.get("traceparent", "")[3:35].encode()
        self.headers: Headers = tuple((name, value.encode()) for name, value in carrier.items())

    def continued(self, cause: Headers) -> Headers:
        """Return the headers of this span, or `cause` itself if that is of another trace."""
        parent = dict(cause).get("traceparent")
        return self.headers if parent is None or parent[3:35] == self._trace else cause

    def note(self, name: str, value: SpanAttribute) -> None:
        """Set an attribute of the span."""
        self._span.set_attribute(name, value)

    def stage(self, name: str, began_ns: int, ended_ns: int) -> None:
        """Add a finished part of this span; times are nanoseconds since 1970."""
        part = self._tracer.start_span(name, context=self._inside, start_time=began_ns)
        part.end(ended_ns)


def _distinct_contexts(causes: Iterable[Headers]) -> Iterator[Any]:
    """Yield each trace context that the headers name, once; headers without one are left out."""
    for headers in dict.fromkeys(filter(None, causes)):
        carrier = {name: value.decode("ascii", "replace") for name, value in headers}
        context = trace.get_current_span(_W3C.extract(carrier, Context())).get_span_context()
        if context.is_valid:
            yield context
