from collections.abc import Iterator

import pytest

from laws.redis_shared import Shared
from servers.redis_cluster import RedisCluster
from servers.redis_server import RedisServer


@pytest.fixture(scope="session")
def shared_redis(redis: RedisServer) -> Iterator[Shared]:
    shared = Shared(redis.url)
    yield shared
    shared.close()


@pytest.fixture(scope="session")
def shared_cluster(redis_cluster: RedisCluster) -> Iterator[Shared]:
    shared = Shared(redis_cluster.url, cluster=True)
    yield shared
    shared.close()


@pytest.fixture(scope="session")
def shared_shards(redis_cluster: RedisCluster) -> Iterator[Shared]:
    shared = Shared(redis_cluster.url, cluster=True, shards=4)
    yield shared
    shared.close()
