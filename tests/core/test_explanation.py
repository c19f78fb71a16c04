import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from laws.streams import entry
from newsdedup.core.events import WeightedTerm
from newsdedup.core.matching.explanation import ExplainedItem, explain_match
from newsdedup.core.matching.reasons import SMALL_NUMBERS
from newsdedup.core.matching.rules import TermsRule
from newsdedup.core.model import Entry

HOUR = 3_600_000_000
RULE = TermsRule()
SMALL_NUMBERS = SMALL_NUMBERS.split()
rules = st.builds(
    lambda similar, more: TermsRule(duplicate=similar + more, similar=similar),
    st.integers(2, 6),
    st.integers(0, 6),
)


def side(entry: Entry) -> ExplainedItem:
    return ExplainedItem(entry, tuple(WeightedTerm(f"t{key}", key / 10) for key in entry.terms))


def explained(a: Entry, b: Entry, rule: TermsRule = RULE, **options: bool):
    return explain_match(side(a), side(b), rule, **options)


def pair(shared: int, only_a: int, only_b: int, *, apart: int = 0) -> tuple[Entry, Entry]:
    """Return two entries that share so many terms and have so many of their own."""
    a = [*range(shared), *range(100, 100 + only_a)]
    b = [*range(shared), *range(200, 200 + only_b)]
    return entry("a", a, at=0), entry("b", b, at=apart)


def test_a_duplicate_is_explained_by_its_shared_terms():
    why = explained(*pair(7, 5, 5, apart=3 * HOUR))
    assert (why.duplicate, why.relation, why.score) == (True, "rewrite", 0.5833)
    assert why.why == (
        "7 of the 12 weightiest terms are shared; 6 make a duplicate.",
        "Some terms are in only one of them: a rewrite, no reprint.",
        "They are 3 hours apart, within the window of 72 hours.",
    )
    assert why.otherwise == ("Two shared terms fewer would make them similar only.",)


def test_a_reprint_shares_all():
    why = explained(*pair(12, 0, 0))
    assert why.relation == "reprint"
    assert why.why[0] == "All 12 weightiest terms are shared; 6 make a duplicate."


def test_at_the_threshold_one_term_decides():
    assert explained(*pair(6, 6, 6)).otherwise == (
        "One shared term fewer would make them similar only.",
    )


def test_similar_items_get_what_separates_them_from_both_verdicts():
    why = explained(*pair(4, 8, 6))
    assert (why.duplicate, why.relation) == (False, "similar")
    assert why.why[0] == (
        "4 terms shared, of 12 in A and 10 in B; 3 make them similar, 6 make a duplicate."
    )
    assert why.otherwise == (
        "Two more shared terms would make them duplicates.",
        "Two shared terms fewer would make them different.",
    )


def test_different_items_have_no_score():
    why = explained(*pair(0, 12, 12))
    assert (why.relation, why.score) == ("none", None)
    assert why.why[0].startswith("None of the 12 weightiest terms is shared; 3 make them similar")
    assert why.otherwise[0] == "Three more shared terms would make them similar."


def test_a_longer_list_needs_half_of_it():
    why = explained(*pair(9, 11, 3))
    assert why.why[0].endswith("10 make a duplicate, half of them.")


def test_outside_the_window_the_time_alone_decides():
    why = explained(*pair(9, 3, 3, apart=-80 * HOUR))
    assert why.relation == "none"
    assert why.hours_apart == -80
    assert why.why[0] == (
        "They are 80 hours apart, more than the window of 72 hours: this alone decides."
    )
    assert why.otherwise == ("Within 72 hours of each other they would be duplicates.",)
    far = explained(*pair(0, 9, 9, apart=80 * HOUR))
    assert far.otherwise == ("Within 72 hours of each other they would still be different.",)


def test_a_second_outside_the_window_is_shown_as_more_than_the_window():
    why = explained(*pair(9, 3, 3, apart=72 * HOUR + 1_000_000))
    assert why.why[0].startswith("They are 72.0003 hours apart, more than the window of 72 hours:")


def test_items_without_a_time_are_taken_to_be_of_one_time():
    why = explained(*pair(9, 3, 3, apart=800 * HOUR), dated=False)
    assert why.duplicate
    assert why.hours_apart is None
    assert "no time" in why.why[-1]


