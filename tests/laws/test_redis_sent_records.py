"""Redis sends the records that answer a look-up, that the worker lacks, and hardly any other."""

import asyncio
from typing import Any

import pytest

from laws.redis_shared import Shared
from laws.streams import RULE, entry
from newsdedup.adapters.redis.codec import ValueCodec
from newsdedup.adapters.redis.keys import TAGS, time_digits
from newsdedup.adapters.redis.record_cache import MatchedRecords, RecordCache
from newsdedup.core.fingerprints.shingles import Megashingles
from newsdedup.core.matching.index_keys import BIT, MOST_LEAST, IndexKeys
from newsdedup.core.matching.rules import MethodRule, TermsRule
from newsdedup.core.model import Entry, Fingerprint
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Buckets, Watermark
from newsdedup.ports.store import (
    Commit,
    Lookup,
    LookupResult,
    RecordSlot,
    RecordUpdate,
    SharedStore,
)

TERMS = range(1, 7)
SECOND = 10**6
LEADER = Record(entry("leader", TERMS, at=0), leader=entry("leader", TERMS, at=0).key)


class LargeWindow(TermsRule):
    """Each term is worth its number in a window in which few items come in 500 seconds."""

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the terms, a sure key for number "whole" and a near key for number "pair"."""
        sure = (1 << 25,) if "whole" in entry.numbers else ()
        near = (1 << 26,) if "pair" in entry.numbers else ()
        least, window = MOST_LEAST + BIT, 1_000 * SECOND
        at = entry.effective_at
        return IndexKeys(entry.terms, sure, entry.terms, least, near, at, window)


def write(shared: Shared, store: SharedStore, records: list[Record]) -> None:
    """Store records without a decision."""
    shared.run(commit(store, [RecordUpdate(record, 0, None, None) for record in records]))


async def commit(store: SharedStore, updates: list[RecordUpdate]) -> None:
    """Store updates without a decision."""
    seen = await store.look(())
    assert await store.commit(Commit(seen.version, (), (), Watermark(), None, updates))


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

    keys, rule = shared_redis.keys(sets=1), MethodRule(Megashingles(), window=20)
    store, other = (shared_redis.worker(keys, rule, name=name) for name in ("store", "other"))
    write(shared_redis, store, [signed(number) for number in range(TAGS)])
    filing = IndexKeys((), (7 << 24,))
    seen = shared_redis.run(other.look([Lookup("leaders", filing=filing)]))
    assert found(seen) == ["n7"]
    assert (seen.sent, seen.read) == (1, [TAGS])


def test_of_a_story_with_many_copies_only_those_are_sent_that_are_late_enough(
    shared_redis: Shared,
) -> None:
    leader = entry("first", TERMS, at=0)
    copies = [entry(f"copy{at}", TERMS, at=at * SECOND) for at in range(1, 100)]
    keys = shared_redis.keys()
    store, other = (shared_redis.worker(keys, RULE, name=name) for name in ("store", "other"))
    write(
        shared_redis,
        store,
        [Record(leader, leader=leader.key), *[Record(one, leader=leader.key) for one in copies]],
    )
    filing = RULE.index_keys(entry("late", TERMS, at=98 * SECOND))
    seen = shared_redis.run(other.look([Lookup("members", filing=filing, since=98 * SECOND)]))
    assert found(seen) == ["copy98", "copy99"]
    assert seen.sent == 2


def test_in_a_large_window_only_those_are_sent_that_share_enough_for_what_came_between(
    laid_out: Shared,
) -> None:
    rule = LargeWindow(duplicate=4, similar=2, window=10**10)
    keys = laid_out.keys(1024)
    store, other = (laid_out.worker(keys, rule, name=name) for name in ("store", "other"))
    drawn: list[tuple[str, tuple[int, ...], tuple[str, ...], int]] = [
        ("soon", (38, 50), (), 499),
        ("late", (38, 50), (), 502),
        ("late, more", (12, 38, 50), (), 999),
        ("later, more", (12, 38, 50), (), 1_002),
        ("pair soon", (), ("pair",), 499),
        ("pair late", (), ("pair",), 502),
        ("pair late, more", (60,), ("pair",), 999),
        ("pair later, more", (60,), ("pair",), 1_002),
        ("whole", (), ("whole",), 10_000),
    ]
    entries = [
        entry(name, terms, at=at * SECOND, numbers=numbers) for name, terms, numbers, at in drawn
    ]
    write(laid_out, store, [Record(one, leader=one.key) for one in entries])
    probe = entry("probe", (12, 38, 50, 60), at=0, numbers=("whole", "pair"))
    seen = laid_out.run(other.look([Lookup("leaders", filing=rule.index_keys(probe))]))
    assert found(seen) == ["late, more", "pair late, more", "pair soon", "soon", "whole"]
    assert seen.sent == 5


@pytest.mark.parametrize(
    ("terms", "numbers", "seen_at"),
    [
        ((12, 38, 50), (), {1_400: (["one"], 3), 2_010: ([], 3), 2_400: ([], 0)}),
        ((60,), ("pair",), {1_900: (["one"], 2), 2_010: ([], 2), 2_400: ([], 1)}),
    ],
    ids=["terms", "a pair"],
)
def test_no_set_of_a_span_is_read_whose_latest_record_would_be_too_far(
    laid_out: Shared,
    terms: tuple[int, ...],
    numbers: tuple[str, ...],
    seen_at: dict[int, tuple[list[str], int]],
) -> None:
    rule, keys = LargeWindow(duplicate=4, similar=2, window=10**10), laid_out.keys(1024)
    one = entry("one", terms, at=1_000 * SECOND, numbers=numbers)
    bucket = Buckets(1_000 * SECOND, lateness=0).of(one.effective_at, Watermark())
    update = RecordUpdate(Record(one, leader=one.key), bucket, None, None)
    laid_out.run(commit(laid_out.worker(keys, rule), [update]))
    for at, (ids, read) in seen_at.items():
        probe = rule.index_keys(entry("probe", terms, at=at * SECOND, numbers=numbers))
        reader = laid_out.worker(keys, rule, name=f"reader at {at}")
        seen = laid_out.run(reader.look([Lookup("leaders", filing=probe)]))
        assert (found(seen), seen.read, seen.sent) == (ids, [read], len(ids))


def test_a_worker_is_not_sent_what_it_has_written_or_read(laid_out: Shared) -> None:
    keys, asked = laid_out.keys(), [Lookup("leaders", filing=RULE.index_keys(LEADER.entry))]
    writer, reader = (laid_out.worker(keys, RULE, name=name) for name in ("writer", "reader"))
    write(laid_out, writer, [LEADER])
    sent = [laid_out.run(one.look(asked)).sent for one in (writer, reader, reader)]
    assert sent == [0, 1, 0]


def test_a_record_that_another_worker_has_changed_is_sent_again(laid_out: Shared) -> None:
    keys, asked = laid_out.keys(), [Lookup("leaders", filing=RULE.index_keys(LEADER.entry))]
    one, other = (laid_out.worker(keys, RULE, name=name) for name in ("one", "other"))
    write(laid_out, one, [LEADER])
    (before,) = laid_out.run(other.look(asked)).answers[0]
    changed = RecordUpdate(LEADER._replace(revision=7), 0, before, None)
    laid_out.run(commit(other, [changed]))
    seen = laid_out.run(one.look(asked))
    assert (seen.sent, [found.record.revision for found in seen.answers[0]]) == (1, [7])


def test_a_look_up_is_repeated_if_a_record_changes_before_it_is_fetched(
    laid_out: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, asked = laid_out.keys(), [Lookup("leaders", filing=RULE.index_keys(LEADER.entry))]
    writer, reader = (laid_out.worker(keys, RULE, name=name) for name in ("writer", "reader"))
    write(laid_out, writer, [LEADER])
    (before,) = laid_out.run(writer.look(asked)).answers[0]
    changed = [RecordUpdate(LEADER._replace(revision=7), 0, before, None)]
    cache, lock = reader._cache, asyncio.Lock()
    whole = cache.complete

    async def change_first(*answer: Any) -> MatchedRecords | None:
        async with lock:
            if changed:
                await commit(writer, [changed.pop()])
        return await whole(*answer)

    monkeypatch.setattr(cache, "complete", change_first)
    seen = laid_out.run(reader.look(asked))
    (found,) = seen.answers[0]
    assert (found.record.revision, seen.sent) == (7, 0)


def test_a_record_of_an_earlier_release_is_sent_each_time(
    shared_redis: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, asked = shared_redis.keys(), [Lookup("leaders", filing=RULE.index_keys(LEADER.entry))]
    encode = ValueCodec.encode_record

    def without_stamp(codec: ValueCodec, record: Record, *, bucket: int) -> bytes:
        digits = time_digits(record.entry.effective_at).encode()
        return digits + encode(codec, record, bucket=bucket)[len(digits) :]

    monkeypatch.setattr(ValueCodec, "encode_record", without_stamp)
    store = shared_redis.worker(keys, RULE)
    write(shared_redis, store, [LEADER])
    for _ in range(2):
        seen = shared_redis.run(store.look(asked))
        assert (found(seen), seen.sent) == (["leader"], 1)


def test_the_cache_forgets_what_was_not_used_for_longest() -> None:
    cache = RecordCache(size=2)
    slots = [RecordSlot(1, f"{number}") for number in range(3)]
    for slot in (*slots[:2], slots[0], slots[2]):
        cache.put(slot, slot.ordinal.encode())
    assert [cache.find(slot, 1, b"") for slot in slots] == [b"0", b"", b"2"]
