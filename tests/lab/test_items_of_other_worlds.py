"""What stays and what changes when items are written once more about other things."""

from datetime import UTC, datetime

import pytest

from laws.streams import entry
from laws.test_lateness import arrival
from newsdedup.core.matching.candidates import COMMON_TERM
from newsdedup.core.stories.records import Record
from newsdedup.core.words.background import KEY_HASH_BITS
from newsdedup.engine.analyzer import entry_of
from newsdedup_lab.bench.other_worlds import World

UNKNOWN = list(range(1, 40))
KNOWN = [(5 << KEY_HASH_BITS) + number for number in range(40)]
FREQUENT = [COMMON_TERM + number for number in range(40)]
ENTRIES = [
    entry(
        f"n{nth}", (*UNKNOWN[nth : nth + 4], *KNOWN[nth : nth + 4], *FREQUENT[nth : nth + 4]), at=0
    )
    for nth in range(30)
]


def entries_of_world(number):
    world = World(ENTRIES, number=number)
    return [world.record(Record(one, leader=ENTRIES[0].key)).entry for one in ENTRIES]


def shared(one, other):
    return len(set(one.terms) & set(other.terms))


@pytest.mark.parametrize("number", [1, 2, 77])
def test_entries_share_as_many_words_in_another_world(number):
    there = entries_of_world(number)
    for one, other in zip(ENTRIES, ENTRIES[2:], strict=False):
        nth = ENTRIES.index(one)
        assert shared(there[nth], there[nth + 2]) == shared(one, other)


def test_words_stay_as_common_as_they_were():
    for one, other in zip(ENTRIES, entries_of_world(3), strict=True):
        assert [t >> KEY_HASH_BITS for t in other.terms] == [t >> KEY_HASH_BITS for t in one.terms]
        assert list(other.terms) == sorted(other.terms)


def test_unknown_words_are_new_and_some_of_the_common_ones_stay():
    ours = {term for one in ENTRIES for term in one.terms}
    theirs = {term for one in entries_of_world(4) for term in one.terms}
    assert not {term for term in theirs if term >> KEY_HASH_BITS == 0} & ours
    assert {term for term in theirs if term >> KEY_HASH_BITS > 0} <= ours
    stayed = [
        set(one.terms) & set(other.terms)
        for one, other in zip(ENTRIES, entries_of_world(4), strict=True)
    ]
    assert any(term >= COMMON_TERM for terms in stayed for term in terms)


def test_identities_are_those_of_the_world_and_stories_stay_together():
    record = World(ENTRIES, number=9).record(
        Record(ENTRIES[1], leader=ENTRIES[0].key, original=ENTRIES[1].key)
    )
    assert (record.entry.key.id, record.leader.id, record.original.id) == ("n1~9", "n0~9", "n1~9")
    assert record.similar is None
    assert record.entry.version != ENTRIES[1].version


def test_a_world_is_the_same_whenever_it_is_made():
    assert entries_of_world(5) == entries_of_world(5)
    assert entries_of_world(5) != entries_of_world(6)


def test_an_item_and_its_record_are_alike_in_another_world():
    world, original = World(ENTRIES, number=2), arrival(ENTRIES[3])
    there = world.arrival(original, at=datetime(2026, 11, 2, tzinfo=UTC))
    record = world.record(Record(ENTRIES[3]))
    made = entry_of(there, at=ENTRIES[3].effective_at)
    assert (made.key, made.terms) == (record.entry.key, record.entry.terms)
    assert there.item.published_at == datetime(2026, 11, 2, tzinfo=UTC)
