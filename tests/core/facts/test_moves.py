from hypothesis import given
from hypothesis import strategies as st

from core.facts.extracted import codes
from newsdedup.core.facts.comparison import compare_facts, missing_quantities
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, VALUE_SHIFT, FactKind, encode_facts, unit_code
from newsdedup.core.facts.moves import UNIT_NAMES, describe_moves, find_moves
from newsdedup.core.facts.units import UNITS
from newsdedup.core.text.tokens import find_numbers, tokens


def moves(was: str, now: str) -> list[tuple[str, float, float]]:
    """Return what moved, with the words of the later text."""
    names = {unit_code(fact.unit): fact.unit for fact in extract_facts(now, tokens(now))}
    return [
        (names.get(move.unit, move.kind.name), move.was / MILLION, move.now / MILLION)
        for move in find_moves(codes(was), codes(now))
    ]


def test_five_injured_become_seven() -> None:
    assert moves("Пострадали 5 человек, 40 домов", "Пострадали семь человек, 40 домов") == [
        ("injured", 5, 7)
    ]
    assert moves("Five people were injured", "7 injured in Lviv") == [("injured", 5, 7)]
    assert moves("п'ятеро поранених", "7 поранених") == [("injured", 5, 7)]


def test_a_rate_moves() -> None:
    assert moves("Доллар 107 рублей", "Доллар 111 рублей") == [("rub", 107, 111)]


def test_the_minute_and_the_score_of_a_match_move() -> None:
    found = find_moves(codes("10-я минута, счет 0:1"), codes("40-я минута, счет 2:1"))
    assert [(move.kind, move.was, move.now) for move in found] == [
        (FactKind.SCORE, 1_000, 2_001),
        (FactKind.ORDINAL, 10 * MILLION, 40 * MILLION),
    ]


def test_of_many_values_the_nearest_moved() -> None:
    assert moves("7000 км", "5 км и 7500 км") == [("km", 7_000, 7_500)]
    assert moves("5 км и 7500 км", "7000 км") == [("km", 7_500, 7_000)]


def test_rows_of_a_table_move_each_by_itself() -> None:
    was, now = "Quarter\nShr 31 cts\nNet 1,234,567", "Quarter\nShr 20 cts\nNet 987,654"
    assert moves(was, now) == [("net", 1_234_567, 987_654), ("cent", 0.31, 0.2)]


def test_what_only_one_text_counts_did_not_move() -> None:
    assert moves("5 раненых", "70 км") == []
    assert moves("5 раненых", "тихо") == []
    assert moves("1,234 tickets", "1.2 thousand tickets") == []


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


def described(was: str, now: str, *lemmas: str) -> list[tuple[str | None, str, str]]:
    before, after = [encode_facts(extract_facts(text, tokens(text))) for text in (was, now)]
    written = {"was": find_numbers(was), "now": find_numbers(now)}
    return [tuple(each) for each in describe_moves(find_moves(before, after), lemmas, **written)]


def test_every_unit_has_a_name():
    assert UNIT_NAMES.keys() == UNITS


def test_five_injured_become_seven_in_three_languages():
    expected = [("injured", "5", "7")]
    assert described("Пострадали 5 человек", "Пострадали семь человек") == expected
    assert described("п'ятеро поранених", "7 поранених") == expected
    assert described("Five people were injured", "7 injured in Lviv") == expected


def test_a_score_is_reported_as_it_is_written():
    was, now = "10-я минута матча, счет 1:0", "40-я минута матча, счет 2:1"
    assert described(was, now) == [("score", "1:0", "2:1"), ("minute", "10th", "40th")]


def test_a_score_is_not_turned_round():
    lost, again = "хозяева уступают со счётом 0:1", "хозяева уступают со счётом 1:3"
    assert described(lost, again) == [("score", "0:1", "1:3")]
    assert described(lost, "хозяева ведут, счёт 2:1") == [("score", "0:1", "2:1")]
    assert described("счёт 2:2 в матче", lost) == [("score", "2:2", "0:1")]


def test_a_score_whose_order_is_not_kept_is_reported_both_ways():
    assert described("хозяева проиграли 1-3", "хозяева проиграли 2-3") == [
        ("score", "3:1 or 1:3", "3:2 or 2:3")
    ]
    both = "команда проиграла со счётом 0:1, а затем выиграла со счётом 1:0"
    assert described(both, "счёт 2:2 в матче") == [("score", "1:0 or 0:1", "2:2")]


def test_money_and_percent_keep_their_positions():
    assert described("Доллар 107,4 рубля", "Доллар 111 рублей") == [("rouble", "107.4", "111")]
    assert described("ставка 7,25%", "ставка 8%") == [("percent", "7.25", "8")]


def test_a_value_of_more_digits_than_are_kept_is_reported_as_about_it():
    assert described("выручка 12 345 678 рублей", "выручка 82 345 678 рублей") == [
        ("rouble", "about 12345670", "about 82345670")
    ]
    assert described("выручка 1 234 567 рублей", "выручка 15 млн рублей") == [
        ("rouble", "1234567", "15000000")
    ]


def test_a_noun_is_named_by_a_lemma_that_begins_like_it():
    assert described("40 делегатов", "60 делегатов", "съезд", "делегат") == [
        ("делегат", "40", "60")
    ]


def test_a_noun_of_other_endings_is_named_by_its_lemma():
    assert described("4 дома", "17 домов", "завод", "дом") == [("дом", "4", "17")]
    assert described("4 дачи", "17 дач", "завод", "дача") == [("дача", "4", "17")]
    assert described("4 села", "45 сіл", "завод", "село") == [("село", "4", "45")]


def test_without_such_a_lemma_only_the_values_are_reported():
    assert described("40 делегатов", "60 делегатов", "съезд") == [(None, "40", "60")]


def test_ordinals_end_as_english_ones_do():
    was, now = "1-й тур, 22-й тур", "13-й тур, 111-й тур"
    assert [each[1:] for each in described(was, now)] == [("1st", "13th"), ("22nd", "111th")]


def test_a_time_of_day_that_moved_is_reported():
    assert described("начало в 19:00", "начало в 20:30, вход с 18 рублей") == [
        ("time of day", "19:00", "20:30")
    ]
    assert described("from 9 a.m. to 6 p.m.", "from 10 a.m. to 6 p.m.") == [
        ("time of day", "09:00", "10:00")
    ]
    assert described("начало в 19:00", "начало вечером") == []


def test_cents_are_reported_as_cents():
    assert described("94 cents a share", "78 cents a share") == [("cent", "94", "78")]
