"""Which sets of a span that is past must be freed, and by whom."""

from newsdedup.adapters.redis.keys import ROLES, Filed, Keys
from newsdedup.adapters.redis.sweeping import SWEPT, Sweeping

KEYS = Keys("swept", 16)
WIDE = Keys("swept", 2_048)


def all_of(keys: Keys, span: int) -> set[str]:
    """Return the keys of all sets of a span."""
    return {name for role in ROLES for name in keys.named(role, span, range(keys.sets_of(role)))}


def freed(sweeping: Sweeping, *live: int) -> list[str]:
    names: list[str] = []
    while more := sweeping.next_names(live=live):
        assert len(more) <= SWEPT
        names += more
    return names


def test_only_what_was_filled_is_freed():
    sweeping = Sweeping(KEYS)
    sweeping.began([])
    sweeping.filled(7, [Filed("l", (1, 3))])
    sweeping.filled(7, [Filed("m", (3,)), Filed("f", (0,))])
    sweeping.filled(8, [Filed("l", (2,))])
    sweeping.left(live=[8], dropped=[7])
    filled = (("l", (1, 3)), ("m", (3,)), ("f", (0,)))
    assert freed(sweeping, 8) == [name for role, of in filled for name in KEYS.named(role, 7, of)]


def test_what_others_drop_is_freed_where_it_was_filled():
    sweeping = Sweeping(KEYS)
    sweeping.began([])
    sweeping.filled(7, [Filed("l", (1,))])
    sweeping.left(live=[8], dropped=[])
    assert freed(sweeping, 8) == KEYS.named("l", 7, [1])


def test_of_a_span_that_was_there_before_all_is_freed_by_who_drops_it():
    dropping, looking_on = Sweeping(KEYS), Sweeping(KEYS)
    for sweeping, dropped in ((dropping, [7]), (looking_on, [])):
        sweeping.began([7])
        sweeping.began([])
        sweeping.filled(7, [Filed("l", (1,))])
        sweeping.left(live=[8], dropped=dropped)
    assert set(freed(dropping, 8)) == all_of(KEYS, 7)
    assert freed(looking_on, 8) == KEYS.named("l", 7, [1])


def test_much_is_freed_by_and_by_and_completely():
    sweeping = Sweeping(WIDE)
    sweeping.began([7])
    sweeping.left(live=[8], dropped=[7])
    first = sweeping.next_names(live=[8])
    assert len(first) == SWEPT
    assert {*first, *freed(sweeping, 8)} == all_of(WIDE, 7)


def test_a_span_that_lives_again_is_left_alone():
    sweeping = Sweeping(KEYS)
    sweeping.began([])
    sweeping.filled(7, [Filed("l", (1,))])
    sweeping.left(live=[8], dropped=[7])
    assert freed(sweeping, 7, 8) == []
