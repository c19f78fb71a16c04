"""What Redis holds of a stream, and the stories to which its entries lead when decided anew."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from laws.streams import records_of
from newsdedup import ItemKey
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.redis.store import MAX_LOOKUP_ITEMS
from newsdedup.bootstrap.workers import namespace_session, shared_engine
from newsdedup.config import read_settings
from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.records import Record
from newsdedup.ports.store import Lookup

Stories = Mapping[ItemKey, set[ItemKey]]
"""The items of each story by its original."""


def stories_anew(environment: Mapping[str, str], keys: Iterable[ItemKey]) -> Stories:
    """Return the stories of the stored entries of these items, decided one after the other.

    An entry froze what its worker knew of the stream when it came, so that what is decided of it
    depends on the entries alone. `environment` has the settings of a worker.
    """
    return asyncio.run(_decide_stored(environment, sorted(keys)))


async def _decide_stored(environment: Mapping[str, str], keys: Sequence[ItemKey]) -> Stories:
    settings = read_settings({}, environment, None).settings
    records: list[Record] = []
    async with namespace_session(settings) as session:
        store = shared_engine(settings, session).store
        for first in range(0, len(keys), MAX_LOOKUP_ITEMS):
            some = keys[first : first + MAX_LOOKUP_ITEMS]
            seen = await store.look([Lookup("item", key) for key in some])
            records += [one.record for answer in seen.answers for one in answer]
        return decide_anew(records, session.rule)


def decide_anew(records: Iterable[Record], rule: Rule) -> Stories:
    """Return the stories of the entries of some records, decided in the order of their times."""
    store = MemoryStore(rule)
    entries = [entry for record in records for entry in (record.entry, *record.past)]
    for entry in sorted(entries, key=lambda entry: (entry.order, entry.stamp)):
        store.store(decide(Publish(entry), rule, store), bucket=0)
    found: dict[ItemKey, set[ItemKey]] = {}
    for record in records_of(store):
        found.setdefault(record.original or record.key, set()).add(record.key)
    return found
