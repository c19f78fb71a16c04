"""How many records wait, and when a worker that has some stands still."""

import asyncio
from itertools import count

import pytest
from aiokafka import AIOKafkaProducer

from newsdedup.ports.telemetry import Telemetry
from newsdedup.runners.worker import service
from newsdedup.runners.worker.partitions import LagTracker
from runners.scraped import Probe
from runners.streaming import Stream

NEWS = {"id": "1", "source": "wire", "title": "Bridge opened", "text": "The bridge is open."}
PARTITION = ("raw", 0)


class Ended(BaseException):
    """Instead of the end of the process."""


class Scripted:
    """A runner that tells one lag after the other, and a worker that does nothing."""

    def __init__(self, *lags: int) -> None:
        self.telemetry = Telemetry()
        self.progressed_at = 0.0
        self.left = list(lags)

    async def lag(self) -> dict[str, int]:
        return {"raw/0": self.left.pop(0)}


def watched(monkeypatch, *lags: int) -> list[int]:
    """Return what was not asked any more when the watchdog ended; a second goes by each time."""
    clock, runner = count(1), Scripted(*lags)
    monkeypatch.setattr(service, "WATCH_SECONDS", 0)
    monkeypatch.setattr(service, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(service, "_end", ended)
    with pytest.raises((Ended, IndexError)):
        asyncio.run(service._watch_progress(runner, runner, 3.0))
    return runner.left


def ended() -> None:
    raise Ended


def test_a_worker_that_had_nothing_to_do_does_not_stand_still_when_something_comes(monkeypatch):
    assert watched(monkeypatch, 0, 0, 0, 0, 0, 0, 2, 2, 0, 9) == []


def test_a_worker_stands_still_when_records_wait_too_long(monkeypatch):
    assert watched(monkeypatch, 0, 2, 2, 2, 2, 7, 7) == [7, 7]


def lag(progress: LagTracker, end: int, position: int | None) -> dict[str, int]:
    async def stands(_partition):
        return position

    return asyncio.run(progress.lag({PARTITION: end}, stands))


def test_records_wait_until_they_are_done_however_far_the_client_has_read():
    progress = LagTracker(Telemetry())
    progress.begin(PARTITION, 5)
    for offset in (5, 6, 7):
        progress.note_fetched(PARTITION, offset)
    assert lag(progress, 10, 8) == {"raw/0": 5}
    progress.note_done({PARTITION: 7})
    assert lag(progress, 10, 8) == {"raw/0": 3}
    progress.note_done({PARTITION: 8})
    assert lag(progress, 10, 10) == {"raw/0": 0}


def test_of_a_partition_of_which_nothing_was_read_the_client_knows_where_it_begins():
    progress = LagTracker(Telemetry())
    assert lag(progress, 1_000, 990) == {"raw/0": 10}
    assert lag(progress, 1_000, None) == {}
    progress.note_fetched(PARTITION, 991)
    assert lag(progress, 1_000, 992) == {"raw/0": 9}
    progress.begin(PARTITION, 100)
    assert lag(progress, 1_000, 1_000) == {"raw/0": 0}
    assert lag(progress, 1_000, None) == {"raw/0": 900}


@pytest.mark.parametrize("runner", ["aiokafka", "faust"])
def test_nothing_waits_where_kafka_has_only_control_records_or_has_deleted_the_records(
    kafka, redis, tmp_path, runner
):
    stream, probe = Stream(kafka, redis, tmp_path, partitions=2), Probe()
    stream.produce([NEWS | {"id": str(number)} for number in range(3)], partition=1)
    asyncio.run(written_in_a_transaction(stream))
    asyncio.run(stream.delete({1: 3}))
    with stream.worker(runner=runner, worker__port=str(probe.port)) as process:
        stream.judged(1)
        probe.until("/metrics", lambda it: lags(it.text) == [0.0, 0.0], stream=stream)
        assert process.poll() is None


def lags(text: str) -> list[float]:
    lines = [line for line in text.splitlines() if line.startswith("newsdedup_lag_records{")]
    return [float(line.rsplit(" ", 1)[1]) for line in lines]


async def written_in_a_transaction(stream: Stream) -> None:
    """Write one item to the first partition; the end of the transaction takes an offset, too."""
    options = {"bootstrap_servers": stream.kafka.address, "transactional_id": stream.name}
    value = b'{"id": "t", "source": "wire", "title": "Road closed", "text": "A road is closed."}'
    async with AIOKafkaProducer(**options) as producer, producer.transaction():
        await producer.send_and_wait(stream.input, value, partition=0)
