"""What holds while items come late and old ones expire: the use case over every store."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.streams import by_definition, entry, sqlite_store
from newsdedup import NewsItem
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.events import Judgement, WeightedTerm
from newsdedup.core.matching.rules import TermsRule
from newsdedup.core.model import Document
from newsdedup.core.moments import to_datetime, to_micros
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.deduplicate import Deduplicate

HOUR = timedelta(hours=1) // timedelta(microseconds=1)
RULE = TermsRule(duplicate=4, similar=2, window=20 * HOUR)
LATENESS = 6
SHARED = ("shared_redis", "shared_shards")
"""Fixtures of stores on servers: one Redis, and shards on the masters of a cluster."""


def arrival(known) -> Analyzed:
    """Return an entry of the small streams as an item that has just been analyzed."""
    item = NewsItem(known.key, "", "", published_at=to_datetime(known.effective_at))
    document = Document("en", "", "", (), known.numbers, (), known.version)
    terms = tuple(WeightedTerm(str(key), 1.0) for key in known.terms)
    return Analyzed(item, document, known.terms, terms, received=b"{}")


def engine(kind: str = "memory") -> Deduplicate:
    if kind == "memory":
        store, ledger = MemoryStore(RULE), MemoryLedger()
    else:
        store = sqlite_store(RULE)
        ledger = store.ledger
    return Deduplicate(rule=RULE, store=store, ledger=ledger, lateness=LATENESS * HOUR)


def engine_of(request) -> Callable[[], Deduplicate]:
    """Return what opens the engine that a parameter names."""
    if request.param in SHARED:
        shared = request.getfixturevalue(request.param)
        return partial(shared.engine, RULE, lateness=LATENESS * HOUR)
    return partial(engine, request.param)


@pytest.fixture(params=["memory", "sqlite", *SHARED])
def opened(request) -> Callable[[], Deduplicate]:
    return engine_of(request)


BEGINNINGS = [
    to_micros(datetime(*day, tzinfo=UTC)) for day in ((1970, 1, 1), (1969, 12, 30), (1650, 3, 5))
]


@st.composite
def long_streams(draw):
    """Return items over five windows with the order in which they arrive, a little disordered."""
    count = draw(st.integers(1, 25))
    begin = draw(st.sampled_from(BEGINNINGS))
    times = draw(st.lists(st.integers(0, 100), min_size=count, max_size=count))
    terms = st.sets(st.integers(1, 8), min_size=3, max_size=6)
    items = [
        entry(f"i{number}", draw(terms), at=begin + at * HOUR) for number, at in enumerate(times)
    ]
    delays = [draw(st.integers(0, LATENESS - 1)) for _ in items]
    order = sorted(
        range(count), key=lambda n: (items[n].effective_at + delays[n] * HOUR, delays[n], n)
    )
    return [items[n] for n in order]


@given(arrivals=long_streams())
def test_items_that_come_no_later_than_allowed_end_in_the_stories_of_the_definition(
    opened, arrivals
):
    deduplicate, leaders = opened(), {}
    for known in arrivals:
        for event in deduplicate.publish(arrival(known)):
            if isinstance(event.payload, Judgement):
                leaders[event.payload.item.id] = event.payload.story.original.id
    expected = by_definition(arrivals, RULE)
    assert leaders == {key.id: leader.id for key, leader in expected.items()}


@given(arrivals=long_streams())
def test_every_store_tells_the_same_events_as_memory(opened, arrivals):
    memory, other = engine("memory"), opened()
    for known in [*arrivals, *arrivals[-5:]]:
        ours, theirs = memory.publish(arrival(known)), other.publish(arrival(known))
        assert [(e.payload, e.received) for e in ours] == [(e.payload, e.received) for e in theirs]


def test_an_item_older_than_allowed_says_so():
    deduplicate = engine()
    for name in ("new", "newer", "newest"):
        deduplicate.publish(arrival(entry(name, {1, 2, 3, 4}, at=100 * HOUR)))
    (on_time,) = deduplicate.publish(arrival(entry("a", {5, 6, 7, 8}, at=94 * HOUR)))
    (late,) = deduplicate.publish(arrival(entry("b", {1, 6, 7, 9}, at=93 * HOUR)))
    assert (on_time.payload.late, late.payload.late) == (False, True)


def test_what_left_the_window_is_forgotten_and_judged_anew():
    deduplicate = engine()
    old = arrival(entry("old", {1, 2, 3, 4}, at=0))
    deduplicate.publish(old)
    assert deduplicate.publish(old)[0].repeated
    deduplicate.publish(arrival(entry("next", {5, 6, 7, 8}, at=19 * HOUR)))
    for hour in (38, 57, 76, 77, 78):
        deduplicate.publish(arrival(entry(f"h{hour}", {9, 10, 11, hour}, at=hour * HOUR)))
    (again,) = deduplicate.publish(old)
    assert not again.repeated
    assert again.payload.late


def test_a_redelivered_version_gets_its_stored_event_after_others_came():
    deduplicate = engine()
    first = arrival(entry("a", {1, 2, 3, 4}, at=0))
    (earlier,) = deduplicate.publish(first)
    deduplicate.publish(arrival(entry("b", {1, 2, 3, 4}, at=1)))
    (again,) = deduplicate.publish(first)
    assert again.repeated
    assert (again.payload, again.received) == (earlier.payload, earlier.received)
