from datetime import date
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.facts.extracted import WEDNESDAY
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import encode_facts
from newsdedup.core.facts.moves import find_moves
from newsdedup.core.text.tokens import tokens

SIZE = 40_000


PIECES = (
    *("1", "1 ", "111 ", "1.", "1,", "1:", "1:1:1:", "1-", "1-1 ", "1/", "1 1/2 ", "1.1.1999 "),
    *("$", "$1 ", "$ ", "1$", "€£", "%", "1% ", "1 % ", "2-1 матч ", "счет ", "счет 2:1 "),
    *("пять ", "двадцать пять ", "тысяч ", "миллион ", "two hundred and ", "twenty-five ", "two-"),
    *("один ", "вчера ", "on monday ", "5 мая ", "may 5 ", "may ", "5-й ", "5-", "12 p.m. "),
    *("-1 ", "(-$1", " -1-", "-1..", "минус 1 ", "1 -1 ", "погибли 1, ", "1 кв.м ", "5 м/с "),
    *("число погибших до 1 ", "число погибших ", "death toll to 1 ", "погибли, до 1 ", "1 м. "),
    *("(914) 544-55-32 ", "544-55-32", "8 914 "),
    *("а", "а ", "\n", "1\n", ". ", "1. ", "İ1 ", "１ ", "٣ ", "'пять' ", "5 и ", "1 новых новых "),
)


def seconds(text: str, lang: str = "") -> float:
    """Return the processor time of the quickest of three readings."""
    forms = tokens(text)
    times = []
    for _ in range(3):
        start = process_time()
        extract_facts(text, forms, published=WEDNESDAY, lang=lang)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_long_hostile_text_gives_few_facts_in_time_that_grows_with_it(piece: str) -> None:
    text = piece * (SIZE // len(piece))
    for hostile in (text, f"Слово {text}x"):
        facts = extract_facts(hostile, tokens(hostile), published=WEDNESDAY)
        assert len(facts) <= 32
        assert len(encode_facts(facts)) <= 24
    # Eight times the text is far from 64 times the work.
    few = seconds(piece * (SIZE // len(piece) // 8))
    assert seconds(text) < 32 * max(few, 0.001)


@pytest.mark.parametrize(
    ("lang", "piece"),
    [
        ("zh", "1万"),
        ("ja", "1億1千"),
        ("de", "1 Mio. "),
        ("de", "000 "),
        ("hi", "3 लाख "),
        ("hi", "1,00,"),
    ],
)
def test_numbers_without_end_of_any_notation_are_read_in_time_that_grows_with_them(
    lang: str, piece: str
) -> None:
    few, many = (seconds(piece * (size // len(piece)), lang) for size in (1_000, 8_000))
    assert many < 32 * max(few, 0.001)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", f"1{' 000' * 1_500} km"),
        ("zh", f"1{',00' * 3_000},000 km"),
        ("es", f"1{'.000' * 1_500} km"),
    ],
)
def test_a_number_of_thousands_of_digits_breaks_nothing(lang: str, text: str) -> None:
    assert len(extract_facts(text, tokens(text), published=WEDNESDAY, lang=lang)) <= 32


SAID = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.from_regex(r"[0-9.,:/%$ -]{1,12}", fullmatch=True),
        st.sampled_from(
            ("пять", "двадцать", "twenty-five", "hundred", "and", "тысяч", "миллион", "млн", "%")
        ),
        st.sampled_from(
            ("рублей", "$", "мая", "may", "monday", "вчера", "счет", "матч", "из", "до")
        ),
        st.sampled_from(("-й", "-th", "2:1", "8-1/2", "28.10.2024", ". ", "\n", "человек", "один")),
    ),
    max_size=24,
).flatmap(lambda words: st.sampled_from([" ".join(words), "".join(words)]))


DATES = st.none() | st.dates()


@given(SAID, DATES, SAID, DATES)
def test_no_text_and_no_date_breaks_anything(
    left: str, left_day: date | None, right: str, right_day: date | None
) -> None:
    ours = encode_facts(extract_facts(left, tokens(left), published=left_day))
    theirs = encode_facts(extract_facts(right, tokens(right), published=right_day))
    assert compare_facts(ours, ours).agreement == 1
    assert 0 < compare_facts(ours, theirs).agreement <= 1
    find_moves(ours, theirs)


@given(SAID, DATES)
def test_facts_stand_in_the_order_of_the_text(text: str, day: date | None) -> None:
    facts = extract_facts(text, tokens(text), published=day)
    assert [fact.start for fact in facts] == sorted(fact.start for fact in facts)
    assert [fact.sentence for fact in facts] == sorted(fact.sentence for fact in facts)
