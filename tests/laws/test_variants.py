"""Stories in which variants stand in for their leaders are as defined, in any order of arrival."""

from collections.abc import Sequence
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from laws.streams import (
    entry,
    one_version_per_update,
    partition,
    played,
    state,
    told_by_definition,
)
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.matching.index_keys import IndexKeys
from newsdedup.core.matching.rules import Matcher
from newsdedup.core.model import Entry, Match
from newsdedup.core.stories.commands import Publish, Retract
from newsdedup.core.stories.judge import decide

MATCHES = (
    None,
    None,
    Match(0.3, "similar"),
    Match(0.4, "update"),
    Match(0.5, "rewrite"),
    Match(0.83, "rewrite"),
    Match(0.87, "rewrite"),
    Match(0.9, "rewrite"),
    Match(0.9, "reprint"),
    Match(1.0, "reprint"),
)


class PairsRule:
    """A rule under which two entries match in any way; a number tells how."""

    name = "pairs"
    version = "1"
    window = 20
    candidate_filter = None

    def __init__(self, number: int, matches: Sequence[Match | None] = MATCHES) -> None:
        self.number = number
        self.matches = matches
        self.compared = 0

    def __repr__(self) -> str:
        return f"PairsRule({self.number})"

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return keys of which one makes two entries candidates: most of them are."""
        return IndexKeys((), entry.terms)

    def match(self, one: Entry, other: Entry) -> Match | None:
        """Return how two entries match."""
        return self.matcher(one)(other)

    def matcher(self, one: Entry) -> Matcher:
        """Return `match` with one entry fixed."""

        def match(other: Entry) -> Match | None:
            if abs(one.effective_at - other.effective_at) > self.window:
                return None
            self.compared += 1
            pair = sorted((one.version, other.version))
            return self.matches[drawn(self.number, *pair) % len(self.matches)]

        return match


def drawn(*parts: object) -> int:
    """Return a number that is the same in every run."""
    number = 0
    for letter in repr(parts):
        number = (number * 1_000_003 + ord(letter)) % (1 << 61)
    return number >> 7


@st.composite
def few_entries(draw: st.DrawFn) -> Entry:
    return entry(
        draw(st.sampled_from("abcdefgh")),
        draw(st.sets(st.integers(1, 4), min_size=1, max_size=3)),
        at=draw(st.integers(0, 24)),
        source=draw(st.sampled_from("st")),
        updated=draw(st.integers(0, 2)),
    )


def named_by_item(item: Entry) -> Entry:
    """Return an entry whose version is that of no other item."""
    return item._replace(version=f"{item.version} {item.key.id} {item.key.source}")


streams = (
    st.lists(few_entries(), min_size=4, max_size=16)
    .map(one_version_per_update)
    .map(lambda stream: [named_by_item(item) for item in stream])
)
rules = st.builds(PairsRule, st.integers(0, 10_000))


def told(stream, rule) -> MemoryStore:
    return played([Publish(item) for item in stream], rule)


@given(streams, rules)
def test_the_stories_are_those_of_the_definition(stream, rule):
    kept = state(told(stream, rule))
    defined = told_by_definition((record.entry for record in kept.values()), rule)
    assert {key: (record.leader, record.is_compared) for key, record in kept.items()} == {
        one.entry.key: (one.leader.key, one.is_compared) for one in defined
    }


@given(streams, rules, st.randoms(use_true_random=False))
def test_they_do_not_depend_on_the_order_of_arrival(stream, rule, random):
    shuffled = random.sample(stream, len(stream))
    assert partition(told(stream, rule)) == partition(told(shuffled, rule))


@given(streams, rules, st.integers(0, 15))
def test_what_was_withdrawn_leaves_no_trace(stream, rule, index):
    gone = stream[index % len(stream)].key
    store = told(stream, rule)
    store.store(decide(Retract(gone), rule, store), bucket=0)
    rest = [item for item in stream if item.key != gone]
    assert partition(store) == partition(told(rest, rule))
    assert gone not in {record.similar for record in state(store).values()}


@given(streams, rules)
def test_every_match_is_with_the_item_that_is_named(stream, rule):
    kept = state(told(stream, rule))
    for record in kept.values():
        if record.match is not None:
            assert record.match == rule.match(record.entry, kept[record.matched].entry)
            assert record.leads or kept[record.matched].leader == record.leader


def test_a_story_that_many_tell_in_words_of_their_own_is_looked_up_by_few():
    rule = PairsRule(3, [Match(score, "rewrite") for score in (0.5, 0.6, 0.7, 0.8)])
    store = told([named_by_item(entry(f"{at:03}", {1}, at=0)) for at in range(300)], rule)
    before = rule.compared
    store.store(decide(Publish(entry("last", {1}, at=1)), rule, store), bucket=0)
    records = state(store).values()
    assert [record.key.id for record in records if record.leads] == ["000"]
    variants = sum(record.is_variant for record in records)
    assert variants <= 10
    assert rule.compared - before <= 2 * (1 + variants)


def test_an_item_joins_by_a_variant_whose_leader_shares_no_key_with_it():
    leads, variant = entry("flash", {1}, at=0), entry("report", {1, 2}, at=1)
    item = entry("copy", {2}, at=2)
    rule = PairsRule(1, [Match(0.87, "rewrite")])
    for order in permutations((leads, variant, item)):
        records = state(told([named_by_item(one) for one in order], rule))
        assert {record.leader for record in records.values()} == {leads.key}
        assert records[item.key].matched == variant.key
    late = item._replace(effective_at=leads.effective_at + rule.window + 1)
    records = state(told([named_by_item(one) for one in (leads, variant, late)], rule))
    assert records[late.key].leads, "the leader has left its window"
