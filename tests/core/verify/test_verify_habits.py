import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.verify.retold import REPORTS, RULE, entry
from newsdedup import ItemKey
from newsdedup.core.matching.statistics_recorder import compare_with_leaders
from newsdedup.core.matching.verify.copy_rates import (
    LEAST_SHIFT,
    LOGIT_BINS,
    MOST_SHIFT,
    NO_PAIRS,
    NO_SHIFTS,
    PAIR_KINDS,
    add_counts,
    concentration,
    count_pair,
    duplicates_share,
    estimate_shifts,
    pair_kind,
    pair_kinds,
)
from newsdedup.core.model import Match
from newsdedup.core.moments import HOUR
from newsdedup.core.stories.records import Record

SAME, OTHER = pair_kind(same=True, apart=0), pair_kind(same=False, apart=0)

kinds = st.integers(0, PAIR_KINDS - 1)
counts = st.tuples(*[st.integers(0, 50)] * LOGIT_BINS)
logits = st.floats(-20, 20)


def habits_of(same, other):
    return habits_of_kinds([(x, SAME) for x in same] + [(x, OTHER) for x in other])


def habits_of_kinds(pairs):
    habits = NO_PAIRS
    for logit, kind_of_pair in pairs:
        habits = count_pair(habits, logit, kind_of_pair)
    return habits


def test_pairs_are_of_a_kind_by_source_and_by_time_apart():
    found = [
        pair_kind(same=same, apart=hours * HOUR)
        for same in (True, False)
        for hours in (0, 2, 3, 23, 24, 71)
    ]
    assert found == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert PAIR_KINDS == 6


def test_the_kinds_of_many_pairs_are_those_of_each_pair():
    limits = [hours * HOUR + alongside for hours in (0, 3, 24, 72) for alongside in (-1, 0, 1)]
    pairs = [(same, apart) for same in (True, False) for apart in limits if apart >= 0]
    same, apart = (np.array(column) for column in zip(*pairs, strict=True))
    each = [pair_kind(same=one, apart=times) for one, times in pairs]
    assert pair_kinds(same=same, apart=apart).tolist() == each


def test_without_pairs_nothing_is_learned():
    assert estimate_shifts(NO_PAIRS, base=0.4) == NO_SHIFTS


def test_a_stream_of_one_source_moves_nothing():
    habits = habits_of(same=[4.0] * 30 + [-3.0] * 70, other=[])
    assert estimate_shifts(habits, base=0.4) == NO_SHIFTS


def test_of_many_sources_each_is_believed_to_repeat_itself_less_before_any_pair_was_seen():
    assert estimate_shifts(NO_PAIRS, base=0.4, concentration=0.25) == (-2.25,) * 3 + (0.0,) * 3
    assert estimate_shifts(NO_PAIRS, base=0.4, concentration=1.0) == NO_SHIFTS


def test_the_concentration_is_the_chance_that_two_items_are_of_one_source():
    assert concentration([]) == concentration([7]) == 1.0
    assert concentration([5, 5]) == 0.5
    assert concentration([8, 1, 1]) == 0.66


def test_a_source_that_only_updates_itself_is_believed_less():
    habits = habits_of(same=[-2.5] * 300 + [-1.0] * 60, other=[-2.5] * 200 + [4.0] * 150)
    learned = estimate_shifts(habits, base=0.4)
    assert learned[SAME] < -1.0
    assert 0 < learned[OTHER] <= MOST_SHIFT


def test_an_agency_that_repeats_itself_among_strangers_is_believed_more():
    habits = habits_of(same=[4.0] * 150 + [-2.5] * 200, other=[-2.5] * 400)
    assert estimate_shifts(habits, base=0.4)[SAME] > 0


def test_pairs_that_are_unlike_say_nothing_however_many_a_look_up_returns():
    alike = [(-1.0, SAME)] * 60 + [(3.0, OTHER)] * 60
    unlike = [(-3.0, SAME)] * 500 + [(-9.0, OTHER)] * 20
    learned = estimate_shifts(habits_of_kinds(alike), base=0.4)
    assert estimate_shifts(habits_of_kinds(alike + unlike), base=0.4) == learned != NO_SHIFTS


def test_a_handful_of_pairs_moves_little():
    few = habits_of(same=[-2.5] * 3, other=[4.0] * 3)
    many = habits_of(same=[-2.5] * 300, other=[4.0] * 300)
    assert (
        LEAST_SHIFT
        <= estimate_shifts(many, base=0.4)[SAME]
        < estimate_shifts(few, base=0.4)[SAME]
        < 0
    )


def test_the_share_of_duplicates_is_found_again():
    # 100 pairs that are surely duplicates, 300 that surely are none: a quarter.
    sure = [0] * LOGIT_BINS
    sure[0], sure[-1] = 300, 100
    assert abs(duplicates_share(sure, base=0.4) - 0.25) < 0.02


def test_a_stream_whose_copies_come_soon_believes_them_less_a_day_later():
    soon = [(4.0, pair_kind(same=False, apart=HOUR))] * 200
    late = [(-2.0, pair_kind(same=False, apart=30 * HOUR))] * 300
    learned = estimate_shifts(habits_of_kinds(soon + late), base=0.4)
    assert learned[pair_kind(same=False, apart=2 * HOUR)] > 0
    assert learned[pair_kind(same=False, apart=40 * HOUR)] < -1.0
    # Of pairs a few hours apart nothing was seen, so they are like all.
    assert learned[pair_kind(same=False, apart=9 * HOUR)] == 0.0


@given(st.lists(st.tuples(logits, kinds), max_size=30), st.integers(0, 30))
def test_counts_of_two_workers_add_up(pairs, index):
    parts = habits_of_kinds(pairs[:index]), habits_of_kinds(pairs[index:])
    assert add_counts(*parts) == habits_of_kinds(pairs)


@given(st.tuples(*[counts] * PAIR_KINDS), st.floats(0.05, 0.9), st.floats(0, 1))
def test_a_shift_is_bounded(habits, base, chance):
    learned = estimate_shifts(habits, base=base, concentration=chance)
    assert len(learned) == PAIR_KINDS
    assert all(LEAST_SHIFT <= each <= MOST_SHIFT for each in learned)


def test_habits_are_learned_from_pairs_with_leaders_and_not_with_variants() -> None:
    report = REPORTS[0].text
    first, copy = entry(report), entry(f"{report}\nЭто все.", source="b", name="2", hours=1)
    leader = Record(first, leader=first.key)
    variant = Record(first, leader=ItemKey("c", "3"), match=Match(0.6, "rewrite"))
    assert len(compare_with_leaders(RULE, copy, [leader])) == 1
    assert compare_with_leaders(RULE, copy, [variant]) == []
