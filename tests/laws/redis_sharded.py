"""Shards that lose what they had, and workers that die amid a commit, for laws about them."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from laws.redis_news import item
from laws.redis_shared import Shared
from newsdedup import ItemKey
from newsdedup.adapters.redis.commit_encoding import PendingPart
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.sharded_store import ShardedStore
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.shared.engine import SharedEngine

SHARDS = 3
Kept = Mapping[bytes, bytes]
DUMP = """
local dumped = {}
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  dumped[#dumped + 1] = key
  dumped[#dumped + 1] = redis.call('DUMP', key)
end
return dumped
"""
RESTORE = """
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end
for nth = 2, #ARGV, 2 do redis.call('RESTORE', ARGV[nth], 0, ARGV[nth + 1]) end
"""


class Killed(EOFError):
    """A worker that died: an error of the environment, for a bug would only put the item aside."""


def of_home(keys: Keys) -> str:
    """Return the pattern of all keys of home."""
    return f"{{{keys.namespace}}}:*"


def of_shard(keys: Keys, shard: int) -> str:
    """Return the pattern of all keys of a shard."""
    return f"{{{keys.namespace}|{shard}}}:*"


def kept(shared: Shared, pattern: str) -> Kept:
    """Return what a server keeps under some keys, all of one moment."""
    return shared.run(dumped(shared.client, pattern))


def state(shared: Shared, keys: Keys) -> list[Kept]:
    """Return what all shards keep."""
    return [kept(shared, of_shard(keys, shard)) for shard in range(keys.shards)]


async def dumped(redis: Any, pattern: str) -> Kept:
    dump = await redis.eval(DUMP, 0, pattern)
    return dict(zip(dump[::2], dump[1::2], strict=True))


def put_back(shared: Shared, pattern: str, dump: Kept) -> None:
    """Let a server have lost all that was written under some keys since then."""
    shared.run(restored(shared.client, pattern, dump))


async def restored(redis: Any, pattern: str, dump: Kept) -> None:
    await redis.eval(RESTORE, 0, pattern, *(part for both in dump.items() for part in both))


async def lose(redis: Any, pattern: str, dump: Kept) -> None:
    """Let home lose all that was written under its keys since, and forget whom it had woken."""
    async with redis.pipeline(transaction=True) as both:
        both.eval(RESTORE, 0, pattern, *(part for pair in dump.items() for part in pair))
        both.execute_command("FUNCTION", "FLUSH")
        await both.execute()


def start_anew(shared: Shared) -> None:
    """Let a server have forgotten whom it had woken."""
    shared.run(shared.client.function_flush())


def in_shard(keys: Keys, shard: int, name: str = "i") -> str:
    """Return the name of an item that is kept in a shard."""
    names = (f"{name}{number}" for number in range(1_000))
    return next(one for one in names if keys.shard_of(ItemKey("s", one)) == shard)


def spread(keys: Keys, terms: set[int]) -> list[Analyzed]:
    """Return items of one message, one in each shard."""
    shards = range(keys.shards)
    return [item(in_shard(keys, shard), terms, at=shard) for shard in shards]


@asynccontextmanager
async def dying(served: SharedEngine, *, before: int) -> AsyncIterator[None]:
    """Let a worker die after home has taken a commit, before so many shards have got it."""
    store = served.store
    assert isinstance(store, ShardedStore)
    give, left = store.shards.apply, before

    async def killed(one: PendingPart, *, era: str, stamp: bytes) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return await give(one, era=era, stamp=stamp)

    store.shards.apply = killed
    try:
        yield
    finally:
        store.shards.apply = give


def chance(seed: int) -> random.Random:
    """Return chance that is the same every time."""
    return random.Random(seed)  # noqa: S311 - a stream, no secret
