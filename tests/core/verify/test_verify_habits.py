from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.verify.habits import (
    BINS,
    LEAST,
    MOST,
    NO_SHIFT,
    Habits,
    added,
    duplicates_share,
    noted,
    shift,
)

counts = st.tuples(*[st.integers(0, 50)] * BINS)
logits = st.floats(-20, 20)


def habits_of(same, other):
    habits = Habits()
    for logit in same:
        habits = noted(habits, logit, same=True)
    for logit in other:
        habits = noted(habits, logit, same=False)
    return habits


def test_without_pairs_nothing_is_learned():
    assert shift(Habits(), base=0.4) == NO_SHIFT


def test_a_stream_of_one_source_moves_nothing():
    habits = habits_of(same=[4.0] * 30 + [-3.0] * 70, other=[])
    assert shift(habits, base=0.4) == NO_SHIFT


def test_a_source_that_only_updates_itself_is_believed_less():
    habits = habits_of(same=[-4.0] * 300 + [-1.0] * 60, other=[-4.0] * 200 + [4.0] * 150)
    learned = shift(habits, base=0.4)
    assert learned.same < -1.0
    assert 0 < learned.other <= MOST


def test_an_agency_that_repeats_itself_among_strangers_is_believed_more():
    habits = habits_of(same=[4.0] * 150 + [-4.0] * 200, other=[-4.0] * 400)
    assert shift(habits, base=0.4).same > 0


def test_a_handful_of_pairs_moves_little():
    few = habits_of(same=[-4.0] * 3, other=[4.0] * 3)
    many = habits_of(same=[-4.0] * 300, other=[4.0] * 300)
    assert LEAST <= shift(many, base=0.4).same < shift(few, base=0.4).same < 0


def test_the_share_of_duplicates_is_found_again():
    # 100 pairs that are surely duplicates, 300 that surely are none: a quarter.
    sure = [0] * BINS
    sure[0], sure[-1] = 300, 100
    assert abs(duplicates_share(sure, base=0.4) - 0.25) < 0.02


@given(st.lists(st.tuples(logits, st.booleans()), max_size=30), st.integers(0, 30))
def test_counts_of_two_workers_add_up(pairs, place):
    def of(part):
        return habits_of([x for x, same in part if same], [x for x, same in part if not same])

    assert added(of(pairs[:place]), of(pairs[place:])) == of(pairs)


@given(counts, counts, st.floats(0.05, 0.9))
def test_a_shift_is_bounded(same, other, base):
    learned = shift(Habits(same, other), base=base)
    assert all(LEAST <= each <= MOST for each in learned)
