from collections.abc import Iterator

import pytest

from laws.redis_sharded import SHARDS
from laws.redis_shared import Shared
from newsdedup.adapters.redis.keys import Keys
from servers.redis_cluster import RedisCluster
from servers.redis_server import RedisServer


@pytest.fixture(scope="session")
def shared_alone(redis: RedisServer) -> Iterator[Shared]:
    shared = Shared(redis.url)
    yield shared
    shared.close()


@pytest.fixture
def shared_redis(shared_alone: Shared) -> Shared:
    return shared_alone


@pytest.fixture(scope="session")
def shared_cluster(redis_cluster: RedisCluster) -> Iterator[Shared]:
    shared = Shared(redis_cluster.url, cluster=True)
    yield shared
    shared.close()


@pytest.fixture(scope="session")
def shared_shards(redis_cluster: RedisCluster) -> Iterator[Shared]:
    shared = Shared(redis_cluster.url, cluster=True, shards=SHARDS, front="sharded")
    yield shared
    shared.close()


@pytest.fixture(scope="session")
def shared(redis: RedisServer) -> Iterator[Shared]:
    """Have one server with all shards: what is asked is what becomes of home and of a shard."""
    shared = Shared(redis.url, shards=SHARDS, front="shards")
    yield shared
    shared.close()


@pytest.fixture
def keys(shared: Shared) -> Keys:
    """Have a namespace of shards that nobody uses."""
    return shared.keys(1024)


@pytest.fixture(params=["shared_alone", "shared_shards"])
def laid_out(request: pytest.FixtureRequest) -> Shared:
    """Have a namespace as it is by default, then one with shards on three masters."""
    shared: Shared = request.getfixturevalue(request.param)
    return shared
