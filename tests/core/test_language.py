import pytest

from newsdedup.core.model import Language
from newsdedup.core.text.characters import fold
from newsdedup.core.text.language import detect_language


class Fixed:
    """Answers the same whatever the text, and counts how often it was asked."""

    def __init__(self, ranked: list[tuple[Language, float]]) -> None:
        self.ranked = ranked
        self.asked = 0

    def rank(self, _text: str) -> list[tuple[Language, float]]:
        self.asked += 1
        return self.ranked


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
    detector = Fixed([(expected, 0.9)])
    assert detect_language(text, detector=detector) == expected
    assert detect_language(fold(text), detector=detector) == expected
    assert not (detector.asked and expected in ("ru", "uk", "zh", "other"))


def test_letters_of_no_known_language_are_not_given_to_the_detector() -> None:
    detector = Fixed([("am", 0.9), ("en", 0.1)])
    assert detect_language("ᛒᚢᚱᛗᚨᚲ ᛟᚹᚱᛖᚾᚢ", detector=detector) == "other"
    assert not detector.asked


def test_words_tell_languages_apart_that_a_detector_confuses() -> None:
    alike = Fixed([("bs", 0.4), ("hr", 0.35), ("sr", 0.2)])
    assert detect_language("Most je otvoren posle obnove", detector=alike) == "sr"
    assert detect_language("Most je otvoren poslije obnove", detector=alike) == "bs"
    assert detect_language("Most je otvoren", detector=alike) == "bs"
    assert detect_language("Most je otvoren posle obnove", claimed="hr", detector=alike) == "hr"
    serbian = Fixed([("sr", 0.6), ("hr", 0.2), ("bs", 0.1)])
    assert detect_language("„Poslije“ obnove", detector=serbian) == "hr"


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Η γέφυρα άνοιξε ξανά την Τρίτη", "el"),
        ("הגשר נפתח מחדש ביום שלישי", "he"),
        ("კახეთში ხიდი გაიხსნა", "ka"),
        ("Կամուրջը վերաբացվել է", "hy"),
        ("다리가 화요일에 다시 열렸다", "ko"),
        ("橋は火曜日に再び開通しました", "ja"),
        ("สะพานเปิดอีกครั้งในวันอังคาร", "th"),
        ("பாலம் மீண்டும் திறக்கப்பட்டது", "ta"),
        ("వంతెన మళ్లీ తెరవబడింది", "te"),
        ("സെതു വീണ്ടും തുറന്നു", "ml"),
        ("ស្ពានត្រូវបានបើកឡើងវិញ", "km"),
        ("တံတားကို ပြန်ဖွင့်ခဲ့သည်", "my"),
    ],
)
def test_letters_of_one_language_need_no_detector(text: str, expected: str) -> None:
    assert detect_language(text) == expected


def test_what_only_a_detector_could_tell_is_other_without_one() -> None:
    german = "Die Brücke ist nach der Sanierung wieder für den Verkehr geöffnet"
    assert detect_language(german) == "other"
    assert detect_language(german, detector=Fixed([])) == "other"
    assert detect_language(german, detector=Fixed([("de", 0.4)])) == "de"


def test_a_text_with_english_words_is_english_unless_the_detector_is_certain() -> None:
    headline = "Bridge reopens Tuesday"
    assert detect_language(headline, detector=Fixed([("fr", 0.4), ("en", 0.1)])) == "en"
    assert detect_language(headline, detector=Fixed([("fr", 0.6), ("en", 0.3)])) == "fr"
    english = Fixed([("fr", 0.9)])
    assert detect_language("The mayor of the city and the head of police", detector=english) == "en"
    assert not english.asked


def test_names_alone_are_english_unless_a_detector_finds_that_far_less_likely() -> None:
    assert detect_language("Ponte Nova", detector=Fixed([("pt", 0.4), ("en", 0.1)])) == "en"
    assert detect_language("Ponte Nova", detector=Fixed([("pt", 0.4), ("en", 0.05)])) == "pt"


def test_the_publisher_decides_between_languages_that_are_about_as_likely() -> None:
    detector = Fixed([("bs", 0.5), ("hr", 0.4), ("sl", 0.1)])
    text = "Most je ponovo otvoren za promet"
    assert detect_language(text, detector=detector) == "bs"
    assert detect_language(text, claimed="hr-HR", detector=detector) == "hr"
    assert detect_language(text, claimed="sl", detector=detector) == "bs"
    assert detect_language(text, claimed="tlh", detector=detector) == "bs"


def test_cyrillic_that_might_be_bulgarian_is_asked_about_if_its_publisher_says_so() -> None:
    headline = "Красив изгрев над града"
    bulgarian = Fixed([("bg", 0.8), ("ru", 0.1)])
    assert detect_language(headline, detector=bulgarian) == "ru"
    assert not bulgarian.asked
    assert detect_language(headline, claimed="bg", detector=bulgarian) == "bg"
    assert detect_language(headline, claimed="ru", detector=bulgarian) == "ru"
