"""Spans as a collector gets them, and what nobody gets."""

import logging
import subprocess
import sys

import pytest

from newsdedup.adapters.tracing.otlp_tracer import OtlpTracer
from newsdedup.bootstrap.tracing import open_tracer
from newsdedup.ports.tracing import NO_SPAN, NO_TRACER
from runners.trace_receiver import trace_receiver
from servers.ports import HOST, free_ports

ONE = (("traceparent", b"00-11111111111111111111111111111111-1111111111111111-01"),)
SAME = (("traceparent", b"00-11111111111111111111111111111111-2222222222222222-01"),)
OTHER = (
    ("traceparent", b"00-22222222222222222222222222222222-3333333333333333-01"),
    ("tracestate", b"desk=7"),
)
WRONG = (("traceparent", b"\xff no trace"),)


@pytest.fixture
def receiver(monkeypatch):
    with trace_receiver() as started:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", started.address)
        yield started


def traced(receiver, work):
    """Return the spans that a collector has got of some work."""
    tracer = OtlpTracer(service="tested", release="1")
    try:
        work(tracer)
    finally:
        tracer.close()
    return {one.name: one for one in receiver.spans()}


def test_a_batch_of_one_trace_continues_it_with_its_stages_and_events(receiver):
    headers = []

    def work(tracer):
        with tracer.span("process", kind="consumer", causes=[ONE, (), ONE, SAME]) as span:
            span.stage("decode", 1_000, 2_000)
            span.note("records", 4)
            headers.extend([span.continued(ONE), span.continued(()), span.headers])

    spans = traced(receiver, work)
    process, decode = spans["process"], spans["decode"]
    assert (process.trace, process.parent) == ("1" * 32, "1" * 16)
    assert (decode.trace, decode.parent) == ("1" * 32, process.span)
    assert (decode.began, decode.ended) == (1_000, 2_000)
    assert process.attributes == {"records": 4}
    assert process.links == ("1" * 32,)
    assert len(set(headers)) == 1
    assert dict(headers[0])["traceparent"].split(b"-")[2].decode() == process.span


def test_a_batch_of_several_traces_links_to_them_and_each_event_stays_in_its_own(receiver):
    def work(tracer):
        with tracer.span("process", causes=[ONE, OTHER, WRONG]) as span:
            assert span.continued(ONE) == ONE
            assert span.continued(OTHER) == OTHER
            assert span.continued(()) == span.headers

    process = traced(receiver, work)["process"]
    assert process.parent == ""
    assert process.trace not in ("1" * 32, "2" * 32)
    assert process.links == ("1" * 32, "2" * 32)


def test_a_span_without_causes_is_a_part_of_the_current_one(receiver):
    def work(tracer):
        with tracer.span("visit feed"), tracer.span("send items", kind="producer"):
            pass

    spans = traced(receiver, work)
    assert spans["send items"].parent == spans["visit feed"].span
    assert {one.service for one in spans.values()} == {"tested"}


def test_of_an_error_the_kind_is_sent_and_not_the_message(receiver):
    def work(tracer):
        with pytest.raises(ValueError, match="quoted"), tracer.span("process"):
            raise ValueError("a quoted title")

    assert "process" in traced(receiver, work)
    assert b"ValueError" in b"".join(receiver.bodies)
    assert b"quoted" not in b"".join(receiver.bodies)


def test_the_variables_name_the_service_and_choose_what_is_sampled(receiver, monkeypatch):
    monkeypatch.setenv("OTEL_SERVICE_NAME", "desk")
    assert traced(receiver, visit)["visit feed"].service == "desk"
    receiver.bodies.clear()
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    assert traced(receiver, visit) == {}


def visit(tracer):
    with tracer.span("visit feed") as span:
        assert "traceparent" in dict(span.headers)


def test_a_collector_that_is_away_holds_up_no_end(monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://{HOST}:{free_ports(1)[0]}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    tracer = OtlpTracer(service="tested", release="1", close_seconds=0.1)
    visit(tracer)
    tracer.close()


ADDRESS = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector.example:4318"}


@pytest.mark.parametrize(
    ("environment", "logged"),
    [
        ({}, ""),
        ({"OTEL_SERVICE_NAME": "desk"}, ""),
        ({**ADDRESS, "OTEL_SDK_DISABLED": "TRUE"}, ""),
        ({**ADDRESS, "OTEL_TRACES_EXPORTER": "none"}, ""),
        ({**ADDRESS, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "not by grpc"),
    ],
)
def test_without_an_endpoint_or_with_another_protocol_nothing_is_traced(
    environment, logged, caplog
):
    with caplog.at_level(logging.WARNING), open_tracer(environment, service="tested") as tracer:
        assert tracer is NO_TRACER
    assert logged in caplog.text
    assert bool(logged) == bool(caplog.records)


def test_a_process_without_the_extra_says_so_and_works(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "newsdedup.adapters.tracing.otlp_tracer", None)
    with open_tracer(ADDRESS, service="tested") as tracer:
        assert tracer is NO_TRACER
    assert "the extra otel brings it" in caplog.text


def test_a_tracer_that_is_off_is_one_object_and_looks_at_nothing():
    def never():
        raise AssertionError
        yield

    with NO_TRACER.span("process", causes=never()) as span:
        assert span is NO_SPAN
        span.note("records", 1)
        span.stage("decode", 0, 1)
        assert span.continued(ONE) is ONE
        assert span.headers == ()
    assert not NO_TRACER.is_on


@pytest.mark.usefixtures("process")
def test_without_the_variables_no_tracer_and_no_exporter_is_imported():
    # redis-py imports opentelemetry.sdk.metrics by itself where that is installed.
    program = (
        "import sys\n"
        "from newsdedup.bootstrap import feeder, http_server, tracing, workers\n"
        "with tracing.open_tracer({}, service='tested'):\n"
        "    ours = ('opentelemetry.exporter', 'newsdedup.adapters.tracing')\n"
        "    print([name for name in sys.modules if name.startswith(ours)])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert done.stdout == b"[]\n"
