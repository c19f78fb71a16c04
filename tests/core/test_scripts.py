import pytest

from newsdedup.core.text.scripts import script_of, spell_alike


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Η γέφυρα άνοιξε", "greek"),
        ("橋は再び開通しました", "kana"),
        ("大桥本周二重新开放，东京市长宣布（ト）", "han"),
        ("पुल फिर से खुला", "devanagari"),
        ("The bridge is open", ""),
        ("Мост открыт, цена 5 µ", ""),
        ("12345", ""),
        ("", ""),
    ],
)
def test_a_text_is_in_the_script_of_most_of_its_letters(text: str, script: str) -> None:
    assert script_of(text) == script


@pytest.mark.parametrize(
    ("lang", "written", "alike"),
    [
        ("ar", "أُعْلِنَ إعـــلان", "اعلن اعلان"),
        ("ar", "عدد ٤٢", "عدد 42"),
        ("fa", "كتاب علي ۱۴", "کتاب علی 14"),
        ("he", "שָׁלוֹם", "שלום"),
        ("hi", "५ लोग", "5 लोग"),
        ("tr", "İSTANBUL ve ISPARTA", "iSTANBUL ve ıSPARTA"),
        ("de", "Istanbul", "Istanbul"),
        ("el", "Γέφυρα ΤΡΊΤΗ", "Γεφυρα ΤΡΙΤΗ"),
        ("ro", "şi ţară", "și țară"),
    ],
)
def test_one_word_is_spelled_in_one_way(lang: str, written: str, alike: str) -> None:
    assert spell_alike(written, lang) == alike
    assert spell_alike(alike, lang) == alike


def test_russian_ukrainian_english_and_unknown_texts_stay_as_written() -> None:
    for lang in ("ru", "uk", "en", "other"):
        assert spell_alike("İ ٤ أ", lang) == "İ ٤ أ"
