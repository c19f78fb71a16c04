"""A stream of a test's own: its topics, its namespace, and workers on it as real processes."""

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic, RecordsToDelete

from runners.processes import started
from servers.kafka_broker import KafkaBroker
from servers.process import LOOK_EVERY, wait_until
from servers.redis_pair import RedisPair
from servers.redis_server import RedisServer

PATIENCE_SECONDS = 120
"""How long an effect is waited for: slow machines pass, a hanging one fails."""


class Event(NamedTuple):
    """A record that came out."""

    key: bytes
    value: dict[str, Any]
    headers: dict[str, bytes]

    @property
    def dedup(self) -> dict[str, Any]:
        return self.value["dedup"]


class Stream:
    """Topics and a namespace that nobody else uses."""

    def __init__(
        self,
        kafka: KafkaBroker,
        redis: RedisServer | RedisPair,
        folder: Path,
        *,
        partitions: int = 4,
    ) -> None:
        self.name = f"t{uuid4().hex[:12]}"
        self.kafka, self.redis, self.folder = kafka, redis, folder
        self.input, self.output, self.dead = (f"{self.name}.{end}" for end in ("raw", "out", "dlq"))
        self.partitions = partitions
        self._at_work: list[subprocess.Popen[bytes]] = []
        topics = [NewTopic(self.input, partitions, 1), NewTopic(self.output, partitions, 1)]
        asyncio.run(self._create([*topics, NewTopic(self.dead, 1, 1)]))

    def environment(self, **variables: str) -> dict[str, str]:
        """Return the settings of a worker on this stream; `rule__name="terms"` sets another one."""
        settings = {
            "KAFKA__SERVERS": self.kafka.address,
            "KAFKA__INPUT": self.input,
            "KAFKA__OUTPUT": self.output,
            "KAFKA__DEAD": self.dead,
            "KAFKA__GROUP": self.name,
            "REDIS__URL": self.redis.url,
            "REDIS__NAMESPACE": self.name,
            "REDIS__ITEMS": "1000",
            "WORKER__PORT": "0",
            "WORKER__BATCH": "32",
            "WORKER__SESSION": "6s",
            "WORKER__ORPHANS": "2s",
            "RULE__NAME": "terms",
        }
        settings |= {name.upper(): value for name, value in variables.items()}
        return {f"NEWSDEDUP_{name}": value for name, value in settings.items()}

    def add_partition(self) -> None:
        """Let the input have one more partition."""
        self.partitions += 1
        asyncio.run(self._grow())

    def produce(self, records: Iterable[Mapping[str, Any] | bytes | None], **options: Any) -> None:
        """Write records to the input: items as objects or bytes, all over the partitions."""
        asyncio.run(self._produce(list(records), **options))

    @contextmanager
    def worker(
        self,
        *,
        runner: str = "aiokafka",
        failpoint: str = "",
        environ: Mapping[str, str] | None = None,
        warm: bool = True,
        **variables: str,
    ):
        """Run a worker alongside a block; killed at its end if it still runs."""
        environ = {**self.environment(worker__runner=runner, **variables), **(environ or {})}
        if failpoint:
            environ["NEWSDEDUP_FAILPOINT"] = failpoint
        log = (self.folder / f"{uuid4().hex[:6]}.log").open("wb")
        process = started("worker", cwd=self.folder, environ=environ, output=log, warm=warm)
        self._at_work.append(process)
        try:
            yield process
        finally:
            self._at_work.remove(process)
            process.kill()
            process.communicate()
            log.close()

    def read(self, topic: str) -> list[Event]:
        """Return all that is in a topic now."""
        return asyncio.run(self._read(topic))

    def length(self) -> int:
        """Return how many records the output holds, repeated ones included."""
        return asyncio.run(self._length())

    def until(
        self,
        enough: Callable[[list[Event]], bool],
        *,
        topic: str = "",
        within: float = PATIENCE_SECONDS,
    ) -> list[Event]:
        """Return what is in the output, or another topic, as soon as it is enough."""
        deadline = time.monotonic() + within
        while True:
            # Asked first: what a worker wrote just before its end counts.
            dead = self._at_work and all(one.poll() is not None for one in self._at_work)
            if enough(found := self.read(topic or self.output)):
                return found
            if dead or time.monotonic() > deadline:
                raise AssertionError(f"{len(found)} events in vain\n{self.logs()}")

    def judged(self, items: int) -> list[Event]:
        """Return the output as soon as so many items have their verdict."""
        return self.until(lambda events: len(verdicts(events)) >= items)

    def await_namespace(self) -> None:
        """Return when a worker has made the namespace, whose format is fixed from then on."""
        wait_until(
            lambda: self.redis.ask("HEXISTS", f"{{{self.name}}}:meta", "born"),
            what="a worker makes the namespace",
            within=PATIENCE_SECONDS,
        )

    def adopted(self) -> None:
        """Return when no event that a dead worker committed waits: others publish it."""
        wait_until(
            lambda: self.redis.ask("XLEN", f"{{{self.name}}}:outbox") == 0,
            what="what dead workers left is published",
        )

    def logs(self) -> str:
        """Return what the workers said."""
        return "\n".join(path.read_text("utf-8") for path in sorted(self.folder.glob("*.log")))

    def committed(self) -> list[int | None]:
        """Return the offset that the workers have committed of each partition."""
        return asyncio.run(self._committed())

    def all_committed(self) -> bool:
        """Return whether the workers have committed all records of the input."""
        committed, ends = asyncio.run(self._progress())
        return [offset or 0 for offset in committed] == ends

    def all_stored(self) -> bool:
        """Return whether Redis holds the state after all records of the input."""
        _, ends = asyncio.run(self._progress())
        found = self.redis.ask("HGETALL", f"{{{self.name}}}:positions")
        stored = {name: int(end) for name, end in found.items()}
        names = [f"{self.input}/{number}" for number in range(self.partitions)]
        return [stored.get(name, 0) for name in names] == ends

    async def _committed(self) -> list[int | None]:
        options = {"bootstrap_servers": self.kafka.address, "group_id": self.name}
        async with AIOKafkaConsumer(**options) as consumer:
            numbers = range(self.partitions)
            return [await consumer.committed(TopicPartition(self.input, n)) for n in numbers]

    async def _progress(self) -> tuple[list[int | None], list[int]]:
        """Return the committed offset and the end of each partition of the input."""
        committed = await self._committed()
        partitions = [TopicPartition(self.input, number) for number in range(self.partitions)]
        async with AIOKafkaConsumer(bootstrap_servers=self.kafka.address) as consumer:
            ends = await consumer.end_offsets(partitions)
        return committed, [ends[partition] for partition in partitions]

    async def _length(self) -> int:
        partitions = [TopicPartition(self.output, number) for number in range(self.partitions)]
        async with AIOKafkaConsumer(bootstrap_servers=self.kafka.address) as consumer:
            return sum((await consumer.end_offsets(partitions)).values())

    async def delete(self, ends: Mapping[int, int]) -> None:
        """Delete the records of partitions of the input that lie before these offsets; -1: all."""
        before = {TopicPartition(self.input, at): RecordsToDelete(end) for at, end in ends.items()}
        async with self._admin() as admin:
            await admin.delete_records(before)

    @asynccontextmanager
    async def _admin(self) -> AsyncIterator[AIOKafkaAdminClient]:
        admin = AIOKafkaAdminClient(bootstrap_servers=self.kafka.address)
        await admin.start()
        try:
            yield admin
        finally:
            await admin.close()

    async def _create(self, topics: list[NewTopic]) -> None:
        async with self._admin() as admin:
            await admin.create_topics(topics)

    async def _grow(self) -> None:
        async with self._admin() as admin:
            await admin.create_partitions({self.input: NewPartitions(self.partitions)})

    async def _produce(
        self,
        records: list[Any],
        *,
        key: Callable[[Any], bytes] | None = None,
        headers: list[tuple[str, bytes]] | None = None,
        partition: int | None = None,
    ) -> None:
        async with AIOKafkaProducer(bootstrap_servers=self.kafka.address) as producer:
            sent = []
            for number, record in enumerate(records):
                value = (
                    json.dumps(record, ensure_ascii=False).encode()
                    if isinstance(record, Mapping)
                    else record
                )
                sent.append(
                    await producer.send(
                        self.input,
                        value,
                        key(record) if key else None,
                        partition=number % self.partitions if partition is None else partition,
                        headers=headers or [],
                    )
                )
            await asyncio.gather(*sent)

    async def _read(self, topic: str) -> list[Event]:
        async with AIOKafkaConsumer(bootstrap_servers=self.kafka.address) as consumer:
            partitions = await partitions_of(consumer, topic)
            consumer.assign(partitions)
            await consumer.seek_to_beginning()
            ends = await consumer.end_offsets(partitions)
            found: list[Event] = []
            for partition, end in ends.items():
                while await consumer.position(partition) < end:
                    for records in (await consumer.getmany(timeout_ms=1000)).values():
                        found.extend(event(record) for record in records)
            return found


