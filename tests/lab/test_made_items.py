"""Items made from others: what they keep of these, and what is new in them."""

from collections import Counter
from itertools import pairwise
from statistics import fmean

import pytest

from lab.invented_base import invented_base
from newsdedup.config import RuleSettings, Settings
from newsdedup.core.matching.digest import passage_entry
from newsdedup.core.matching.verify.sketches import read_sketch
from newsdedup.core.model import Entry
from newsdedup.core.words.background import KEY_HASH_BITS
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.bench.base_items import Base
from newsdedup_lab.bench.likeness import shared_terms
from newsdedup_lab.bench.made_items import MadeWorld

pytestmark = pytest.mark.usefixtures("long")


def entries(number: int) -> list[Entry]:
    world = MadeWorld(invented_base(), number=number)
    return [world.entry(index) for index in range(len(invented_base().items))]


def shared(one: Entry, other: Entry) -> int:
    return len(set(one.terms) & set(other.terms))


def followers() -> list[tuple[int, int]]:
    """Return the indexes of items that follow another one, each with that of its leader."""
    base = invented_base()
    records = [one.record for one in base.items]
    return [
        (index, base.numbers[record.leader])
        for index, record in enumerate(records)
        if record.leader is not None and not record.leads
    ]


def test_world_0_has_the_items_as_they_are():
    assert entries(0) == [one.record.entry for one in invented_base().items]


def test_made_items_are_new_ones_and_the_same_whenever_they_are_made():
    assert entries(1) == entries(1)
    keys = [one.key for number in range(3) for one in entries(number)]
    assert len(set(keys)) == len(keys)
    versions = Counter(one.version for number in (1, 2) for one in entries(number))
    # Reprints of one text have one version in each world, as they had it in the base.
    assert len(versions) > 0.95 * len(keys) * 2 / 3


def test_made_items_have_as_many_terms_each_as_common_as_before():
    real, made = entries(0), entries(1)
    assert fmean(len(one.terms) for one in made) == pytest.approx(
        fmean(len(one.terms) for one in real), rel=0.05
    )
    known = [
        fmean(term >> KEY_HASH_BITS > 0 for one in some for term in one.terms)
        for some in (real, made)
    ]
    assert known[1] == pytest.approx(known[0], abs=0.05)


def test_texts_of_one_story_stay_alike():
    """They borrow the same sentences, but the sentences of their own may end elsewhere."""
    real, made = entries(0), entries(1)
    pairs = followers()
    assert len(pairs) > 20
    mean = [fmean(shared(some[one], some[other]) for one, other in pairs) for some in (real, made)]
    assert 0.7 * mean[0] < mean[1] <= mean[0]
    others = fmean(shared(one, other) for one, other in pairwise(made))
    assert mean[1] > 10 * others


def test_an_item_follows_its_leader_only_if_that_is_in_the_window():
    world = MadeWorld(invented_base(), number=1)
    follower, leader = followers()[-1]
    record = world.record(follower, first=leader)
    assert record.leader == world.entry(leader).key
    assert record.match is not None
    alone = world.record(follower, first=leader + 1)
    assert alone.leader == alone.entry.key
    assert alone.match is None


def test_the_view_of_a_made_item_has_its_terms():
    for index in (0, 100, 500):
        entry = MadeWorld(invented_base(), number=2).entry(index)
        view = read_sketch(entry).view
        assert len(view.terms) == len(entry.terms)
        assert set(view.lead) <= set(view.lemmas)
        assert view.size >= len(view.terms)


def test_passages_of_digests_are_written_in_the_words_of_the_world():
    base, world = invented_base(), MadeWorld(invented_base(), number=1)
    digests = [index for index, one in enumerate(base.items) if one.record.entry.passages]
    assert digests
    for index in digests:
        ours, theirs = base.items[index].record.entry, world.entry(index)
        assert len(ours.passages) == len(theirs.passages)
        assert [one.terms for one in ours.passages] != [one.terms for one in theirs.passages]
        here, there = (read_sketch(passage_entry(one, 0)).view for one in (ours, theirs))
        assert len(here.lemmas) == len(there.lemmas)
        assert not set(here.phrases.hashes) & set(there.phrases.hashes)


def test_random_pairs_share_as_many_terms_as_real_ones():
    """Shares of pairs in a million, by the number of shared terms; see docs/performance.md."""
    shares = shared_terms(invented_base())
    for real, made in list(zip(shares["real"], shares["made"], strict=True))[:3]:
        assert made == pytest.approx(real, rel=0.3)
    assert sum(shares["apart"]) == 0, "the stream is shorter than a week"


def test_the_fewer_words_two_worlds_have_in_common_the_less_their_items_share():
    def sharing(alike: float) -> float:
        return sum(shared_terms(invented_base(), alike=alike)["worlds"][1:])

    made = sum(shared_terms(invented_base())["made"][1:])
    assert sharing(0.0) < sharing(0.5) < sharing(1.0) < made


def test_known_words_stay_if_worlds_are_alike():
    real = {term for one in entries(0) for term in one.terms if term >> KEY_HASH_BITS}
    made = {term for one in entries(1) for term in one.terms if term >> KEY_HASH_BITS}
    # The others are words of events in borrowed sentences.
    assert len(made & real) > 0.8 * len(made)
    unknown = {term for one in entries(0) for term in one.terms if not term >> KEY_HASH_BITS}
    assert not unknown & {term for one in entries(1) for term in one.terms}


def test_a_base_needs_a_rule_that_learns():
    with pytest.raises(SettingsInvalid, match="only with rule verified, not terms"):
        Base([], Settings(rule=RuleSettings(name="terms")))
