from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.facts.codes import VALUE_SHIFT, encode_facts, unit_code
from newsdedup.core.facts.comparison import compare_facts, missing_quantities
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, FactKind
from newsdedup.core.facts.moves import find_moves
from newsdedup.core.text.words import tokens


def codes(text: str) -> tuple[int, ...]:
    return encode_facts(extract_facts(text, tokens(text)))


def told(was: str, now: str) -> list[tuple[str, float, float]]:
    """Return what moved, with the words of the later text."""
    names = {unit_code(fact.unit): fact.unit for fact in extract_facts(now, tokens(now))}
    return [
        (names.get(move.unit, move.kind.name), move.was / MILLION, move.now / MILLION)
        for move in find_moves(codes(was), codes(now))
    ]


def test_five_injured_become_seven() -> None:
    assert told("Пострадали 5 человек, 40 домов", "Пострадали семь человек, 40 домов") == [
        ("injured", 5, 7)
    ]
    assert told("Five people were injured", "7 injured in Lviv") == [("injured", 5, 7)]
    assert told("п'ятеро поранених", "7 поранених") == [("injured", 5, 7)]


def test_a_rate_moves() -> None:
    assert told("Доллар 107 рублей", "Доллар 111 рублей") == [("rub", 107, 111)]


def test_the_minute_and_the_score_of_a_match_move() -> None:
    found = find_moves(codes("10-я минута, счет 0:1"), codes("40-я минута, счет 2:1"))
    assert [(move.kind, move.was, move.now) for move in found] == [
        (FactKind.SCORE, 1_000, 2_001),
        (FactKind.ORDINAL, 10 * MILLION, 40 * MILLION),
    ]


def test_of_many_values_the_nearest_moved() -> None:
    assert told("7000 км", "5 км и 7500 км") == [("km", 7_000, 7_500)]
    assert told("5 км и 7500 км", "7000 км") == [("km", 7_500, 7_000)]


def test_rows_of_a_table_move_each_by_itself() -> None:
    was, now = "Quarter\nShr 31 cts\nNet 1,234,567", "Quarter\nShr 20 cts\nNet 987,654"
    assert told(was, now) == [("net", 1_234_567, 987_654), ("cent", 0.31, 0.2)]


def test_what_only_one_text_counts_did_not_move() -> None:
    assert told("5 раненых", "70 км") == []
    assert told("5 раненых", "тихо") == []
    assert told("1,234 tickets", "1.2 thousand tickets") == []


WORDS = ("5", "7", "900", "1,2", "тыс.", "человек", "км", "руб.", "%", "счет", "2:1", "3:1", "в")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@given(TEXTS, TEXTS)
def test_moving_back_is_the_same_moves_turned_round(left: str, right: str) -> None:
    ahead, back = find_moves(codes(left), codes(right)), find_moves(codes(right), codes(left))
    assert sorted(ahead) == sorted(move._replace(was=move.now, now=move.was) for move in back)


@given(TEXTS, TEXTS)
def test_a_conflict_is_a_move_or_one_value_of_two_measures(left: str, right: str) -> None:
    ours, theirs = codes(left), codes(right)
    here, there = [
        {code >> VALUE_SHIFT for code in rest}
        for rest in (missing_quantities(ours, theirs), missing_quantities(theirs, ours))
    ]
    assert compare_facts(ours, theirs).conflicts == max(
        len(find_moves(ours, theirs)), len(here & there)
    )
