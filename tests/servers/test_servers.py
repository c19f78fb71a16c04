"""Servers that do not start, or do not serve, are distinguished from those that do."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from servers.kafka_broker import KafkaBroker
from servers.ports import first_ephemeral, free_ports
from servers.process import ServerFailed
from servers.redis_server import RedisServer

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")


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
