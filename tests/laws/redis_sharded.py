"""Shards that lose what they had, and workers that die amid a commit, for laws about them."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from laws.redis_shared import Shared
from newsdedup.adapters.redis_keys import Keys
from newsdedup.adapters.redis_promise import Owed
from newsdedup.adapters.redis_sharded import ShardedStore
from newsdedup.core.model import ItemKey
from newsdedup.served import Served

Kept = Mapping[bytes, bytes]


class Killed(Exception):
    """A worker that died."""


def of_home(keys: Keys) -> str:
    """Return the pattern of all keys of home."""
    return f"{{{keys.namespace}}}:*"


def of_shard(keys: Keys, shard: int) -> str:
    """Return the pattern of all keys of a shard."""
    return f"{{{keys.namespace}|{shard}}}:*"


def kept(shared: Shared, pattern: str) -> Kept:
    """Return what a server keeps under some keys."""
    return shared.run(_kept(shared.client, pattern))


async def _kept(redis: Any, pattern: str) -> Kept:
    names = [name async for name in redis.scan_iter(match=pattern)]
    return {name: await redis.dump(name) for name in sorted(names)}


def put_back(shared: Shared, pattern: str, dump: Kept) -> None:
    """Let a server have lost all that was written under some keys since then."""
    shared.run(_put_back(shared.client, pattern, dump))


async def _put_back(redis: Any, pattern: str, dump: Kept) -> None:
    async for name in redis.scan_iter(match=pattern):
        await redis.delete(name)
    for name, data in dump.items():
        await redis.restore(name, 0, data)


async def lose(redis: Any, pattern: str, dump: Kept) -> None:
    """Let home lose all that was written under its keys since, and forget whom it had woken."""
    await _put_back(redis, pattern, dump)
    await redis.function_flush()


def start_anew(shared: Shared) -> None:
    """Let a server have forgotten whom it had woken."""
    shared.run(shared.client.function_flush())


def in_shard(keys: Keys, shard: int, name: str = "i") -> str:
    """Return the name of an item that is kept in a shard."""
    names = (f"{name}{number}" for number in range(1_000))
    return next(one for one in names if keys.shard_of(ItemKey("s", one)) == shard)


@asynccontextmanager
async def dying(served: Served, *, before: int) -> AsyncIterator[None]:
    """Let a worker die after home has taken a commit, before so many shards have got it."""
    store = served.store
    assert isinstance(store, ShardedStore)
    give, left = store.shards.give, before

    async def killed(one: Owed, *, era: str, stamp: bytes) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return await give(one, era=era, stamp=stamp)

    store.shards.give = killed
    try:
        yield
    finally:
        store.shards.give = give


def chance(seed: int) -> random.Random:
    """Return chance that is the same every time."""
    return random.Random(seed)  # noqa: S311 - a stream, no secret