def test_short_items_need_equal_terms_and_equal_numbers():
    a = entry("a", [1, 2], at=0, numbers=("5",))
    why = explained(a, entry("b", [1, 2], at=0, numbers=("6",)))
    assert why.why[:2] == (
        "A has 2 terms, B has 2: with fewer than 6, only equal terms and equal numbers match.",
        "The terms are equal, the numbers are not equal.",
    )
    assert why.otherwise == ("With equal numbers they would be duplicates.",)
    same = explained(a, a._replace(key=entry("b", [], at=0).key))
    assert same.duplicate
    assert same.otherwise == ("Any other term or number would make them different.",)


def test_items_without_terms_are_known_by_their_text():
    a, b = entry("a", [], at=0), entry("b", [], at=0)
    assert explained(a, b).duplicate
    other = explained(a, b._replace(version=entry("c", [1], at=0).version))
    assert not other.duplicate
    assert other.why[0].startswith("Neither has a term that could be weighed")


def test_what_both_have_and_what_only_one_has_is_listed_with_its_weight():
    a = entry("a", [1, 2, 7], at=0, numbers=("5", "9"))._replace(names=("тула",))
    b = entry("b", [1, 2, 8], at=0, numbers=("5",))._replace(names=("рига", "тула"))
    why = explained(a, b)
    assert [(one.term, one.weight_a) for one in why.shared] == [("t2", 0.2), ("t1", 0.1)]
    assert [one.term for one in why.only_a] == ["t7"]
    assert [one.term for one in why.only_b] == ["t8"]
    assert (why.numbers.both, why.numbers.only_a) == (("5",), ("9",))
    assert (why.names.both, why.names.only_b) == (("тула",), ("рига",))


def test_a_name_that_the_other_text_has_among_its_terms_is_in_both():
    """A name at the beginning of a sentence is a term there, but no name."""
    a = entry("a", [1, 2, 7], at=0)._replace(names=("t7", "t2", "холм"))
    b = entry("b", [1, 2, 8], at=0)._replace(names=("t1",))
    names = explained(a, b).names
    assert (names.both, names.only_a, names.only_b) == (("t2", "t1"), ("t7", "холм"), ())


sizes = st.tuples(st.integers(0, 14), st.integers(0, 8), st.integers(0, 8))


@given(rules, sizes)
def test_the_explanation_says_what_the_rule_says(rule, sizes):
    a, b = pair(*sizes)
    match = rule.match(a, b)
    why = explained(a, b, rule)
    assert why.duplicate == (match is not None and match.duplicate)
    assert why.score == (None if match is None else match.score)
    assert len(why.shared) + len(why.only_a) == len(a.terms)
    assert len(why.shared) + len(why.only_b) == len(b.terms)


PROMISE = re.compile(
    r"(?P<count>\w+) (?P<more>more )?shared terms?(?: fewer)? would make them (?P<verdict>\w+)"
)


@given(rules, sizes)
def test_so_many_terms_more_or_fewer_do_make_the_other_verdict(rule, sizes):
    shared, only_a, only_b = sizes
    assume(shared + min(only_a, only_b) >= rule.duplicate)
    for promise in explained(*pair(*sizes), rule).otherwise:
        said = PROMISE.match(promise)
        assert said is not None
        count = said["count"].lower()
        step = SMALL_NUMBERS.index(count) if count in SMALL_NUMBERS else int(count)
        # A term that becomes shared, or ceases to be, was or will be one of each side's own.
        step = step if said["more"] else -step
        assume(step <= min(only_a, only_b))
        assert verdict(rule, shared + step, only_a - step, only_b - step) == said["verdict"]
        closer = step - 1 if step > 0 else step + 1
        nearly = verdict(rule, shared + closer, only_a - closer, only_b - closer)
        assert nearly != said["verdict"]


def verdict(rule: TermsRule, *sizes: int) -> str:
    match = rule.match(*pair(*sizes))
    if match is None:
        return "different"
    return "duplicates" if match.duplicate else "similar"


@pytest.mark.parametrize("window", [72, 1, 0.5])
def test_the_window_is_that_of_the_rule(window):
    rule = TermsRule(window=round(window * HOUR))
    assert explained(*pair(6, 6, 6), rule).window_hours == window
