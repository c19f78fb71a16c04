"""The servers that other tests rely on do what those tests rely on."""

import asyncio
import gc
import ssl
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaError
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError, OutOfMemoryError
from redis.exceptions import ConnectionError as NoConnection
from redis.retry import Retry

from servers.certificates import Certificates
from servers.kafka_broker import KafkaBroker, Scram
from servers.ports import first_ephemeral, free_ports
from servers.process import ServerFailed, wait_until
from servers.redis_cluster import RedisCluster
from servers.redis_server import RedisServer

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

SECONDS = 60


@pytest.fixture(autouse=True)
def dropped_connections() -> Iterator[None]:
    """Let go, within this test, of connections to a killed broker: aiokafka leaves some open."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


async def make_topic(broker: KafkaBroker, name: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=broker.address)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(name, num_partitions=1, replication_factor=1)])
    finally:
        await admin.close()


async def send(topic: str, *values: bytes, **client: Any) -> None:
    producer = AIOKafkaProducer(acks="all", **client)
    try:
        await producer.start()
        for value in values:
            await producer.send_and_wait(topic, value)
    finally:
        await producer.stop()


async def received(topic: str, count: int, **client: Any) -> list[bytes]:
    async with asyncio.timeout(SECONDS):
        async with AIOKafkaConsumer(topic, auto_offset_reset="earliest", **client) as consumer:
            return [(await consumer.getone()).value for _ in range(count)]


def plain(broker: KafkaBroker) -> Mapping[str, Any]:
    return {"bootstrap_servers": broker.address}


def test_kafka_returns_what_it_took(kafka: KafkaBroker) -> None:
    async def both() -> list[bytes]:
        await make_topic(kafka, topic)
        await send(topic, b"first", b"second", **plain(kafka))
        return await received(topic, 2, **plain(kafka))

    topic = f"returned-{uuid4()}"
    assert asyncio.run(both()) == [b"first", b"second"]


def test_kafka_keeps_its_messages_and_its_address_when_killed(kafka: KafkaBroker) -> None:
    async def before() -> None:
        await make_topic(kafka, topic)
        await send(topic, b"acknowledged", **plain(kafka))

    async def after() -> list[bytes]:
        await send(topic, b"later", **plain(kafka))
        return await received(topic, 2, **plain(kafka))

    topic = f"kept-{uuid4()}"
    asyncio.run(before())
    killed, address = kafka.process.pid, kafka.address
    kafka.kill()
    assert not kafka.answers()
    kafka.start()
    assert (kafka.process.pid != killed, kafka.address) == (True, address)
    assert asyncio.run(after()) == [b"acknowledged", b"later"]


def test_kafka_serves_with_tls_those_who_know_the_password(
    tmp_path: Path, certificates: Certificates
) -> None:
    def secure(password: str) -> Mapping[str, Any]:
        return {
            "bootstrap_servers": broker.secure_address,
            "security_protocol": "SASL_SSL",
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_plain_username": "reader",
            "sasl_plain_password": password,
            "ssl_context": ssl.create_default_context(cafile=certificates.ca),
        }

    async def both() -> list[bytes]:
        await make_topic(broker, "secret")
        await send("secret", b"read me", **secure("right"))
        return await received("secret", 1, **secure("right"))

    broker = KafkaBroker(tmp_path, scram=Scram(certificates, {"reader": "right"}))
    broker.start()
    try:
        assert asyncio.run(both()) == [b"read me"]
        with pytest.raises(KafkaError):
            asyncio.run(send("secret", b"no", **secure("wrong")))
    finally:
        broker.stop()


def test_redis_keeps_its_keys_and_its_address_when_killed(redis: RedisServer) -> None:
    key, address = f"kept-{uuid4()}", redis.address
    redis.ask("SET", key, "value")
    redis.wait_until_written()
    redis.kill()
    assert not redis.answers()
    redis.start()
    assert (redis.ask("GET", key), redis.address) == ("value", address)
    assert redis.ask("CONFIG", "GET", "appendfsync")["appendfsync"] == "everysec"


def test_a_replica_gets_what_its_master_writes(tmp_path: Path) -> None:
    password = str(uuid4())
    master = RedisServer(tmp_path / "master", password=password)
    replica = RedisServer(tmp_path / "replica", password=password, replica_of=master)
    try:
        master.start()
        replica.start()
        replica.wait_for_master()
        master.ask("SET", "key", "value")
        assert master.ask("WAIT", 1, 1000 * SECONDS) == 1
        assert replica.ask("GET", "key") == "value"
    finally:
        replica.stop()
        master.stop()


def test_redis_serves_with_tls_and_keeps_users_to_their_rules(
    tmp_path: Path, certificates: Certificates
) -> None:
    def client(password: str, **tls: Any) -> Redis:
        once = Retry(NoBackoff(), 0)
        return Redis(port=server.port, username="worker", password=password, retry=once, **tls)

    tls = {"ssl": True, "ssl_ca_certs": str(certificates.ca)}
    users = {"worker": "on >right ~own:* +@all"}
    server = RedisServer(tmp_path, password=str(uuid4()), users=users, certificates=certificates)
    server.start()
    try:
        with client("right", **tls) as right:
            assert right.set("own:key", "value")
            with pytest.raises(NoPermissionError):
                right.set("foreign", "value")
        with client("wrong", **tls) as wrong, pytest.raises(AuthenticationError):
            wrong.ping()
        with client("right") as bare, pytest.raises(NoConnection):
            bare.ping()
    finally:
        server.stop()


def test_redis_refuses_writes_when_its_memory_is_full(tmp_path: Path) -> None:
    server = RedisServer(tmp_path, settings={"maxmemory": "3mb"})
    server.start()
    try:
        with pytest.raises(OutOfMemoryError):
            fill(server)
    finally:
        server.stop()


def fill(server: RedisServer) -> None:
    for number in range(100):
        server.ask("SET", number, "x" * 100_000)


def test_a_cluster_serves_every_key_again_when_a_replica_has_taken_over(
    redis_cluster: RedisCluster,
) -> None:
    key = f"kept-{uuid4()}"
    master = redis_cluster.master_of(key)
    (replica,) = redis_cluster.replicas_of(master)
    assert len(redis_cluster.masters()) == 3
    master.ask("SET", key, "value")
    assert master.ask("WAIT", 1, 1000 * SECONDS) == 1
    master.kill()
    redis_cluster.wait()
    assert redis_cluster.master_of(key) is replica
    assert replica.ask("GET", key) == "value"
    master.start()
    wait_until(
        lambda: redis_cluster.replicas_of(replica) == [master],
        what="the former master follows",
    )


@pytest.mark.parametrize(
    ("server", "setting"),
    [(RedisServer, {"maxmemory": "much"}), (KafkaBroker, {"num.io.threads": "-1"})],
)
def test_a_server_that_does_not_start_shows_what_it_said(
    tmp_path: Path, server: type[RedisServer | KafkaBroker], setting: Mapping[str, str]
) -> None:
    (name,) = setting
    with pytest.raises(ServerFailed, match=name):
        server(tmp_path / "server", settings=setting).start()


def test_a_server_that_says_nothing_in_its_time_is_killed(tmp_path: Path) -> None:
    server = RedisServer(tmp_path / "server")
    server.launch()
    with pytest.raises(ServerFailed, match="did not serve within 0 s"):
        server.process.wait(lambda: False, within=0)
    assert not server.process.alive


def test_ports_are_free_and_none_that_a_client_could_be_given() -> None:
    ports = free_ports(50)
    assert len(set(ports)) == 50
    assert max(ports) < first_ephemeral()
