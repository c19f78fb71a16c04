import re

import pytest

from newsdedup.core.matching.verify.features import FEATURES
from newsdedup.server.pages.languages import (
    INTERFACE_LANGUAGES,
    accepted_language,
    interface_texts,
)
from newsdedup.server.pages.page_query import RELATIONS

PLACEHOLDER = re.compile(r"\{(\w*)\}")
OTHERS = [lang for lang in INTERFACE_LANGUAGES if lang != "en"]


@pytest.mark.parametrize("lang", OTHERS)
def test_every_text_stands_in_each_language(lang: str) -> None:
    assert interface_texts(lang).texts.keys() == interface_texts("en").texts.keys()


@pytest.mark.parametrize("lang", OTHERS)
def test_a_text_holds_the_same_values_in_each_language(lang: str) -> None:
    ours, english = interface_texts(lang), interface_texts("en")
    values = [
        {key: set(PLACEHOLDER.findall(" ".join(one.forms(key)))) for key in one.texts}
        for one in (ours, english)
    ]
    assert values[0] == values[1]


@pytest.mark.parametrize("lang", INTERFACE_LANGUAGES)
def test_a_text_that_counts_has_a_form_for_each_number(lang: str) -> None:
    texts = interface_texts(lang)
    counting = [key for key in texts.texts if not isinstance(texts.texts[key], str)]
    forms = {len(texts.forms(key)) for key in counting if not key.startswith("dates.")}
    assert forms == {2 if lang == "en" else 3}
    assert [len(texts.forms(f"dates.{key}")) for key in ("months", "short_months", "weekdays")] == [
        12,
        12,
        7,
    ]


@pytest.mark.parametrize("lang", INTERFACE_LANGUAGES)
def test_every_relation_has_its_words(lang: str) -> None:
    texts = interface_texts(lang)
    tables = ("relations.", "relations_of.", "relations_of_filter.", "check.is_")
    needed = [f"{table}{relation}" for table in tables for relation in RELATIONS]
    assert [key for key in needed if not texts.has(key)] == []


def test_words_of_features_are_of_features_that_there_are() -> None:
    texts = interface_texts("en").texts
    named = {key.partition(".")[2].rpartition("_")[0] for key in texts if "features." in key}
    assert named <= {feature.name for feature in FEATURES} | {"habit", "translated"}


@pytest.mark.parametrize(
    ("number", "form"),
    [(1, "сообщение"), (2, "сообщения"), (5, "сообщений"), (11, "сообщений"), (21, "сообщение"),
     (112, "сообщений"), (0, "сообщений")],
)  # fmt: skip
def test_russian_counts_in_three_forms(number: int, form: str) -> None:
    assert interface_texts("ru").count("counts.items", number) == f"{number} {form}"


def test_english_counts_in_two_forms() -> None:
    texts = interface_texts("en")
    counted = [texts.count("counts.items", number) for number in (0, 1, 2)]
    assert counted == ["0 items", "1 item", "2 items"]


def test_a_value_in_a_text_is_escaped() -> None:
    written = interface_texts("en")("story.other_original", source="<b>")
    assert written == "The original is from &lt;b&gt;."


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("uk-UA,uk;q=0.9,en;q=0.8", "uk"),
        ("de-DE,de;q=0.9,ru;q=0.5,en;q=0.3", "ru"),
        ("en;q=0.2, RU ; q=0.7", "ru"),
        ("fr", "en"),
        ("ru;q=0", "en"),
        ("ru;q=nonsense, uk;q=0.1", "uk"),
        (",;;=,ru;x=1" + "," * 5_000, "en"),
    ],
)
def test_the_browser_says_which_language_it_prefers(header: str, lang: str) -> None:
    assert accepted_language(header) == lang
