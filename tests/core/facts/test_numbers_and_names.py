from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.document import distinct_numbers as distinct
from newsdedup.core.document import find_names
from newsdedup.core.text.tokens import canonical_number, find_numbers
from newsdedup.core.words.background import EMPTY_BACKGROUND
from newsdedup.core.words.lemmas import Lemmas, StopWords
from newsdedup.core.words.vocabulary import Vocabulary


def numbers(text: str) -> tuple[str, ...]:
    return distinct(find_numbers(text))


class CaseEnding:
    """Takes Russian case endings off, as far as these tests need."""

    version = "endings"

    def lemma(self, form: str) -> str:
        return form.removesuffix("е").removesuffix("а")


WORDS = Vocabulary(
    Lemmas({"ru": CaseEnding()}), StopWords({"ru": frozenset({"это"})}), EMPTY_BACKGROUND
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1 200", "1200"),
        ("1 200 000", "1200000"),
        ("1,200", "1200"),
        ("1,200,000", "1200000"),
        ("1,234.50", "1234.5"),
        ("3,5", "3.5"),
        ("3.50", "3.5"),
        ("10.0", "10"),
        ("0,125", "0.125"),
        ("12 500,75", "12500.75"),
        ("15 %", "15%"),
        ("15%", "15%"),
        ("2:1", "2:1"),
        ("15:30", "15:30"),
        ("2024", "2024"),
        ("05", "5"),
        ("0", "0"),
        ("00", "0"),
        ("05.11.2024", "05.11.2024"),
        ("101,2345", "101.2345"),
    ],
)
def test_a_number_has_one_spelling(written: str, expected: str) -> None:
    assert canonical_number(written) == expected
    assert numbers(f"итого {written} за день") == (expected,)


def test_numbers_are_distinct_and_sorted() -> None:
    text = "Счет 2:1, курс 92,5 рубля, рост 15 %, 1 200 человек; 1200 человек, 92.5."
    assert numbers(text) == ("1200", "15%", "2:1", "92.5")


def test_said_numbers_keep_their_order_and_repetitions() -> None:
    assert find_numbers("из 5 осталось 3, а из 3,0 - 2") == ["5", "3", "3", "2"]


def test_a_row_of_a_table_is_not_one_number() -> None:
    assert len(numbers("100 200 300 400 500 600 700 800 900")) == 2


def test_a_year_before_a_number_is_not_its_first_group() -> None:
    assert numbers("В 2024 100 человек") == ("100", "2024")


def test_a_comma_or_a_dot_that_ends_a_phrase_is_no_decimal_point() -> None:
    assert numbers("Было 5, стало 7. Всего 12.") == ("12", "5", "7")


def test_a_text_without_digits_has_no_numbers() -> None:
    assert numbers("ни одной цифры") == ()


def test_at_most_64_numbers_are_kept_and_monsters_are_left_out() -> None:
    assert len(numbers(" и ".join(map(str, range(500))))) == 64
    assert numbers("9" * 25 + " и 7") == ("7",)


@given(st.text("0123456789 .,:%и", max_size=60))
def test_a_canonical_number_stays_as_it_is(text: str) -> None:
    found = numbers(text)
    assert list(found) == sorted(set(found))
    for number in found:
        if ":" not in number:
            assert canonical_number(number) == number


def test_names_stand_inside_sentences() -> None:
    text = "Вчера в Москве Иванов встретил Петрова. Город ждал. Это видел Иванов."
    assert find_names(text, WORDS, "ru") == ("иванов", "москв", "петров")


def test_words_that_begin_a_sentence_a_line_or_a_speech_are_no_names() -> None:
    text = "Город спит. Река течет! Мост стоит?\nПоле пусто\n- Дом тих\nсказал: Лес шумит"
    assert find_names(text, WORDS, "ru") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Пожар в г. Твери на ул. Мира", ("мир", "твери")),
        ("Г. Тверь ждет", ("тверь",)),
        ("Сказал О. Петров", ("петров",)),
        ("Сказал О. И. Петров и А.И. Сидоров", ("петров", "сидоров")),
        ("В м. Київ на вул. Садовій", ("київ", "садовій")),
    ],
)
def test_names_behind_abbreviations_and_initials_are_names(
    text: str, expected: tuple[str, ...]
) -> None:
    assert find_names(text, WORDS, "ru") == expected


def test_names_behind_english_titles_are_names() -> None:
    text = "Gov. Lena met Dr. Berg, U.S. Sen. Oland and J. K. Lind"
    assert set(find_names(text, WORDS, "en")) >= {"lena", "berg", "oland", "lind"}


@pytest.mark.parametrize(
    "text",
    [
        "Так было в 1990 г. Город рос",
        "Длина 5 м. Город рос",
        "Дома, мосты и т. д. Город рос",
        "Дома, мосты и пр. Город рос",
        "Ветер 5 м/с. Город спит",
        "Сгорел дом. Город спит",
        "Там U.S. Bridge",
    ],
)
def test_a_stop_that_ends_a_sentence_makes_no_name_of_the_next_word(text: str) -> None:
    assert find_names(text, WORDS, "ru") == ()


def test_quoted_and_hyphenated_names_are_names() -> None:
    text = 'Сегодня "Газпром" и Нью-Йорк, и (Тверь) тоже'
    assert find_names(text, WORDS, "ru") == ("газпром", "нью-йорк", "тверь")


def test_a_stop_word_with_a_capital_is_no_name() -> None:
    assert find_names("Вот Это да", WORDS, "ru") == ()


def test_at_most_12_names_are_kept_the_most_frequent_first() -> None:
    many = " ".join(f"и Город{character}" for character in "БВГДЕЖЗИКЛМНОПР")
    found = find_names(f"{many} и ГородП и ГородП и ГородД", WORDS, "ru")
    assert len(found) == 12
    assert found[:3] == ("городп", "городд", "город")


@pytest.mark.parametrize("lang", ["en", "id", "ms"])
def test_capitals_of_a_headline_make_no_names_where_all_its_words_have_them(lang: str) -> None:
    headline = "Nice Bridge Opens"
    assert find_names(f"{headline}\nThe mayor of Lena spoke", WORDS, lang) == ("lena",)
    assert find_names(headline, WORDS, lang) == ("bridge", "opens")


def test_a_headline_in_capitals_names_nobody_if_more_text_follows() -> None:
    headline, text = "LENA ABRE EL PUENTE", "Ayer habló Berg"
    assert find_names(f"{headline}\n{text}", WORDS, "es") == ("berg",)
    assert "puente" in find_names(headline, WORDS, "es")
    assert "petrov" in find_names(f"El señor Petrov\n{text}", WORDS, "es")


ADVERSARIAL = {
    "digits": "1",
    "groups": "111 ",
    "points": "1.",
    "colons and commas": "1:1,",
    "percent": "1 % ",
    "capitals": " А",
    "hyphens": " А-",
    "quotes": " \"А'",
    "apostrophes": "а'",
    "spaces": " ",
}


@pytest.mark.parametrize("piece", ADVERSARIAL.values(), ids=ADVERSARIAL)
def test_work_grows_with_the_length_of_a_hostile_text_not_with_its_square(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        started = process_time()
        numbers(text)
        find_names(text, WORDS, "ru")
        return process_time() - started

    seconds(1_000)
    short = min(seconds(50_000) for _ in range(3))
    # 8 times the text: linear work is 8 times as much, quadratic 64 times.
    assert min(seconds(400_000) for _ in range(3)) < 32 * max(short, 0.0005)
