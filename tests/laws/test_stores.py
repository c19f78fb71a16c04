"""The laws of a Store, tested over every adapter."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.streams import entries, entry, run, sqlite_store
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.state import SqliteState
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.matching.rules import TermsRule
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record
from newsdedup.ports.store import Store

RULE = TermsRule(duplicate=4, similar=2, window=20)
STORES = {
    "memory": MemoryStore,
    "sqlite": sqlite_store,
}
SHARED = ("shared_redis", "shared_shards")
Open = Callable[[TermsRule], Store]


@pytest.fixture(params=STORES)
def embedded(request) -> Open:
    return STORES[request.param]


@pytest.fixture(params=[*STORES, *SHARED])
def kind(request) -> Open:
    if request.param in STORES:
        return STORES[request.param]
    return request.getfixturevalue(request.param).store


def opened(kind: Open, rule: TermsRule = RULE) -> Store:
    return kind(rule)


def filled(kind, stream, rule=RULE):
    store = opened(kind, rule)
    for item in stream:
        run(decide(Publish(item), rule, store), store)
    return store


streams = st.lists(entries(updates=0), max_size=20)


@given(stream=streams, probe=entries())
def test_the_leaders_and_variants_whose_filings_meet_are_found_and_no_others(kind, stream, probe):
    store = filled(kind, stream)
    found = {record.key for record in store.leaders(probe)}
    for key in sorted({item.key for item in stream}):
        record = store.known(key)
        meets = are_candidates(RULE.index_keys(probe), RULE.index_keys(record.entry))
        assert (record.key in found) == (record.is_compared and meets)


@given(stream=streams, probe=entries())
def test_the_members_that_are_not_earlier_are_found_and_no_others(kind, stream, probe):
    store = filled(kind, stream)
    found = {record.key for record in store.members(probe)}
    for item in {item.key for item in stream}:
        record = store.known(item)
        later = record.entry.order >= probe.order
        meets = are_candidates(RULE.index_keys(probe), RULE.index_keys(record.entry))
        assert (record.key in found) == (not record.leads and later and meets)


@given(stream=streams)
def test_followers_are_exactly_those_whose_leader_it_is(kind, stream):
    store = filled(kind, stream)
    records = [store.known(key) for key in sorted({item.key for item in stream})]
    for leader in records:
        followers = {record.key for record in store.followers(leader.key)}
        assert followers == {r.key for r in records if r.leader == leader.key and not r.leads}


def test_an_unknown_item_is_not_answered(kind):
    assert opened(kind).known(entry("x", {1}, at=0).key) is None


def test_what_expired_is_found_no_more_and_the_rest_still_is(kind):
    store = opened(kind)
    old, new = entry("old", {1, 2, 3, 4}, at=0), entry("new", {1, 2, 3, 5}, at=9)
    for bucket, item in enumerate((old, new)):
        _store_in(store, decide(Publish(item), RULE, store), bucket)
    store.expire(before=1)
    assert [record.key for record in store.leaders(new)] in ([], [new.key])
    assert store.known(old.key) is None
    kept = store.known(new.key)
    assert kept.key == new.key


def test_an_item_that_expired_may_come_again(kind):
    store = opened(kind)
    item = entry("a", {1, 2, 3, 4}, at=0)
    _store_in(store, decide(Publish(item), RULE, store), 0)
    store.expire(before=1)
    _store_in(store, decide(Publish(item), RULE, store), 1)
    kept = store.known(item.key)
    assert kept.leads
    assert [record.key for record in store.leaders(item)] == [item.key]


def test_many_expired_records_are_freed_by_and_by(embedded):
    store = opened(embedded)
    for number in range(1000):
        _store_in(store, decide(Publish(entry(f"old{number}", {number}, at=0)), RULE, store), 0)
    store.expire(before=1)
    for number in range(70):
        _store_in(store, decide(Publish(entry(f"new{number}", {number}, at=9)), RULE, store), 1)
    assert len(store) == 70


def _store_in(store, decision, bucket):
    store.store(decision, bucket=bucket)


def test_long_posting_lists_lose_no_pair():
    rule = TermsRule(window=10**9)
    store = MemoryStore(rule)
    common = set(range(100, 109))
    for number in range(200):
        item = entry(f"i{number:03}", common | {number}, at=number)
        store.store(_alone(item), bucket=number // 90)
    probe = entry("probe", common | {300, 301, 302}, at=500)
    assert len({record.key for record in store.leaders(probe)}) == 200


def _alone(item):
    """Return a decision that lets the item lead, whomever it matches."""
    return Decision((Record(item, leader=item.key),), (), ())


def test_state_survives_a_restart(tmp_path: Path):
    path = tmp_path / "state"
    stream = [entry(name, {1, 2, 3, 4, n}, at=n) for n, name in enumerate("abcdef", start=5)]
    state = SqliteState(path, RULE, made_by="a test")
    for item in stream:
        run(decide(Publish(item), RULE, state), state)
    state.commit(state.progress)
    before = [state.known(item.key) for item in stream]
    state.close()
    again = SqliteState(path, RULE, made_by="a test")
    assert [again.known(item.key) for item in stream] == before
    again.close()
