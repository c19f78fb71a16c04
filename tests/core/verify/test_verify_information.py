"""What keys are worth: the rarer in the stream, the more; frozen in the sketch of an entry."""

from math import log2
from operator import ge
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.verify.viewing import FIRE, seen_as
from laws.streams import entry
from newsdedup.core.matching.index_keys import BIT, are_candidates
from newsdedup.core.matching.statistics_recorder import teaches
from newsdedup.core.matching.verify.copy_rates import NO_SHIFTS
from newsdedup.core.matching.verify.entry_keys import verified_keys
from newsdedup.core.matching.verify.information import (
    Information,
    KeyCounts,
    hash_keys,
    least_worth,
    weigh_keys,
)
from newsdedup.core.matching.verify.sketches import (
    VerifierSketch,
    pack_sketch,
    read_information,
    update_sketch,
)
from newsdedup.core.model import Entry, Fingerprint, Version
from newsdedup.core.words.background import KEY_HASH_BITS, first_key

WINDOW = 65_536
RARE = first_key(1 / (1 << 14))
"""A term of one document in 16,384, by the background."""
OFTEN = first_key(1 / 4)

drawn_keys = st.lists(st.integers(0, 1 << 63), max_size=40)


def counted(*items: tuple[int, ...]) -> KeyCounts:
    counts = KeyCounts()
    for keys in items:
        counts.add(hash_keys(keys), items=1)
    return counts


def weighed(entry: Entry, information: Information | None) -> Entry:
    sketch = pack_sketch(VerifierSketch(seen_as(FIRE)))
    return entry._replace(
        sketches=(update_sketch(sketch, None, shifts=NO_SHIFTS, bucket=0, information=information),)
    )


@given(st.lists(drawn_keys, max_size=20))
def test_a_count_is_never_too_low_and_knows_no_order(items):
    forward, backward = counted(*items), counted(*reversed(items))
    for keys in items:
        true = [sum(each.count(key) for each in items) for key in keys]
        assert all(map(ge, forward.read(keys), true))
        assert forward.read(keys) == backward.read(keys)


def test_a_term_that_every_item_of_the_stream_has_is_worth_nothing():
    counts = counted(*[(RARE + 1, RARE + 2 + n) for n in range(50_000)])
    every, one = weigh_keys((RARE + 1, RARE + 2), (), [counts], window=WINDOW).terms
    assert every == 0
    assert one >= 12 * BIT


def test_a_stream_without_items_weighs_by_the_background():
    worths = weigh_keys((RARE, OFTEN), (), [KeyCounts()], window=1).terms
    assert tuple(worths) == (14 * BIT, 2 * BIT)


def test_a_pair_of_words_decides_alone_until_many_items_have_it():
    counts = counted(*[(7,) for _ in range(300)], *[(9, n) for n in range(10, 20_000)])
    assert weigh_keys((), (8, 7), [counts], window=WINDOW).pairs == 0b01


def test_both_generations_are_counted():
    counts = counted(*[(RARE,) for _ in range(1_000)])
    one = weigh_keys((RARE,), (), [counts], window=WINDOW).terms
    two = weigh_keys((RARE,), (), [counts, counted(*[(n,) for n in range(2_000)])], window=WINDOW)
    assert two.terms[0] - one[0] == round(BIT * log2(4_000 / 1_000)) - round(BIT * log2(2)) == BIT


def test_twice_the_window_asks_for_one_bit_more_and_a_small_one_for_fourteen():
    assert least_worth(2 * WINDOW) - least_worth(WINDOW) == BIT
    assert least_worth(WINDOW) == 22 * BIT
    assert least_worth(0) == least_worth(100) == 14 * BIT


@given(
    st.builds(
        Information,
        least=st.integers(0, 255),
        terms=st.binary(max_size=12),
        pairs=st.integers(0, 63),
    )
)
def test_worths_survive_the_bytes_of_a_sketch_and_are_replaced(information):
    made = weighed(entry("an item", range(12), at=0), information).sketches[-1]
    assert read_information(made) == information
    bare = update_sketch(made, None, shifts=NO_SHIFTS, bucket=0)
    assert read_information(bare) is None
    assert bare == pack_sketch(VerifierSketch(seen_as(FIRE)))


def test_a_withdrawn_entry_has_no_worths():
    assert read_information(Fingerprint((), b"")) is None


def test_entries_meet_by_what_they_share_not_by_how_many_terms():
    rare, common = [RARE + n for n in range(6)], [OFTEN + n for n in range(6)]
    worths = Information(22 * BIT, bytes([12 * BIT] * 6 + [2 * BIT] * 6), 0)
    first = weighed(entry("first", [*rare, *common], at=0), worths)
    shares = {
        "two rare": [*rare[:2], *range(100, 110)],
        "six common": [*common, *range(100, 106)],
        "one rare, four common": [rare[0], *common[:4], *range(100, 107)],
        "one rare, five common": [rare[0], *common[:5], *range(100, 106)],
    }
    met = {
        name
        for name, terms in shares.items()
        if are_candidates(
            verified_keys(first),
            verified_keys(
                weighed(
                    entry(name, terms, at=1),
                    worths._replace(
                        terms=bytes(
                            12 * BIT if term >> KEY_HASH_BITS < OFTEN >> KEY_HASH_BITS else 2 * BIT
                            for term in sorted(terms)
                        )
                    ),
                )
            )._replace(sure=(), near=()),
        )
    }
    assert met == {"two rare", "one rare, five common"}


def test_copies_of_an_entry_that_says_little_meet():
    worths = Information(22 * BIT, bytes([3 * BIT] * 12), 0)
    texts = [weighed(entry(name, range(12), at=0), worths) for name in "ab"]
    assert are_candidates(*[verified_keys(text) for text in texts])
    few = [weighed(entry(name, range(3), at=0), worths._replace(terms=b"\1" * 3)) for name in "ab"]
    assert are_candidates(*[verified_keys(text) for text in few])


def test_entries_of_an_earlier_release_meet_by_two_terms_and_weighed_ones_by_their_worth():
    rng = Random(31)  # noqa: S311 - drawn alike each time, not to keep a secret
    terms = sorted(rng.sample(range(RARE), 12))
    old = weighed(entry("old", terms, at=0), None)
    later = weighed(entry("later", [*terms[:2], *[OFTEN + n for n in range(10)]], at=1), None)
    assert are_candidates(*[verified_keys(one)._replace(sure=(), near=()) for one in (old, later)])
    one = weighed(entry("one", [terms[0], *[OFTEN + n for n in range(11)]], at=1), None)
    assert not are_candidates(
        *[verified_keys(each)._replace(sure=(), near=()) for each in (old, one)]
    )
    new = weighed(entry("new", terms, at=1), Information(22 * BIT, bytes([9 * BIT] * 12), 0))
    assert are_candidates(verified_keys(old), verified_keys(new))


@pytest.mark.parametrize(("bits", "one_in"), [(14, 1), (22, 1), (23.75, 2), (26, 16)])
def test_in_a_larger_window_fewer_entries_are_compared_to_learn(bits: float, one_in: int):
    worths = Information(int(bits * BIT), bytes([9 * BIT] * 12), 0)
    one = weighed(entry("one", range(12), at=0), worths)
    learned = sum(teaches(one._replace(version=Version(f"{n}"))) for n in range(1_600))
    assert learned == pytest.approx(1_600 / one_in, rel=0.2)


def test_every_entry_of_an_earlier_release_is_compared_to_learn():
    assert teaches(weighed(entry("old", range(12), at=0), None))
