"""Phrases, joined words, short names, hints, passages, and what a query ignores."""

import pytest

from archive.event_stream import archive_of
from newsdedup.archive import search_queries
from newsdedup.archive.query_words import IgnoredPart, query_parts, short_name_words
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter

TEXTS = {
    "tea": ("Tea from Sri-Lanka", "Growers of Sri-Lanka sell more tea, the ministry said."),
    "sea": ("Ferries", "The island of sri lanka has three new ferries in the harbour."),
    "code": ("A course of C++", "The course is for those who know C and want to know more."),
    "law": ("Congress", "The U.S. congress passed the budget of the harbour police."),
    "jet": ("Jets", "Two F-16 landed in Lunin, the base of sixteen jets."),
    "rada": ("Рада", "Закон ухвалила Верховна Рада України, повідомив спікер."),
    "verh": ("Верхняя точка", "В верховной палате рада прошла тихо, сообщил источник."),
    "talk": ("Президент", "Президент Марстада встретил мэра Вельны, сообщила служба."),
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    records = [
        {
            "source": "wire",
            "id": name,
            "title": title,
            "text": text,
            "published_at": f"2026-03-02T1{at}:00:00Z",
        }
        for at, (name, (title, text)) in enumerate(TEXTS.items())
    ]
    with archive_of(tmp_path_factory.mktemp("archive") / "a", records) as opened:
        yield opened


def found(reader: ArchiveReader, text: str, **how) -> set[str]:
    return {one.id for one in reader.search(ItemFilter(text=text), **how).items}


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Sri-Lanka", {"tea", "sea"}),
        ("sri lanka", {"tea", "sea"}),
        ('"sri lanka"', {"tea", "sea"}),
        ("C++", {"code"}),
        ("U.S.", {"law"}),
        ("US", {"law"}),
        ("F-16", {"jet"}),
        ("f16", {"jet"}),
        ("верховная рада", {"rada", "verh"}),
        ('"верховна рада"', {"rada"}),
        ("«верховна рада»", {"rada"}),
        ('рада -"верховна рада"', {"verh"}),
        ("-harbour -рада -президент", {"tea", "code", "jet"}),
        ('-"верховна рада" -harbour', set(TEXTS) - {"rada", "sea", "law"}),
        ('"harbour police"', {"law"}),
        ('"police harbour"', set()),
        ('"the harbour"', {"sea", "law"}),
        ('harbour -"harbour police"', {"sea"}),
    ],
)
def test_words_are_found_as_they_are_meant(reader, text: str, ids: set[str]) -> None:
    assert found(reader, text) == ids


def test_phrases_are_found_on_every_page_by_a_bounded_number_of_texts(reader) -> None:
    first = reader.search(ItemFilter(text='"the harbour"'), limit=1)
    assert ([one.id for one in first.items], first.read) == (["law"], 1)
    assert first.next is not None
    assert found(reader, '"the harbour"', limit=1, cursor=first.next) == {"sea"}


def test_a_word_that_no_item_has_gets_the_nearest_one_of_the_archive(reader) -> None:
    page = reader.search(ItemFilter(text="президнт"), passages=True)
    assert [(one.word, one.instead) for one in page.hints] == [("президнт", "президент")]
    assert reader.search(ItemFilter(text="президент"), passages=True).hints == ()
    assert reader.search(ItemFilter(text="qwxzvk"), passages=True).hints == ()
    assert reader.search(ItemFilter(text="ferrries"), passages=True).hints[0].instead == "ferries"


@pytest.mark.parametrize(("written", "meant"), [("президнт", "президент"), ("ferrries", "ferries")])
def test_a_word_of_no_new_title_is_looked_for_in_dictionary_and_index(
    reader, monkeypatch: pytest.MonkeyPatch, written: str, meant: str
) -> None:
    monkeypatch.setattr(search_queries, "_TITLES_OF_HINTS", 0)
    page = reader.search(ItemFilter(text=written), passages=True)
    assert [one.instead for one in page.hints] == [meant]


def test_a_passage_marks_the_words_of_the_query_in_any_form(reader) -> None:
    page = reader.search(ItemFilter(text="ferry harbour"), passages=True)
    marked = {
        one.id: [part.text for part in passage if part.hit]
        for one, passage in zip(page.items, page.passages, strict=True)
    }
    assert marked == {"sea": ["ferries", "harbour"]}
    named = reader.search(ItemFilter(text="U.S."), passages=True).passages[0]
    assert [part.text for part in named if part.hit] == ["U.S."]
    assert "".join(part.text for part in named) == TEXTS["law"][1]


def test_by_relevance_those_come_first_that_have_the_words_in_their_titles(reader) -> None:
    by_time = [one.id for one in reader.search(ItemFilter(text="рада")).items]
    page = reader.search(ItemFilter(text="рада"), sort="relevance")
    assert by_time == ["verh", "rada"]
    assert ([one.id for one in page.items], page.read) == (["rada", "verh"], 2)


def test_by_relevance_the_titles_of_a_bounded_number_of_items_are_read(reader, monkeypatch) -> None:
    monkeypatch.setattr(search_queries, "_MOST_RANKED", 1)
    page = reader.search(ItemFilter(text="рада"), sort="relevance")
    assert ([one.id for one in page.items], page.read, page.matches) == (["verh"], 1, 2)


def test_a_query_says_what_it_does_not_search_for(reader) -> None:
    text = "the ferries ... " + "x" * 600
    page = reader.search(ItemFilter(text=text))
    assert page.ignored[:2] == (
        IgnoredPart("x" * 60, "long"),
        IgnoredPart("the", "common"),
    ) or {one.reason for one in page.ignored} >= {"common", "long"}
    _, beyond = query_parts(" ".join(f"word{at}" for at in range(20)))
    assert [one.text for one in beyond] == [f"word{at}" for at in range(16, 20)]


def test_a_quotation_mark_without_its_end_is_passed_over() -> None:
    parts, _ = query_parts('"bridge opens')
    assert [(one.text, one.is_phrase) for one in parts] == [("bridge", False), ("opens", False)]


def test_short_names_are_one_however_they_are_written() -> None:
    assert short_name_words("U.S.") == short_name_words("US")
    assert short_name_words("F-16") == short_name_words("F16")
    assert len(short_name_words("C++, C# and AT&T of the E.U. in 2026")) == 4
