"""Which sets of a span that is past must be freed, and by whom."""

from newsdedup.adapters.redis.keys import ROLES, Keys, RecordSets
from newsdedup.adapters.redis.spans import MAX_FREED_SETS, SpanCleaner

KEYS = Keys("swept", 16)
WIDE = Keys("swept", 2_048)


def all_of(keys: Keys, span: int) -> set[str]:
    """Return the keys of all sets of a span."""
    return {
        name for role in ROLES for name in keys.set_names(role, span, range(keys.sets_of(role)))
    }


def freed(sweeping: SpanCleaner, *live: int, filled=(), dropped=()) -> list[str]:
    """Return the keys that are freed with a commit that has filled and dropped these, and later."""
    names = sweeping.after_commit(filled, live=live, dropped=dropped)
    more = names
    while more:
        assert len(more) <= MAX_FREED_SETS
        more = sweeping.after_commit((), live=live, dropped=())
        names = [*names, *more]
    return names


def test_only_what_was_filled_is_freed():
    sweeping = SpanCleaner(KEYS)
    sweeping.note_existing([])
    filled = (("l", (1, 3)), ("m", (3,)), ("f", (0,)))
    leader, member = [RecordSets("l", (1, 3))], [RecordSets("m", (3,)), RecordSets("f", (0,))]
    assert not freed(sweeping, 7, 8, filled=[(7, leader), (8, [RecordSets("l", (2,))])])
    assert freed(sweeping, 8, filled=[(7, member)], dropped=[7]) == [
        name for role, of in filled for name in KEYS.set_names(role, 7, of)
    ]


def test_what_others_drop_is_freed_where_it_was_filled():
    sweeping = SpanCleaner(KEYS)
    sweeping.note_existing([])
    assert not freed(sweeping, 7, filled=[(7, [RecordSets("l", (1,))])])
    assert freed(sweeping, 8) == KEYS.set_names("l", 7, [1])


def test_of_a_span_that_was_there_before_all_is_freed_by_who_drops_it():
    dropping, looking_on = SpanCleaner(KEYS), SpanCleaner(KEYS)
    for sweeping in (dropping, looking_on):
        sweeping.note_existing([7])
        sweeping.note_existing([])
        assert not freed(sweeping, 7, filled=[(7, [RecordSets("l", (1,))])])
    assert set(freed(dropping, 8, dropped=[7])) == all_of(KEYS, 7)
    assert freed(looking_on, 8) == KEYS.set_names("l", 7, [1])


def test_much_is_freed_by_and_by_and_completely():
    sweeping = SpanCleaner(WIDE)
    sweeping.note_existing([7])
    first = sweeping.after_commit((), live=[8], dropped=[7])
    assert len(first) == MAX_FREED_SETS
    assert {*first, *freed(sweeping, 8)} == all_of(WIDE, 7)


def test_a_span_that_lives_again_is_left_alone():
    sweeping = SpanCleaner(WIDE)
    sweeping.note_existing([7])
    assert len(sweeping.after_commit((), live=[8], dropped=[7])) == MAX_FREED_SETS
    assert freed(sweeping, 7, 8) == []
