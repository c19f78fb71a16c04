import pytest

from newsdedup.core.model import LANGUAGES
from newsdedup.core.text.characters import fold
from newsdedup.core.text.language import detect_language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Власти города объявили, что мост откроют весной после ремонта", "ru"),
        ("Объявлен конкурс", "ru"),
        ("Путин", "ru"),
        ("Ёжик вышел на лёд", "ru"),
        ("Влада міста оголосила, що міст відкриють навесні після ремонту", "uk"),
        ("Що відомо про пожежу", "uk"),
        ("П'ять об'єктів", "uk"),
        ("The city said that the bridge will open in spring", "en"),
        ("Apple Watch Series 5 review", "en"),
        ("Новият кмет обяви, че мостът ще бъде отворен през пролетта", "bg"),
        ("Градоначелник је најавио да ће мост бити отворен на пролеће", "sr"),
        ("Улады горада аб'явілі, што мост адкрыюць вясной, бо ён ужо гатоў", "be"),
        ("Қала әкімі көпірдің көктемде ашылатынын хабарлады", "kk"),
        ("Die Stadt hat erklärt, dass die Brücke im Frühling nicht geöffnet wird", "de"),
        ("La ville a annoncé que le pont est fermé pour les travaux", "fr"),
        ("La ciudad anunció que el puente se abrirá en la primavera", "es"),
        ("Il sindaco ha detto che il ponte della città è chiuso", "it"),
        ("Władze miasta ogłosiły, że most nie jest gotowy", "pl"),
        ("Belediye köprünün ilkbaharda açılacağını duyurdu ve bir tarih verdi", "tr"),
        ("市政府宣布大桥将于春天开放", "zh"),
        ("أعلنت المدينة أن الجسر سيفتح في الربيع", "ar"),
        ("", "other"),
        ("12345 ...", "other"),
    ],
)
def test_alphabet_and_small_words_identify_the_language(text: str, expected: str) -> None:
    lang = expected if expected in LANGUAGES else "other"  # whatever has no tables yet
    assert detect_language(text) == lang
    assert detect_language(fold(text)) == lang


def test_mixed_text_counts_as_what_it_mostly_is() -> None:
    russian = "Разработчики обсудили новую версию библиотеки и сроки ее выхода. "
    assert detect_language(russian + "Go Kubernetes release notes: API, SDK, CLI, HTTP.") == "ru"
    ukrainian = "Міністерство пояснило, що зміни почнуть діяти з нового року. "
    assert detect_language(3 * ukrainian + "Он ответил: 'Мы были готовы.'") == "uk"
    assert detect_language("The word перестройка was printed in the paper of that day") == "en"


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert (
        detect_language("Суд вынес решение по этому делу. " * 60 + "the of and to " * 10_000)
        == "ru"
    )


def test_russian_hard_signs_before_vowels_are_not_bulgarian_ones() -> None:
    assert detect_language("Съезд объявлен, объект объехали, подъезд объединен") == "ru"
    assert detect_language("Съдът обяви, че срещу него са събрани съмнения") == "other"


def test_capitals_of_other_alphabets_count_as_lower_case() -> None:
    assert detect_language("ЎЗБЕКИСТОН ЎЗ ЎҚУВЧИЛАРИ") == "other"
    assert detect_language("ЇХНІЙ ЄВРОПЕЙСЬКИЙ ШЛЯХ") == "uk"
