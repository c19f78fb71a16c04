"""Opens the outputs to which feeds and imports are written."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from newsdedup.adapters.files.paths import STDIO, scheme_of
from newsdedup.bootstrap.runs import RunPaths, open_run, record_limits
from newsdedup.config import Settings
from newsdedup.config.addresses import kafka_addresses, topic_name
from newsdedup.ports.errors import SettingsInvalid, Unavailable
from newsdedup.ports.telemetry import Failpoint, FeederTelemetry, Telemetry, no_failpoint
from newsdedup.ports.tracing import NO_TRACER, Tracer
from newsdedup.runners.intake.engine_output import EngineOutput
from newsdedup.runners.intake.record_output import LinesFile, LinesPipe, RecordOutput, TopicOutput

KAFKA_SCHEME: Final = "kafka"
ENGINE_PREFIX: Final = "engine:"
_EXPECTED: Final = (
    "expected a file, - for standard output, kafka://host:port/topic, or engine:STATE"
)


def engine_state(to: str) -> str | None:
    """Return STATE of the target engine:STATE, "" if it is empty; None for any other target."""
    return to[len(ENGINE_PREFIX) :] if to.startswith(ENGINE_PREFIX) else None


def target_name(settings: Settings, to: str) -> str:
    """Return a name for a target that is no file: kafka:///TOPIC for Kafka, others unchanged.

    So the name stays the same when brokers are added or replaced. Raise SettingsInvalid for a
    malformed address of Kafka.
    """
    if scheme_of(to) != KAFKA_SCHEME:
        return to
    return f"{KAFKA_SCHEME}:///{_settings_of_topic(settings, to).kafka.input}"


def output_identity(settings: Settings, to: str, engine: RunPaths | None) -> tuple[str, bool]:
    """Return a stable name of the output `to`, and whether it is a file that does not exist yet.

    `engine` has the paths of the run for engine:STATE, else it is None.
    """
    if engine is not None:
        return f"engine:{engine.state.absolute()}", not engine.state.exists()
    if scheme_of(to) or to == STDIO:
        return target_name(settings, to), False
    return str(Path(to).absolute()), not Path(to).exists()


async def open_record_output(
    settings: Settings,
    to: str,
    *,
    engine: RunPaths | None = None,
    stopping: asyncio.Event | None = None,
    observe: Callable[[Counter[str]], None] = lambda _: None,
    telemetry: FeederTelemetry | None = None,
    tracer: Tracer = NO_TRACER,
    fail: Failpoint = no_failpoint,
) -> RecordOutput:
    """Open an output for records; raise SettingsInvalid or SinkUnusable if that fails.

    `engine` has the paths of a run, for engine:STATE, whose counts `observe` gets by batch. With
    `stopping`, opening waits for Kafka and its topic until it is cancelled, and a write until
    `stopping` is set; without it both make one attempt. `telemetry` gets the attempts that failed.
    The records in Kafka continue the trace of `tracer`.
    """
    if engine_state(to) is not None and engine is not None:
        return await EngineOutput.open(
            partial(open_run, settings, engine, fail=fail), observe=observe
        )
    if scheme_of(to) == KAFKA_SCHEME:
        chosen = _settings_of_topic(settings, to)
        return await _open_topic(chosen, stopping, telemetry or FeederTelemetry(), tracer)
    if scheme_of(to) or engine_state(to) is not None:
        raise SettingsInvalid(f"--to {to}: {_EXPECTED}")
    return LinesPipe() if to == STDIO else LinesFile(Path(to))


async def _open_topic(
    settings: Settings, stopping: asyncio.Event | None, telemetry: FeederTelemetry, tracer: Tracer
) -> RecordOutput:
    """Return the output to the topic kafka.input; with `stopping` wait until the topic exists.

    Without it raise SinkUnusable if there is no such topic, Unavailable if Kafka does not answer.
    """
    # Here and not above: they need what the extra `kafka` brings.
    from newsdedup.adapters.kafka.admin import require_topic  # noqa: PLC0415
    from newsdedup.adapters.kafka.publisher import KafkaPublisher  # noqa: PLC0415
    from newsdedup.adapters.kafka.records import line_record  # noqa: PLC0415
    from newsdedup.bootstrap.workers import kafka_access  # noqa: PLC0415
    from newsdedup.runners.worker.service import wait_for_server  # noqa: PLC0415

    chosen, access = settings.kafka, kafka_access(settings)
    if stopping is None:
        await require_topic(access, chosen.input)
    else:
        answered, failed = telemetry.output_answers, telemetry.output_failed
        ask = partial(require_topic, access, chosen.input, missing=Unavailable)
        watch = _KafkaWatch(lambda answers: answered() if answers else failed())
        await wait_for_server("kafka", ask, watch)
    return TopicOutput(
        KafkaPublisher(access, message_bytes=chosen.message_bytes),
        partial(line_record, topic=chosen.input, limits=record_limits(settings)),
        stopping=stopping,
        telemetry=telemetry,
        tracer=tracer,
    )


async def watch_output(settings: Settings, to: str, telemetry: FeederTelemetry) -> None:
    """Report for ever whether Kafka answers, if `to` is a topic; else return at once."""
    if scheme_of(to) != KAFKA_SCHEME:
        return
    from newsdedup.bootstrap.observation import probe_kafka  # noqa: PLC0415 - as above

    chosen = _settings_of_topic(settings, to)
    watch = _KafkaWatch(lambda answers: telemetry.output_reached(answers=answers))
    await probe_kafka(chosen, watch, topic=chosen.kafka.input)


def _settings_of_topic(settings: Settings, to: str) -> Settings:
    """Return the settings with the servers and the topic of kafka://host:port,host:port/topic.

    A part that is missing stays as in the settings. Raise SettingsInvalid for another form, without
    showing the text, which may have a password.
    """
    servers, _, topic = to.partition("://")[2].partition("/")
    chosen = settings.kafka
    try:
        kafka = replace(
            chosen,
            servers=kafka_addresses().parse(servers) if servers else chosen.servers,
            input=topic_name().parse(topic) if topic else chosen.input,
        )
    except ValueError as error:
        raise SettingsInvalid(
            f"--to kafka://: {_EXPECTED}; user and password are settings, kafka.username and "
            "kafka.password"
        ) from error
    return replace(settings, kafka=kafka)


@dataclass(frozen=True, slots=True)
class _KafkaWatch(Telemetry):
    """Passes on whether Kafka answers."""

    report: Callable[[bool], None]

    def reached(self, server: str, *, answers: bool) -> None:  # noqa: ARG002 - it is Kafka
        """Report whether the last attempt was answered; `server` is always Kafka."""
        self.report(answers)
