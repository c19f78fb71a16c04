"""Opens the places to which feeds and imports are written."""

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
from newsdedup.config.addresses import KafkaAddresses, TopicName
from newsdedup.ports.errors import NewsdedupError, SettingsInvalid, SinkUnusable, Unavailable
from newsdedup.ports.feeder_telemetry import FeederTelemetry
from newsdedup.ports.telemetry import Failpoint, Telemetry, no_failpoint
from newsdedup.ports.tracing import NO_TRACER, Tracer
from newsdedup.runners.intake.engine_output import EngineOutput
from newsdedup.runners.intake.line_outputs import LinesFile, LinesPipe
from newsdedup.runners.intake.record_output import RecordOutput

KAFKA_SCHEME: Final = "kafka"
ENGINE_PREFIX: Final = "engine:"
_EXPECTED: Final = (
    "expected a file, - for standard output, kafka://host:port/topic, or engine:STATE"
)


@dataclass(frozen=True, slots=True)
class TopicAddress:
    """A topic of Kafka; an empty part is what the settings say."""

    servers: str
    topic: str


def parse_topic_address(to: str) -> TopicAddress:
    """Return the servers and the topic of kafka://host:port,host:port/topic.

    Raise SettingsInvalid for another form; the message does not show what may hold a password.
    """
    servers, _, topic = to.partition("://")[2].partition("/")
    try:
        return TopicAddress(
            KafkaAddresses().parse(servers) if servers else "",
            TopicName().parse(topic) if topic else "",
        )
    except ValueError as error:
        raise SettingsInvalid(
            f"--to kafka://: {_EXPECTED}; user and password are settings, kafka.username and "
            "kafka.password"
        ) from error


def engine_state(to: str) -> str | None:
    """Return the state of engine:STATE, which may be empty, and None for any other place."""
    return to[len(ENGINE_PREFIX) :] if to.startswith(ENGINE_PREFIX) else None


def target_name(settings: Settings, to: str) -> str:
    """Return the name of a place that is no file: a topic without its servers, others as they are.

    Brokers are added and replaced, and the topic stays what it is.
    """
    if scheme_of(to) != KAFKA_SCHEME:
        return to
    return f"{KAFKA_SCHEME}:///{parse_topic_address(to).topic or settings.kafka.input}"


def output_identity(settings: Settings, to: str, engine: RunPaths | None) -> tuple[str, bool]:
    """Return a name for what receives records, and whether it is known to hold none yet."""
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
    """Open a place for records; raise SettingsInvalid or SinkUnusable if it cannot be opened.

    `engine` are the places of a run, for engine:STATE, whose counts `observe` gets by batch. With
    `stopping` the opening waits for Kafka and its topic until it is cancelled, and a write until
    `stopping` is set; without it both make one attempt. `telemetry` gets the attempts that failed.
    The records in Kafka continue the trace of `tracer`.
    """
    if engine_state(to) is not None and engine is not None:
        return await EngineOutput.open(
            partial(open_run, settings, engine, fail=fail), observe=observe
        )
    if scheme_of(to) == KAFKA_SCHEME:
        return await _open_topic(settings, parse_topic_address(to), stopping, telemetry, tracer)
    if scheme_of(to) or engine_state(to) is not None:
        raise SettingsInvalid(f"--to {to}: {_EXPECTED}")
    return LinesPipe() if to == STDIO else LinesFile(Path(to))


async def _open_topic(
    settings: Settings,
    address: TopicAddress,
    stopping: asyncio.Event | None,
    telemetry: FeederTelemetry | None,
    tracer: Tracer,
) -> RecordOutput:
    """Return the output to a topic, with `stopping` when the topic is there.

    Without it raise SinkUnusable if there is no such topic, Unavailable if Kafka does not answer.
    """
    # Here and not above: they need what the extra `kafka` brings.
    from newsdedup.adapters.kafka.admin import topic_admin  # noqa: PLC0415
    from newsdedup.adapters.kafka.items import line_record  # noqa: PLC0415
    from newsdedup.adapters.kafka.publisher import KafkaPublisher  # noqa: PLC0415
    from newsdedup.bootstrap.workers import kafka_access  # noqa: PLC0415
    from newsdedup.runners.intake.topic_output import TopicOutput  # noqa: PLC0415
    from newsdedup.runners.worker.service import wait_for_server  # noqa: PLC0415

    settings = _settings_of(settings, address)
    chosen, access = settings.kafka, kafka_access(settings)

    async def ask(missing: type[NewsdedupError]) -> None:
        """Raise `missing` if there is no such topic, Unavailable if Kafka does not answer."""
        async with topic_admin(access) as there:
            if chosen.input not in await there.describe([chosen.input]):
                raise missing(
                    f"kafka: there is no topic {chosen.input}; `newsdedup topics create` makes it"
                )

    if stopping is None:
        await ask(SinkUnusable)
    else:
        # A write to a topic that is not there might make a wrong one.
        watch = _OutputWatch(telemetry or FeederTelemetry())
        await wait_for_server("kafka", partial(ask, Unavailable), watch)
    return TopicOutput(
        KafkaPublisher(access, message_bytes=chosen.message_bytes),
        partial(line_record, topic=chosen.input, limits=record_limits(settings)),
        stopping=stopping,
        telemetry=telemetry,
        tracer=tracer,
    )


async def watch_output(settings: Settings, to: str, telemetry: FeederTelemetry) -> None:
    """Report for ever whether the Kafka behind a place answers; return at once for other places."""
    if scheme_of(to) != KAFKA_SCHEME:
        return
    from newsdedup.bootstrap.server_probes import probe_kafka  # noqa: PLC0415 - as above

    chosen = _settings_of(settings, parse_topic_address(to))
    await probe_kafka(chosen, _ProbedOutput(telemetry), topic=chosen.kafka.input)


def _settings_of(settings: Settings, address: TopicAddress) -> Settings:
    """Return the settings with the servers and the topic of a place."""
    chosen = replace(
        settings.kafka,
        servers=address.servers or settings.kafka.servers,
        input=address.topic or settings.kafka.input,
    )
    return replace(settings, kafka=chosen)


class _ProbedOutput(Telemetry):
    """Reports to the telemetry of a feeder whether Kafka answers probes."""

    def __init__(self, feeder: FeederTelemetry) -> None:
        self._feeder = feeder

    def reached(self, server: str, *, answers: bool) -> None:  # noqa: ARG002 - it is Kafka
        """Note whether Kafka answered."""
        self._feeder.output_reached(answers=answers)


class _OutputWatch(Telemetry):
    """Reports to the telemetry of a feeder whether Kafka has its topic."""

    def __init__(self, feeder: FeederTelemetry) -> None:
        self._feeder = feeder

    def reached(self, server: str, *, answers: bool) -> None:  # noqa: ARG002 - it is Kafka
        """Note whether the output can be opened."""
        if answers:
            self._feeder.output_answers()
        else:
            self._feeder.output_failed()
