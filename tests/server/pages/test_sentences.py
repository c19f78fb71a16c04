"""The reasons of the engine in the languages of the interface."""

import re
from itertools import pairwise

import pytest

from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.formats.item_json import title_of
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import build_settings
from newsdedup.engine.comparison import ItemComparison, compared_item, explain_comparison
from newsdedup.server.pages.languages import translate_sentence
from newsdedup.synthetic.stream import demo_stream

LANGUAGES = ("uk", "ru")
RULES = ({"rule.name": "verified"}, {"rule.name": "terms"}, {"rule.name": "minhash"})
ENGLISH = re.compile(r"\b(they|the|their|each|from|make|makes|shared|hours?|terms?|would|is|are)\b")
SHORT = ("Fire", "Fire at 10:00", "Fire at 11:00", "Ferry", "", "Ferry, 12 crowns")


def items() -> list[NewsItem]:
    """Return news of which neighbours are copies, updates, digests, and mostly strangers."""
    planted = [one.item for one in demo_stream()][:90]
    texts = [(one["title"], one["text"]) for one in planted]
    texts += [(text, "") for text in SHORT]
    return [NewsItem(ItemKey("s", str(at)), *text) for at, text in enumerate(texts)]


@pytest.fixture(scope="module")
def sentences() -> set[str]:
    """Return what the rules say of all those pairs."""
    every: set[str] = set()
    news = items()
    for chosen in RULES:
        settings = build_settings(chosen)
        rule, analyzer = make_rule(settings), item_analyzer(settings)
        compared = [compared_item(one, analyzer, title=title_of(one)) for one in news]
        pairs = [*pairwise(compared), *zip(compared, compared[2:], strict=False)]
        pairs += [(one, one) for one in compared[::7]]
        for a, b in pairs:
            explained = explain_comparison(ItemComparison(a, b, rule))
            every.update(explained.why, explained.otherwise)
    return every


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_is_said_in_the_language_of_the_interface(lang: str, sentences) -> None:
    assert len(sentences) > 150
    left = [one for one in sentences if translate_sentence(one, lang).lang != lang]
    assert left == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_english_stays_within_a_translated_reason(lang: str, sentences) -> None:
    translated = [translate_sentence(one, lang).text.partition(" (")[0] for one in sentences]
    assert [one for one in translated if ENGLISH.search(one)] == []


@pytest.mark.parametrize(
    ("english", "russian"),
    [
        (
            (
                "They contradict each other: they say the same, but count one thing differently "
                "and name other times of day. This alone decides."
            ),
            (
                "Они противоречат друг другу: они говорят одно и то же, но одно и то же считают "
                "по-разному и время суток у них разное. Это решает само по себе."
            ),
        ),
        (
            "Two more shared terms would make them duplicates.",
            "Общих терминов на 2 больше — и они были бы дубликатами.",
        ),
        (
            "They are 2.5 hours apart, within the window of 72 hours.",
            "Между ними 2,5 ч: в пределах окна, 72 ч.",
        ),
        (
            "Both are digests; 2 of 3 messages are the same, more than half make a duplicate.",
            "Оба — сводки; одинаковых сообщений 2 из 3, дубликатом делает больше половины.",
        ),
    ],
)
def test_a_reason_holds_its_values_in_another_language(english: str, russian: str) -> None:
    assert translate_sentence(english, "ru") == (russian, "ru")


def test_a_sentence_that_no_table_has_stays_english() -> None:
    assert translate_sentence("The moon is made of cheese.", "uk").lang == "en"
    assert translate_sentence("They say the same, word for word.", "en").lang == "en"
