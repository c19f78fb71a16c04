import pytest

from archive.event_stream import search_words
from newsdedup import ItemKey, NewsItem


@pytest.mark.parametrize(
    ("text", "lang", "query"),
    [
        ("Відкрили міст через Вельну", "uk", "мосту"),
        ("Відкрили міст через Вельну", "uk", "міст"),
        ("Відкрили мости через Вельну", "uk", "міст"),
        ("Пять міст області", "uk", "місто"),
        ("Заводы области стали больше", "ru", "заводов"),
        ("The bridges are open", "en", "bridge"),
    ],
)
def test_a_form_of_several_words_is_found_by_each_of_them(text: str, lang, query: str) -> None:
    words = search_words()
    indexed = words.of_item(NewsItem(ItemKey("a", "1"), text, ""), lang, source=1).split()
    expression = words.query(query).expression
    assert any(f'"{word}"' in expression for word in indexed), (indexed, expression)


def test_a_word_is_not_found_by_another_one() -> None:
    words = search_words()
    indexed = words.of_item(NewsItem(ItemKey("a", "1"), "Відкрили школу", ""), "uk", source=1)
    assert not any(f'"{word}"' in words.query("мосту").expression for word in indexed.split())


def test_with_a_language_only_its_forms_and_stop_words_count() -> None:
    words = search_words()
    item = NewsItem(ItemKey("a", "1"), "Die Brücken der Stadt", "")
    indexed = words.of_item(item, "de", source=1).split()
    german, any_language = words.query("Brücke", lang="de"), words.query("Brücke")
    assert german.expression.strip("()").strip('"') in indexed
    assert any_language.expression.count(" OR ") > german.expression.count(" OR ") == 0
    assert words.query("die", lang="de").expression == ""
    assert words.query("die Brücke", lang="de").shown == ("Brücke",)
    assert words.query("Brücke", lang="nonsense") == any_language


def test_a_word_that_a_query_repeats_is_looked_for_once() -> None:
    words = search_words().query("1-1-1-1 ferry Ferry ferries").words
    assert [word.form for word in words] == ["1", "ferry", "ferries"]
