from itertools import combinations

import pytest

from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.adapters.words.package_data import shipped_background
from newsdedup.core.document import Analyzer
from newsdedup.core.text.clean import clean
from newsdedup.core.text.tokens import find_signs


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer(shipped_vocabulary(shipped_background()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Штраф 500 ₽, $5 млн и 3 €", ["₽", "$", "€"]),
        ("Ночью -25, днём (-5), долг -$7 и -€8", ["-2", "-5", "-$7", "-€8"]),
        ("5-7 лет, 5%-7%, COVID-19, слово - 5, --3, +7 (495)-123", []),
        ("٥ человек", ["٥"]),
        ("ᎣᏏᏲ ᏣᎳᎩ", ["ꭳꮟᏺ", "ꮳꮃꭹ"]),
        ("བོད་ཡིག", ["བོདཡིག"]),
        ("«Слово» - 5° § • … “word” ± © naïve 中文", []),
        ("1234567890123456789012345", ["1234567890123456789012345"]),
        ("1,2,3,4,5,6,7,8,9,10,11,12,13.", ["1,2,3,4,5,6,7,8,9,10,11,12,13"]),
        ("12345678901234567890 и 5.10....................................", []),
        ("", []),
    ],
)
def test_signs_are_what_neither_words_nor_numbers_hold(text: str, expected: list[str]) -> None:
    assert find_signs(text) == expected


def version(analyzer: Analyzer, text: str) -> str:
    return analyzer.document(NewsItem(ItemKey("вестник", "1"), "", text)).version


@pytest.mark.parametrize(
    "texts",
    [
        ("የኢትዮጵያ ጠቅላይ ሚኒስትር", "በሶማሊያ የቦምብ ፍንዳታ", "ရန်ကုန်မြို့", "ရန်ကုန်မြို့တွင် မီးလောင်", "ភ្នំពេញ", "👍", "😀"),
        ("Ожидается -25 градусов", "Ожидается +25 градусов"),
        ("Утром -5, днём 7", "Утром 5, днём -7"),
        ("Сумма $5 млн", "Сумма €5 млн", "Сумма 5 млн"),
        ("Штраф 500 ₽", "Штраф 500 $"),
        ("عدد القتلى ٥", "عدد القتلى ٧"),
        ("Тираж 1,2,3,4,5,6,7,8,9,10,11,12,13", "Тираж 1,2,3,4,5,6,7,8,9,10,11,12,14"),
    ],
)
def test_texts_that_differ_in_a_sign_or_an_unknown_script_are_different_versions(
    analyzer: Analyzer, texts: tuple[str, ...]
) -> None:
    for one, other in combinations(texts, 2):
        assert version(analyzer, one) != version(analyzer, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ночью −25 градусов", "Ночью -25 градусов"),
        ("Сумма $5 млн", "<b>Сумма</b> $ 5 млн."),
        ("От 5–7 лет — «срок»", 'От 5-7 лет - "срок"'),
        ("Матч окончен — 5:0", "Матч окончен—5:0"),
        ("Ещё № 5 • §", "еще №5"),
        ("👍 👍", "👍\n👍"),
    ],
)
def test_typography_is_no_new_version(analyzer: Analyzer, one: str, other: str) -> None:
    assert version(analyzer, one) == version(analyzer, other)


def test_cleaning_keeps_the_signs() -> None:
    assert find_signs(clean("", "*Долг* &minus;5 млн &euro;")[1]) == ["-5", "€"]
