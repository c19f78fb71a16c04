"""Servers that tests ask for by name; each is started once, when the first test requests it.

A test may kill or stop what it was given if it starts it again; one that needs other settings makes
a server of its own. Names of topics and keys must be the test's own.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from servers.certificates import Certificates
from servers.kafka_broker import KafkaBroker, java
from servers.process import ServerFailed
from servers.redis_cluster import RedisCluster
from servers.redis_pair import RedisPair
from servers.redis_server import RedisServer, program


@pytest.fixture(scope="session")
def process() -> None:
    """Be asked for by a test that starts a process of its own: `--fast` leaves it out."""


@pytest.fixture(scope="session")
def long() -> None:
    """Be asked for by a module whose tests compute for seconds: `--fast` leaves it out."""


@pytest.fixture(scope="session")
def kafka_program() -> list[str]:
    """Return the beginning of a command that runs Kafka, for tests with brokers of their own."""
    return java()


@pytest.fixture(scope="session")
def redis_program() -> str:
    """Return the server that is installed, for tests with a Redis of their own."""
    return program()


@pytest.fixture(scope="session")
def promtool() -> str:
    """Return the program that checks what Prometheus reads."""
    return installed("promtool", "scripts/provision installs it")


@pytest.fixture(scope="session")
def prometheus() -> str:
    """Return the program that scrapes processes and answers queries."""
    return installed("prometheus", "scripts/provision installs it")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the browser in which pages are looked at."""
    return installed("chromium", "scripts/provision installs it")


@pytest.fixture(scope="session")
def faketime() -> str:
    """Return the program whose library gives a process another clock."""
    return installed("faketime", "scripts/provision installs it")


@pytest.fixture(scope="session")
def kubectl() -> str:
    """Return the program that puts manifests of Kubernetes together."""
    return installed("kubectl", "1.27 or later is needed")


def installed(name: str, advice: str) -> str:
    """Return the path of a program, without which a test fails."""
    path = shutil.which(name)
    if path is None:
        raise ServerFailed(f"{name} is not installed; {advice}")
    return path


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaBroker]:
    folder = tmp_path_factory.mktemp("kafka")
    server = KafkaBroker(folder)
    with running(server, folder):
        _brokers[:] = [server]
        yield server
        _brokers.clear()


_brokers: list[KafkaBroker] = []
"""The one of the session, once it has been asked for."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start the broker again for a test that needs it after others that did not."""
    if item.get_closest_marker("kafka") is not None:
        for broker in _brokers:
            if not broker.process.alive:
                broker.start()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop the broker after its last test: where nobody asks it, it works all the same.

    Only where the tests with servers come first (tests/conftest.py, `dear_first`), so that it need
    not start again and again.
    """
    if "PYTEST_XDIST_WORKER_COUNT" not in os.environ or nextitem is None:
        return
    if any(broker.process.alive for broker in _brokers) and item.path != nextitem.path:
        following = (one for one in item.session.items if one.path == nextitem.path)
        if not any(one.get_closest_marker("kafka") for one in following):
            for broker in _brokers:
                broker.stop()


@pytest.fixture(scope="session")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    folder = tmp_path_factory.mktemp("redis")
    server = RedisServer(folder)
    with running(server, folder):
        yield server


@pytest.fixture(scope="session")
def redis_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisCluster]:
    folder = tmp_path_factory.mktemp("redis-cluster")
    server = RedisCluster(folder)
    with running(server, folder):
        yield server


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("tls") / "certificates").make()


@contextmanager
def running(
    server: KafkaBroker | RedisServer | RedisPair | RedisCluster, folder: Path
) -> Iterator[None]:
    """Run a server; afterwards only its log stays, for anyone who looks why a test failed."""
    with ExitStack() as stack:
        stack.callback(server.stop)
        server.start()
        yield
    for data in folder.glob("**/data"):
        shutil.rmtree(data)
