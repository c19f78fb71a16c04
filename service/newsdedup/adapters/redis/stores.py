"""What the use case wants of a namespace in Redis, with shards or without."""

from collections.abc import Sequence
from typing import Protocol

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.sharded import ShardedStore
from newsdedup.adapters.redis.store import RedisStore
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.engine.shared.messages import Commit, Committed, Look, Seen


class SharedStore(Protocol):
    """One namespace, seen by one worker; the laws stand in redis_store.py.

    Checked by tests/laws/test_stores.py, test_lateness.py, test_redis_shards_laws.py.
    """

    worker: str
    calls: Calls
    keys: Keys

    async def look(self, looks: Sequence[Look]) -> Seen:
        """Return what is kept, for at most as many items as one call may ask for."""
        ...

    async def settle(self, commit: Commit) -> Committed | None:
        """Store a commit; return None if what it read has changed."""
        ...

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, as far as was seen, anything kept is as late as this or later."""
        ...


def redis_store(
    calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
) -> SharedStore:
    """Return a worker's way into a namespace as it is laid out."""
    kind = RedisStore if keys.shards == 1 else ShardedStore
    return kind(calls, keys, rule, worker=worker, life=life, born=born)