async def partitions_of(consumer: AIOKafkaConsumer, topic: str) -> list[TopicPartition]:
    """Return the partitions of a topic, which a broker does not know at once when it is started."""
    consumer._client.add_topic(topic)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (numbers := consumer.partitions_for_topic(topic)):
            await consumer._client.force_metadata_update()
            await asyncio.sleep(LOOK_EVERY)
    return [TopicPartition(topic, number) for number in numbers]


def event(record: Any) -> Event:
    value = record.value
    try:
        value = json.loads(value or b"")
    except ValueError:
        value = {"bytes": value}
    return Event(record.key, value, dict(record.headers))


def verdicts(events: Iterable[Event]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the latest word on each item."""
    latest: dict[tuple[str, str], dict[str, Any]] = {}
    for one in events:
        said = one.value.get("dedup", {})
        if said.get("event") not in ("item.judged", "verdict.corrected"):
            continue
        key = (said["item"]["source"], said["item"]["id"])
        rank = (said["revision"]["epoch"], said["revision"]["n"])
        before = latest.get(key)
        if before is None or rank >= (before["revision"]["epoch"], before["revision"]["n"]):
            latest[key] = said
    return latest


def stories(said: Mapping[tuple[str, str], Mapping[str, Any]]) -> dict[Any, set[Any]]:
    """Return the items of each story by its original."""
    found: dict[Any, set[Any]] = {}
    for key, judgement in said.items():
        original = judgement["story"]["original"]
        found.setdefault((original["source"], original["id"]), set()).add(key)
    return found


def ended(process: "subprocess.Popen[bytes]") -> int:
    """Return how a process ended that was stopped by SIGTERM."""
    os.kill(process.pid, signal.SIGTERM)
    return process.wait(PATIENCE_SECONDS)
