"""A worker without topics waits for them; nobody makes others by asking for them."""

import asyncio

import pytest

from cli.own_topics import OwnTopics
from newsdedup.adapters.kafka.admin import topic_admin
from newsdedup.adapters.kafka.records import OutgoingRecord
from runners.processes import started
from runners.streaming import ended
from servers.kafka_broker import KafkaBroker
from servers.process import wait_until

ITEM = b'{"source": "a.example", "id": "1", "title": "Bridge opened"}'


@pytest.fixture
def generous(tmp_path):
    """Run a Kafka that makes every topic of which it is asked by name, as by default."""
    broker = KafkaBroker(tmp_path / "kafka", settings={"auto.create.topics.enable": "true"})
    broker.start()
    yield broker
    broker.stop()


def test_a_worker_waits_for_topics_and_works_when_they_are_made(generous, redis, tmp_path):
    topics = OwnTopics(generous.address)
    path = tmp_path / "worker.log"
    environ = topics.environ | {
        "NEWSDEDUP_REDIS__URL": redis.url,
        "NEWSDEDUP_REDIS__NAMESPACE": topics.input,
        "NEWSDEDUP_WORKER__PORT": "0",
        "NEWSDEDUP_WORKER__RUNNER": "aiokafka",
    }
    with path.open("wb") as log:
        process = started("worker", cwd=tmp_path, environ=environ, output=log)
        try:
            wait_until(
                lambda: f"there is no topic {topics.input}" in path.read_text(), what="waits"
            )
            assert asyncio.run(named(topics)) == set()
            assert topics.command("topics", "create", "--partitions", "2").exit_code == 0
            topics.write(OutgoingRecord(topics.input, None, ITEM))
            wait_until(lambda: topics.read(topics.output), what="a verdict", within=120)
            assert ended(process) == 0, path.read_text()
        finally:
            process.kill()
            process.communicate()
    assert asyncio.run(policy(topics)) == {"compact", "delete"}


async def named(topics):
    async with topic_admin(topics.access) as there:
        return {topics.input, topics.output, topics.dead} & set(await there._admin.list_topics())


async def policy(topics):
    async with topic_admin(topics.access) as there:
        return set((await there.settings(topics.output))["cleanup.policy"].split(","))
