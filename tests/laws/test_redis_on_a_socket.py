"""A server on a socket of the machine, as redis.url may name it."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from laws.redis_news import item, originals, worker
from laws.redis_shared import Shared
from servers.redis_server import RedisServer

pytestmark = pytest.mark.usefixtures("redis_program")

SAME = {1, 2, 3, 4}


def test_a_server_on_a_socket_serves_any_of_its_databases(tmp_path):
    # The system allows names of sockets 107 bytes, which the folder of a test may exceed.
    with TemporaryDirectory() as folder:
        socket = Path(folder, "redis.sock")
        server = RedisServer(tmp_path / "redis", settings={"unixsocket": str(socket)})
        server.start()
        shared = Shared(f"unix://{socket}?db=3")
        try:
            served = worker(shared, shared.keys())
            batch = [item("a", SAME), item("b", SAME, at=1)]
            assert originals(shared.run(served.process(batch)).events) == {"a": "a", "b": "a"}
            assert set(server.info("keyspace")) == {"db3"}
        finally:
            shared.close()
            server.stop()
