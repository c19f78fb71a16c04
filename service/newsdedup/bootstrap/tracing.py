"""Makes the tracer of a process, if the OTEL_* variables ask for one."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Final

from newsdedup._version import __version__
from newsdedup.ports.tracing import NO_TRACER, Tracer

LOG: Final = logging.getLogger("newsdedup.tracing")
_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_PROTOCOL: Final = "http/protobuf"


@contextmanager
def open_tracer(environment: Mapping[str, str], *, service: str) -> Iterator[Tracer]:
    """Yield the tracer of a process called `service`; send the remaining spans when the block ends.

    Without an endpoint in the variables, or if they switch traces off, it does nothing and
    nothing of OpenTelemetry is imported. What cannot be set up is logged: a process works
    without its traces.
    """
    off = environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    exporter = environment.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower()
    if off or exporter != "otlp" or not any(environment.get(name) for name in _ENDPOINTS):
        yield NO_TRACER
        return
    protocol = next((environment[name] for name in _PROTOCOLS if environment.get(name)), _PROTOCOL)
    wrong = f"OTLP is sent by {_PROTOCOL} alone, not by {protocol}"
    tracer = None
    if protocol == _PROTOCOL:
        try:
            # An extra, and slow to import.
            from newsdedup.adapters.tracing.otlp_tracer import OtlpTracer  # noqa: PLC0415

            tracer = OtlpTracer(service=service, release=__version__)
        except ModuleNotFoundError as error:
            wrong = f"{error.name} is not installed, the extra otel brings it"
        except ValueError as error:
            wrong = str(error)
    if tracer is None:
        LOG.warning("not_traced reason=%s", wrong)
        yield NO_TRACER
        return
    with closing(tracer):
        yield tracer
