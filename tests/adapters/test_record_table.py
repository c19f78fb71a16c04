"""The rows that the store in memory keeps are those that its records would be given now."""

import numpy as np
import pytest

from laws.made_up import made_up_entries
from newsdedup.adapters.formats.record_bytes import encode_record
from newsdedup.adapters.memory.packed_records import RecordPacker
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.bootstrap.rules import make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.rows import NearRecords
from newsdedup.core.model import Entry, Fingerprint, ItemKey
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


def test_a_packed_record_gives_its_row_and_itself_again(entries):
    packer = RecordPacker(RULE.candidate_filter)
    records = [Record(one, leader=one.key) for one in entries]
    packed = [packer.pack(one) for one in records]
    rows = packer.rows(packed)
    assert rows is not None
    assert rows.tobytes() == RULE.candidate_filter.make_rows(entries).tobytes()
    assert [packer.read(one) for one in packed] == records
    assert [packer.encoded(one) for one in packed] == [encode_record(one) for one in records]


def test_what_is_no_text_is_kept_as_it_is(entries):
    """Half of a surrogate pair, which the library takes, has no encoding."""
    record = Record(entries[0]._replace(key=ItemKey("s", "\ud800")))
    packer = RecordPacker(RULE.candidate_filter)
    packed = packer.pack(record)
    rows = packer.rows([packed])
    assert packer.read(packed) is record
    assert rows is not None
    assert rows.tobytes() == RULE.candidate_filter.make_rows([record.entry]).tobytes()
    with pytest.raises(UnicodeEncodeError):
        packer.encoded(packed)


def test_a_row_that_cannot_be_read_is_before_every_window(entries):
    spoiled = Record(entries[1]._replace(sketches=(Fingerprint((), b"short"),)))
    packer = RecordPacker(RULE.candidate_filter)
    rows = packer.rows([packer.pack(Record(entries[0])), packer.pack(spoiled)])
    assert rows is not None
    assert rows["effective_at"].tolist() == [entries[0].effective_at, 0]
