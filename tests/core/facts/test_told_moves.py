from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.moves import UNIT_NAMES, describe_moves, find_moves
from newsdedup.core.facts.numbers import find_numbers
from newsdedup.core.facts.units import UNITS
from newsdedup.core.text.words import tokens


def said(was: str, now: str, *lemmas: str) -> list[tuple[str | None, str, str]]:
    before, after = [encode_facts(extract_facts(text, tokens(text))) for text in (was, now)]
    written = {"was": find_numbers(was), "now": find_numbers(now)}
    return [tuple(each) for each in describe_moves(find_moves(before, after), lemmas, **written)]


def test_every_unit_has_a_name():
    assert UNIT_NAMES.keys() == UNITS


def test_five_injured_become_seven_in_three_languages():
    expected = [("injured", "5", "7")]
    assert said("Пострадали 5 человек", "Пострадали семь человек") == expected
    assert said("п'ятеро поранених", "7 поранених") == expected
    assert said("Five people were injured", "7 injured in Lviv") == expected


def test_a_score_is_told_as_it_is_written():
    was, now = "10-я минута матча, счет 1:0", "40-я минута матча, счет 2:1"
    assert said(was, now) == [("score", "1:0", "2:1"), ("minute", "10th", "40th")]


def test_a_score_is_not_turned_round():
    lost, again = "хозяева уступают со счётом 0:1", "хозяева уступают со счётом 1:3"
    assert said(lost, again) == [("score", "0:1", "1:3")]
    assert said(lost, "хозяева ведут, счёт 2:1") == [("score", "0:1", "2:1")]
    assert said("счёт 2:2 в матче", lost) == [("score", "2:2", "0:1")]


def test_a_score_whose_order_is_not_kept_is_told_both_ways():
    assert said("хозяева проиграли 1-3", "хозяева проиграли 2-3") == [
        ("score", "3:1 or 1:3", "3:2 or 2:3")
    ]
    both = "команда проиграла со счётом 0:1, а затем выиграла со счётом 1:0"
    assert said(both, "счёт 2:2 в матче") == [("score", "1:0 or 0:1", "2:2")]


def test_money_and_percent_keep_their_places():
    assert said("Доллар 107,4 рубля", "Доллар 111 рублей") == [("rouble", "107.4", "111")]
    assert said("ставка 7,25%", "ставка 8%") == [("percent", "7.25", "8")]


def test_a_value_of_more_digits_than_are_kept_is_told_as_about_it():
    assert said("выручка 12 345 678 рублей", "выручка 82 345 678 рублей") == [
        ("rouble", "about 12345670", "about 82345670")
    ]
    assert said("выручка 1 234 567 рублей", "выручка 15 млн рублей") == [
        ("rouble", "1234567", "15000000")
    ]


def test_a_noun_is_named_by_a_lemma_that_begins_like_it():
    assert said("40 делегатов", "60 делегатов", "съезд", "делегат") == [("делегат", "40", "60")]


def test_a_noun_of_other_endings_is_named_by_its_lemma():
    assert said("4 дома", "17 домов", "завод", "дом") == [("дом", "4", "17")]
    assert said("4 дачи", "17 дач", "завод", "дача") == [("дача", "4", "17")]
    assert said("4 села", "45 сіл", "завод", "село") == [("село", "4", "45")]


def test_without_such_a_lemma_only_the_values_are_told():
    assert said("40 делегатов", "60 делегатов", "съезд") == [(None, "40", "60")]


def test_ordinals_end_as_english_ones_do():
    was, now = "1-й тур, 22-й тур", "13-й тур, 111-й тур"
    assert [each[1:] for each in said(was, now)] == [("1st", "13th"), ("22nd", "111th")]


def test_a_time_of_day_that_moved_is_told():
    assert said("начало в 19:00", "начало в 20:30, вход с 18 рублей") == [
        ("time of day", "19:00", "20:30")
    ]
    assert said("from 9 a.m. to 6 p.m.", "from 10 a.m. to 6 p.m.") == [
        ("time of day", "09:00", "10:00")
    ]
    assert said("начало в 19:00", "начало вечером") == []


def test_cents_are_told_as_cents():
    assert said("94 cents a share", "78 cents a share") == [("cent", "94", "78")]
