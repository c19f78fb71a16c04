"""The store of a namespace in Redis, as it is laid out: on one server or over several shards."""

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.sharded import ShardedStore
from newsdedup.adapters.redis.store import RedisStore
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.shared_store import SharedStore


def redis_store(
    calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
) -> SharedStore:
    """Return the SharedStore of one worker over an open namespace."""
    kind = RedisStore if keys.shards == 1 else ShardedStore
    return kind(calls, keys, rule, worker=worker, life=life, born=born)
