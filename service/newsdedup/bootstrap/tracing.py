"""Makes the tracer of a process, if the OTEL_* variables ask for one."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
    if not _is_wanted(environment):
        yield NO_TRACER
        return
    protocol = next((environment[name] for name in _PROTOCOLS if environment.get(name)), _PROTOCOL)
    if protocol != _PROTOCOL:
        LOG.warning("not_traced reason=OTLP is sent by %s alone, not by %s", _PROTOCOL, protocol)
        yield NO_TRACER
        return
    try:
        # An extra, and slow to import.
        from newsdedup.adapters.tracing.otlp_tracer import OtlpTracer  # noqa: PLC0415
    except ModuleNotFoundError as error:
        LOG.warning("not_traced reason=%s is not installed, the extra otel brings it", error.name)
        yield NO_TRACER
        return
    try:
        tracer = OtlpTracer(service=service, release=__version__)
    except ValueError as error:
        LOG.warning("not_traced reason=%s", error)
        yield NO_TRACER
        return
    try:
        yield tracer
    finally:
        tracer.close()


def _is_wanted(environment: Mapping[str, str]) -> bool:
    """Return whether the OTEL_* variables name an endpoint and do not switch traces off."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    if environment.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() != "otlp":
        return False
    return any(environment.get(name) for name in _ENDPOINTS)
