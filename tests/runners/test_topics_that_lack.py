"""A worker without topics waits for them; nobody makes others by asking for them."""

import asyncio

import pytest

from cli.own_topics import Place
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
    place = Place(generous.address)
    path = tmp_path / "worker.log"
    environ = place.environ | {
        "NEWSDEDUP_REDIS__URL": redis.url,
        "NEWSDEDUP_REDIS__NAMESPACE": place.input,
        "NEWSDEDUP_WORKER__PORT": "0",
        "NEWSDEDUP_WORKER__RUNNER": "aiokafka",
    }
    with path.open("wb") as log:
        process = started("worker", cwd=tmp_path, environ=environ, output=log)
        try:
            wait_until(lambda: f"there is no topic {place.input}" in path.read_text(), what="waits")
            assert asyncio.run(named(place)) == set()
            assert place.command("topics", "create", "--partitions", "2").exit_code == 0
            place.write(OutgoingRecord(place.input, None, ITEM))
            wait_until(lambda: place.read(place.output), what="a verdict", within=120)
            assert ended(process) == 0, path.read_text()
        finally:
            process.kill()
            process.communicate()
    assert asyncio.run(policy(place)) == {"compact", "delete"}


async def named(place):
    async with topic_admin(place.access) as there:
        return {place.input, place.output, place.dead} & set(await there._admin.list_topics())


async def policy(place):
    async with topic_admin(place.access) as there:
        return set((await there.settings(place.output))["cleanup.policy"].split(","))
