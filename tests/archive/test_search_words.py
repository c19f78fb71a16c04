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
