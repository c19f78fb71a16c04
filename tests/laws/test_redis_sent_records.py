"""Redis sends the records that answer a look-up and hardly any other: counts, not times."""

from laws.redis_shared import Shared
from laws.streams import RULE, entry
from newsdedup.adapters.redis.keys import TAGS
from newsdedup.core.fingerprints.shingles import Megashingles
from newsdedup.core.matching.index_keys import IndexKeys
from newsdedup.core.matching.rules import MethodRule
from newsdedup.core.model import Fingerprint
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark
from newsdedup.ports.store import Commit, Lookup, LookupResult, RecordUpdate, SharedStore

TERMS = range(1, 7)


def write(shared: Shared, store: SharedStore, records: list[Record]) -> None:
    """Store records without a decision."""
    seen = shared.run(store.look(()))
    updates = [RecordUpdate(record, 0, None, None) for record in records]
    assert shared.run(store.commit(Commit(seen.version, (), (), Watermark(), None, updates)))


def found(seen: LookupResult) -> list[str]:
    """Return the ids of the items that the only look-up has found."""
    return sorted(stored.record.key.id for stored in seen.answers[0])


def test_of_the_sure_keys_in_one_set_only_the_records_of_the_asked_one_are_sent(
    shared_redis: Shared,
) -> None:
    def signed(number: int) -> Record:
        sketch = Fingerprint((number << 24,), b"")
        leader = entry(f"n{number}", (), at=0)._replace(sketches=(sketch,))
        return Record(leader, leader=leader.key)

    store = shared_redis.worker(shared_redis.keys(sets=1), MethodRule(Megashingles(), window=20))
    write(shared_redis, store, [signed(number) for number in range(TAGS)])
    filing = IndexKeys((), (7 << 24,))
    seen = shared_redis.run(store.look([Lookup("leaders", filing=filing)]))
    assert found(seen) == ["n7"]
    assert (seen.sent, seen.read) == (1, [TAGS])


def test_of_a_story_with_many_copies_only_those_are_sent_that_are_late_enough(
    shared_redis: Shared,
) -> None:
    leader = entry("first", TERMS, at=0)
    copies = [entry(f"copy{at}", TERMS, at=at) for at in range(1, 100)]
    store = shared_redis.worker(shared_redis.keys(), RULE)
    write(
        shared_redis,
        store,
        [Record(leader, leader=leader.key), *[Record(one, leader=leader.key) for one in copies]],
    )
    filing = RULE.index_keys(entry("late", TERMS, at=98))
    seen = shared_redis.run(store.look([Lookup("members", filing=filing, since=98)]))
    assert found(seen) == ["copy98", "copy99"]
    assert seen.sent == 2
