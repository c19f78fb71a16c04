"""A worker at a Redis that drops keys when its memory is full, as managed ones do by default."""

import pytest

from runners.streaming import Stream
from servers.fixtures import running
from servers.ports import free_ports
from servers.process import wait_until
from servers.redis_server import RedisServer

pytestmark = pytest.mark.usefixtures("process", "redis_program")


def test_the_log_of_a_worker_warns_that_redis_may_drop_verdicts(kafka, tmp_path):
    redis = RedisServer(tmp_path / "redis", settings={"maxmemory-policy": "volatile-lru"})
    with running(redis, tmp_path):
        stream = Stream(kafka, redis, tmp_path)
        (port,) = free_ports(1)
        with stream.worker(worker__port=str(port)):
            wait_until(lambda: "redis_evicts policy=volatile-lru" in stream.logs(), what="warned")
