"""What a batch has decided is found as the store in memory finds it."""

from hypothesis import given
from hypothesis import strategies as st

from laws.streams import RULE, entries
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.engine.shared.decided import DecidedRecords


def names(records) -> list[str]:
    return sorted(record.key.id for record in records)


@given(stream=st.lists(entries(), max_size=20), probe=entries())
def test_a_batch_finds_what_a_store_in_memory_finds(stream, probe):
    store, decided = MemoryStore(RULE), DecidedRecords(RULE)
    for item in stream:
        decision = decide(Publish(item), RULE, store)
        store.store(decision, bucket=0)
        decided.put(decision.changed)
    assert names(decided.leaders(probe)) == names(store.leaders(probe))
    assert names(decided.members(probe)) == names(store.members(probe))
    for key in {probe.key, *(item.key for item in stream)}:
        assert decided.known(key) == store.known(key)
        assert names(decided.followers(key)) == names(store.followers(key))
