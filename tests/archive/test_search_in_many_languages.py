"""Search in languages of the table: stems, one spelling, vowel signs, texts without spaces."""

import pytest

from archive.event_stream import archive_of
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter

TEXTS = {
    "de": "Der Bürgermeister von Lautersee hat die neuen Brücken über den Fluss eröffnet.",
    "pl": "Burmistrz Wiernej otworzył nowe mosty nad rzeką, poinformowała rzeczniczka urzędu.",
    "ar": "أعلن رئيس البلديّة افتتاح الجســر الجديد فوق النهر بعد إصلاحه خلال ١٤ شهرا.",
    "he": "ראש העיר פתח את הגשר החדש מעל הנהר לאחר תיקון של שנה, אמרה הדוברת.",
    "hi": "महापौर ने नदी पर बने नए पुल का उद्घाटन किया और सड़क भी खोल दी गई, प्रवक्ता ने कहा।",
    "tr": "Belediye başkanı Irmak üzerindeki yeni köprüleri açtı, İlçede yollar da açıldı dedi.",
    "zh": "市长周一宣布，河上的大桥重新开放，上海大学的工程师检查了桥梁。",
    "zh2": "海军学院和大学医院的代表参观了上游的港口，市长没有出席。",
    "ja": "市長は川にかかる新しい橋の開通を発表し、技術者が点検したと述べた。",
    "ko": "시장은 강 위의 새 다리를 다시 열었다고 월요일에 발표했다.",
    "th": "นายกเทศมนตรีประกาศเปิดสะพานข้ามแม่น้ำอีกครั้งหลังซ่อมแซม",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    records = [
        {
            "source": "wire",
            "id": name,
            "text": text,
            "lang": name[:2],
            "published_at": f"2026-03-02T10:{at}:00Z",
        }
        for at, (name, text) in enumerate(TEXTS.items(), start=10)
    ]
    with archive_of(tmp_path_factory.mktemp("archive") / "a", records) as opened:
        yield opened


def found(reader: ArchiveReader, text: str, **how: str) -> set[str]:
    return {one.id for one in reader.search(ItemFilter(text=text, **how)).items}


def hits(reader: ArchiveReader, text: str) -> list[str]:
    page = reader.search(ItemFilter(text=text), passages=True)
    return [part.text for part in page.passages[0] if part.hit]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Brücke", {"de"}),
        ("mostów", {"pl"}),
        ("البلدية", {"ar"}),
        ("الجسر", {"ar"}),
        ("14", {"ar"}),
        ("גשר", {"he"}),
        ("सड़कें", {"hi"}),
        ("İLÇEDE", {"tr"}),
        ("köprü", {"tr"}),
        ("大桥", {"zh"}),
        ("上海大学", {"zh"}),
        ("市长", {"zh", "zh2"}),
        ("新しい橋", {"ja"}),
        ("다리", {"ko"}),
        ("สะพาน", {"th"}),
        ('"重新开放"', {"zh"}),
        ('"开放重新"', set()),
        ('"नए पुल"', {"hi"}),
        ('"पुल नए"', set()),
    ],
)
def test_a_word_is_found_in_any_form_and_spelling(reader, text: str, ids: set[str]) -> None:
    assert found(reader, text) == ids


def test_capitals_of_a_language_are_read_in_a_search_of_that_language(reader) -> None:
    assert found(reader, "IRMAK", lang="tr") == {"tr"}
    assert found(reader, "大学", lang="zh") == {"zh", "zh2"}


def test_all_pairs_of_characters_of_a_word_are_meant_not_any(reader) -> None:
    # "上海大学" has a pair in common with a text about another university.
    assert found(reader, "上海大学") == {"zh"}
    assert found(reader, "大学") == {"zh", "zh2"}


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("mostów", ["mosty"]),
        ("البلدية", ["البلديّة"]),
        ("सड़क", ["सड़क"]),
        ("上海大学", ["上海大学"]),
        ("다리", ["다리"]),
        ("สะพาน", ["สะพาน"]),
    ],
)
def test_a_passage_marks_the_word_and_not_its_whole_line(
    reader, text: str, marked: list[str]
) -> None:
    assert hits(reader, text) == marked
