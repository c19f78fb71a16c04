"""The laws of RecordOutput, for every output to which feeds and imports are written."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from newsdedup.adapters.kafka.admin import TopicSpec, topic_admin
from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.bootstrap.record_outputs import open_record_output
from newsdedup.bootstrap.runs import RunPaths
from newsdedup.config import Settings
from newsdedup.ports.errors import SinkUnusable
from newsdedup.ports.telemetry import FeederTelemetry
from newsdedup.runners.intake.record_output import record_json


@dataclass
class Target:
    """One kind of output, and what it contains now: the ids of its records in their order."""

    to: str
    settings: Settings
    engine: RunPaths | None
    kafka: str = ""

    @asynccontextmanager
    async def opened(self):
        output = await open_record_output(self.settings, self.to, engine=self.engine)
        try:
            yield output
        finally:
            await output.close()

    async def ids(self) -> list[str]:
        return [one["id"] for one in await self._records()]

    async def _records(self) -> list[dict[str, Any]]:
        if self.kafka:
            topic = self.to.rpartition("/")[2]
            async with open_topic(KafkaAccess(self.kafka), topic) as opened:
                return [
                    json.loads(one.value)
                    async for batch in opened.records(at_once=100)
                    for one in batch
                ]
        path = Path(self.to) if self.engine is None else Path(self.engine.to)
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def records(*names: str) -> list[bytes]:
    return [
        record_json(
            {
                "id": name,
                "source": "herald.example",
                "title": f"The council of Torin decided on matter {name}",
                "seen_at": "2026-03-02T10:00:00+00:00",
            }
        )
        for name in names
    ]


async def create_topic(access: KafkaAccess, name: str) -> None:
    async with topic_admin(access) as there:
        assert await there.create([TopicSpec(name, 1, 1, {})]) == [name]


class RecordOutputLaws:
    """What holds for every output; a subclass has the fixture `target`."""

    def test_what_was_written_is_there_in_its_order(self, target):
        async def check():
            async with target.opened() as output:
                assert await output.write(records("a", "b")) == []
                assert await target.ids() == ["a", "b"]
                assert await output.write(records("c")) == []
            assert await target.ids() == ["a", "b", "c"]

        asyncio.run(check())

    def test_an_output_that_is_opened_again_goes_on_at_its_end(self, target):
        async def check():
            async with target.opened() as output:
                await output.write(records("a"))
            async with target.opened() as output:
                await output.write(records("b"))
            assert await target.ids() == ["a", "b"]

        asyncio.run(check())

    def test_nothing_is_written_of_no_records(self, target):
        async def check():
            async with target.opened() as output:
                assert await output.write([]) == []
                await output.write(records("a"))
            assert await target.ids() == ["a"]

        asyncio.run(check())

    def test_records_written_at_the_same_time_are_whole(self, target):
        async def check():
            names = [f"{batch}{at}" for batch in "abcdef" for at in range(20)]
            async with target.opened() as output:
                await asyncio.gather(
                    *(
                        output.write(records(*(f"{one}{at}" for at in range(20))))
                        for one in "abcdef"
                    )
                )
            assert sorted(await target.ids()) == sorted(names)

        asyncio.run(check())

    def test_records_that_are_written_again_keep_their_ids(self, target):
        async def check():
            async with target.opened() as output:
                await output.write(records("a", "b"))
                await output.write(records("a", "b"))
            assert set(await target.ids()) == {"a", "b"}

        asyncio.run(check())


class TestFiles(RecordOutputLaws):
    @pytest.fixture
    def target(self, tmp_path):
        return Target(str(tmp_path / "items.jsonl"), Settings(), None)


class TestEngines(RecordOutputLaws):
    @pytest.fixture
    def target(self, tmp_path):
        settings = Settings()
        events = str(tmp_path / "events.jsonl")
        paths = RunPaths(events, tmp_path / "state", tmp_path / "events.dlq")
        chosen = replace(settings, run=replace(settings.run, helpers=0))
        return Target("engine:state", chosen, paths)


class RecordedTelemetry(FeederTelemetry):
    """What a feeder reports of its output."""

    def __init__(self):
        self.waits, self.reports = asyncio.Event(), []

    def output_failed(self):
        self.waits.set()
        self.reports.append("failed")

    def output_answers(self):
        self.reports.append("answers")


class TestTopics(RecordOutputLaws):
    def test_a_topic_that_is_not_there_is_awaited_and_its_lack_logged_once(self, kafka, caplog):
        topic, telemetry = f"t{uuid4().hex[:12]}", RecordedTelemetry()
        target = Target(f"kafka://{kafka.address}/{topic}", Settings(), None, kafka.address)

        async def check():
            opening = asyncio.create_task(
                open_record_output(
                    Settings(), target.to, stopping=asyncio.Event(), telemetry=telemetry
                )
            )
            async with asyncio.timeout(30):
                await telemetry.waits.wait()
                await create_topic(KafkaAccess(kafka.address), topic)
                output = await opening
                await output.write(records("a"))
                await output.close()
            assert await target.ids() == ["a"]

        asyncio.run(check())
        assert telemetry.reports[:1] == ["failed"]
        assert telemetry.reports[-1:] == ["answers"]
        (line,) = (text for one in caplog.records if "waiting" in (text := one.getMessage()))
        assert f"there is no topic {topic} that this user may see; `newsdedup topics" in line

    def test_a_topic_that_is_not_there_is_refused_where_nobody_waits(self, kafka):
        to = f"kafka://{kafka.address}/t{uuid4().hex[:12]}"
        with pytest.raises(SinkUnusable, match="there is no topic"):
            asyncio.run(open_record_output(Settings(), to))

    @pytest.fixture
    def target(self, kafka):
        topic = f"t{uuid4().hex[:12]}"
        asyncio.run(create_topic(KafkaAccess(kafka.address), topic))
        to = f"kafka://{kafka.address}/{topic}"
        return Target(to, Settings(), None, kafka.address)
