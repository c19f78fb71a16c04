"""What an edit adds to a digest is found, and what it takes away is not: over every store."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.round_ups import REPORTS, RULE, analyzed, digest
from laws.streams import partition, played, published, sqlite_store, state
from laws.test_digests import POOL
from laws.test_lateness import SHARED
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.moments import to_micros
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.engine.deduplicate import LATENESS, Deduplicate

ADDED = (
    "The opera of Calder opens its season with a new hall of 900 seats. Tickets for the first"
    " evening were sold within an hour, director Petra Lund told the paper."
)
FIRST = analyzed("d", digest("en"), minutes=0)
LONGER = analyzed("d", f"{digest('en')}\n\n{ADDED}", minutes=5)
REWORDED = analyzed("d", digest("en").replace("The team plays again", "They play"), minutes=3)
NEW = analyzed("new", ADDED, minutes=60, source="agency")


@pytest.fixture(params=["memory", "sqlite", *SHARED])
def engine(request) -> Deduplicate:
    if request.param in SHARED:
        return request.getfixturevalue(request.param).engine(RULE, lateness=LATENESS)
    store = MemoryStore(RULE) if request.param == "memory" else sqlite_store(RULE)
    ledger = MemoryLedger() if isinstance(store, MemoryStore) else store.ledger
    return Deduplicate(rule=RULE, store=store, ledger=ledger)


def outcomes(engine: Deduplicate, *items: Analyzed) -> list[tuple[str, str, str, str | None]]:
    """Return what is said of some items, one after the other."""
    said = [event.payload for one in items for event in engine.publish(one)]
    return [
        (one.item.id, one.verdict, one.relation, one.matched and one.matched.id) for one in said
    ]


def test_a_report_of_a_message_that_an_edit_has_added_is_part_of_the_digest(engine):
    outcomes(engine, FIRST, LONGER)
    assert outcomes(engine, NEW) == [("new", "original", "part", "d")]


def test_a_report_of_a_message_that_an_edit_took_away_is_not(engine):
    outcomes(engine, analyzed("d", f"{digest('en')}\n\n{ADDED}", minutes=0))
    outcomes(engine, analyzed("d", digest("en"), minutes=5))
    assert outcomes(engine, NEW) == [("new", "original", "none", None)]


def test_an_edited_digest_lists_the_story_of_what_was_added(engine):
    outcomes(engine, NEW, FIRST)
    (said,) = (event.payload for event in engine.publish(LONGER))
    assert [(one.message, one.leader.id) for one in said.contains] == [(4, "new")]


def test_who_was_linked_to_an_edited_digest_stays_so_without_a_word(engine):
    part = analyzed("r0", REPORTS["en"][0], minutes=30, source="agency")
    assert outcomes(engine, FIRST, part)[1] == ("r0", "original", "part", "d")
    assert [one[0] for one in outcomes(engine, REWORDED)] == ["d"]
    assert [one[0] for one in outcomes(engine, LONGER)] == ["d"]


def test_a_copy_of_an_edited_digest_stays_in_its_story(engine):
    outcomes(engine, FIRST)
    copy = analyzed("copy", digest("en", bullet="• "), minutes=30, source="t")
    outcomes(engine, copy, LONGER)
    text = f"{digest('en', bullet='• ')}\n\n{ADDED}"
    longer = analyzed("copy", text, minutes=40, source="t")
    assert outcomes(engine, longer)[-1][:2] == ("copy", "duplicate")


TEXTS = (*POOL, f"{digest('en')}\n\n{ADDED}", ADDED)
versions = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(TEXTS)), max_size=8, unique=True
)


@given(versions, st.randoms(use_true_random=False))
def test_stories_do_not_depend_on_the_order_in_which_versions_come(drawn, random):
    items = [analyzed(name, text, minutes=minute) for minute, (name, text) in enumerate(drawn)]
    entries = [entry_of(one, at=to_micros(one.item.published_at)) for one in items]
    expected = partition(played(published(entries), RULE))
    random.shuffle(entries)
    assert partition(played(published(entries), RULE)) == expected


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_the_version_of_a_digest_that_stands_does_not_depend_on_the_order(order):
    arrivals = [FIRST, LONGER, REWORDED, NEW]
    entries = [entry_of(one, at=to_micros(one.item.published_at)) for one in arrivals]
    store = played(published([entries[index] for index in order]), RULE)
    in_order = played(published(entries), RULE)
    assert partition(store) == partition(in_order)
    stands = {key: record.entry.version for key, record in state(store).items()}
    assert stands == {key: one.entry.version for key, one in state(in_order).items()}


def test_an_edit_that_only_rewords_a_message_leaves_the_first_version_standing():
    entries = [entry_of(one, at=to_micros(one.item.published_at)) for one in (FIRST, REWORDED)]
    (kept,) = state(played(published(entries), RULE)).values()
    assert kept.entry.version == FIRST.document.version
