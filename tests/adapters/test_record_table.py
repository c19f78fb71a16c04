"""The rows that the store in memory keeps are those that its records would be given now."""

import numpy as np
import pytest

from laws.made_up import made_up_entries
from newsdedup.adapters.formats.record_bytes import decode_for_row, encode_record
from newsdedup.adapters.memory import slot_rows
from newsdedup.adapters.memory.slot_rows import SlotRows
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.bootstrap.rules import make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.rows import NearRecords
from newsdedup.core.model import Entry
from newsdedup.core.stories.commands import Publish, Retract
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.records import Record

RULE = make_rule(Settings())


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """Made-up reports."""
    return made_up_entries(400)


def check_rows(store: MemoryStore, near: Entry) -> int:
    leaders = store.leaders(near)
    if not isinstance(leaders, NearRecords):
        return 0
    fresh = RULE.candidate_filter.make_rows([leader.entry for leader in leaders])
    assert leaders.rows is not None
    for name in ("effective_at", "version", "words", "codes", "weight", "lead_weight"):
        assert np.array_equal(leaders.rows[name], fresh[name])
    return len(fresh)


@pytest.mark.usefixtures("long")
def test_rows_are_those_of_the_records_after_retractions_expiry_and_use_of_slots_again(entries):
    store = MemoryStore(RULE)
    # All share their terms, so that every look-up meets all of them; each comes twice.
    stream = [
        one._replace(key=one.key._replace(id=f"{n}"), terms=entries[0].terms, passages=())
        for n, one in enumerate([*entries, *entries])
    ]
    compared = 0
    for number, one in enumerate(stream):
        store.store(decide(Publish(one), RULE, store), bucket=number // 50)
        if number % 7 == 3:
            store.store(decide(Retract(stream[number - 2].key), RULE, store), bucket=number // 50)
        if number % 50 == 49:
            store.expire(before=number // 50 - 6)
        compared += check_rows(store, one)
    assert compared > 1_000


def test_a_row_of_a_part_of_a_record_is_that_of_the_whole(entries):
    part = [decode_for_row(encode_record(Record(one))).entry for one in entries]
    made, whole = (RULE.candidate_filter.make_rows(some) for some in (part, entries))
    assert made.tobytes() == whole.tobytes()


def test_cached_rows_stay_right_when_the_cache_grows_with_the_window(entries, monkeypatch):
    monkeypatch.setattr(slot_rows, "_CACHED", 8)
    records: list[Record] = []
    rows = SlotRows(RULE.candidate_filter, records)
    for slot, one in enumerate(entries):
        records.append(Record(one))
        some = np.array([slot, *range(0, slot, 7)])
        whole = RULE.candidate_filter.make_rows([entries[each] for each in some])
        assert rows.read(some).tobytes() == whole.tobytes()
    assert len(rows._slots) >= len(entries) / 8 > 8
