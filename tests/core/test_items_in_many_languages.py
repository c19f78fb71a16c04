"""Golden examples: what becomes of an item in languages of the table."""

from collections.abc import Sequence

import pytest

from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.adapters.words.package_data import shipped_background
from newsdedup.core.document import Analyzer
from newsdedup.core.model import Document, Language
from newsdedup.core.text.tokens import sentences

PAIRS = {
    "de": (
        "Die Brücke über den Lautersee wird im Frühjahr gesperrt, teilte der Bürgermeister mit.",
        "Lautersee-Brücke im Frühjahr gesperrt: Bürgermeister nennt Gründe für die Sperrung.",
        "Der Bürgermeister eröffnete gestern die neue Schule am Markt.",
    ),
    "pl": (
        "Burmistrz poinformował, że most nad Wierną zostanie zamknięty wiosną.",
        "Zamknięcie mostu nad Wierną potwierdzone przez burmistrza, wiosenny remont mostu.",
        "Burmistrz otworzył wczoraj nową szkołę przy rynku.",
    ),
    "fr": (
        "Le maire annonce l'ouverture du pont sur l'Aubance après les travaux.",
        "Travaux : ouvertures annoncées par le maire pour le pont d'Aubance.",
        "Le maire inaugure la nouvelle école du marché.",
    ),
    "tr": (
        "İLÇEDE KÖPRÜ AÇILDI: IRMAK ÜZERİNDEKİ KÖPRÜLER",
        "İlçede ırmak üzerindeki köprü açıldı",
        "Pazar yerine yeni okul yapıldı",
    ),
    "ar": (
        "أعلن رئيس البلدية افتتاح الجسر الجديد فوق النهر",
        "اعلن رئيسُ البلديّة افتتـــاح جسر جديد فوق النهر",
        "مدرسة حديثة للاطفال قرب السوق",
    ),
    "zh": (
        "市长宣布河上的大桥将于春天重新开放",
        "河上大桥春天重新开放，市长称",
        "集市旁边新建了一所学校",
    ),
    "th": (
        "นายกเทศมนตรีประกาศเปิดสะพานข้ามแม่น้ำอีกครั้ง",
        "เปิดสะพานข้ามแม่น้ำอีกครั้ง นายกเทศมนตรีประกาศ",
        "โรงเรียนใหม่ใกล้ตลาด",
    ),
    "bg": (
        "Кметът съобщи, че мостът над реката ще бъде затворен през пролетта",
        "Мостове над реката: кметът обяви затваряне на моста пролетта",
        "Ново училище до пазара",
    ),
}


class Known:
    """Answers with the language that a test is about."""

    def __init__(self, lang: Language) -> None:
        self.lang = lang

    def rank(self, _text: str) -> Sequence[tuple[Language, float]]:
        return [(self.lang, 0.9)]


VOCABULARY = shipped_vocabulary(shipped_background())


def document(text: str, lang: Language) -> Document:
    item = NewsItem(ItemKey("example", "1"), "", text, lang=lang)
    return Analyzer(VOCABULARY, Known(lang)).document(item)


def shared(left: Document, right: Document) -> float:
    ours, theirs = ({term.key for term in one.terms} for one in (left, right))
    return len(ours & theirs) / min(len(ours), len(theirs))


@pytest.mark.parametrize("lang", PAIRS)
def test_a_rewording_shares_most_words_and_another_message_few(lang: Language) -> None:
    first, reworded, another = (document(text, lang) for text in PAIRS[lang])
    assert {first.lang, reworded.lang, another.lang} == {lang}
    assert shared(first, reworded) >= 0.5
    assert shared(first, another) <= 0.34


def test_german_nouns_are_no_names_and_french_capitals_are() -> None:
    german = "Gestern hat der Bürgermeister von Lautersee die Brücke im Ort eröffnet"
    assert document(german, "de").names == ()
    french = "Hier, le maire de Beaulieu a ouvert le pont avec Monsieur Dupont"
    assert document(french, "fr").names == ("beaulieu", "dupont", "monsieur")


def test_names_begin_with_the_capitals_of_any_alphabet() -> None:
    greek = "Χθες ο δήμαρχος Νίκος Βαρδάκης άνοιξε τη γέφυρα στην Πλατάνια"
    assert len(document(greek, "el").names) == 3
    romanian = "Ieri primarul Ștefan Munteanu a deschis podul din Țigleni"
    assert {"ștefan", "țiglen"} <= set(document(romanian, "ro").names)
    vietnamese = "Hôm qua chủ tịch tỉnh Đồng An đã mở cầu"
    assert "đồng" in document(vietnamese, "vi").names


def test_uzbek_words_in_cyrillic_letters_are_uzbek() -> None:
    uzbek = document("Вилоятда янги кўприк қурилди, кўприкдан одамлар ўтди", "uz")
    assert [term.lemma for term in uzbek.terms].count("кўприк") == 2


def test_digits_of_other_scripts_are_numbers() -> None:
    assert document("पुल ३५ मीटर लंबा है", "hi").numbers == ("35",)
    assert document("طول الجسر ٣٥ مترا", "ar").numbers == ("35",)


def test_sentences_end_with_the_stops_of_their_script() -> None:
    assert list(sentences("पुल खुला। स्कूल बंद है।")) == ["पुल खुला।", "स्कूल बंद है।"]
    assert list(sentences("桥开了。学校关了。")) == ["桥开了。", "学校关了。"]
