"""All entries judged and filed in memory, one after another."""

from collections.abc import Sequence

from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry
from newsdedup.core.stories.acts import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.window import BUCKETS
from newsdedup.engine.collector import keep_from_collector

BATCH = 512


def index_all(found: Sequence[Entry], rule: Rule) -> MemoryStore:
    """Return a memory index after all entries were judged and filed in it."""
    store = MemoryStore(rule)
    width = max(1, rule.window // BUCKETS)
    for number, entry in enumerate(found):
        if number % BATCH == 0:
            keep_from_collector()
        bucket = entry.effective_at // width
        store.expire(before=bucket - BUCKETS - 1)
        store.store(decide(Publish(entry), rule, store), bucket=bucket)
    return store
