"""What is taken for a digest, and what only looks like one."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.round_ups import ANALYZER, REPORTS, TITLES, analyzed, digest
from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.core.matching.digest import MOST_MESSAGES, calls_itself_digest
from newsdedup.synthetic.stream import generate_stream

LANGUAGES = sorted(REPORTS)


def passages(text: str) -> int:
    """Return how many messages of a text are kept as those of a digest."""
    return len(analyzed("a", text, minutes=0).passages)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("bullet", ["", "• ", "- ", "▪️ ", "1. "])
def test_a_round_up_of_three_unrelated_reports_is_a_digest(lang, bullet):
    assert passages(digest(lang, bullet=bullet)) == 3


@pytest.mark.parametrize(
    "title",
    [
        "Новости к этому часу",
        "Доброе утро! Главные новости:",
        "Итоги недели",
        "Главное за 14 мая",
        "Новини за 3 липня",
        "Коротко о важном за сегодня",
        "Самое интересное за неделю",
        "995-й день. Главное к этому часу",
        "Головне на цю годину",
        "Дайджест: що сталося за день",
        "Стисло про важливе",
        "Top 5 things to know on Monday",
        "Weekly news round-up",
        "In case you missed it",
    ],
)
def test_digests_call_themselves_by_many_names(title):
    assert calls_itself_digest(digest("ru", title=title))


@pytest.mark.parametrize(
    "title",
    [
        "Мост через Велну открыли",
        "Главное управление МЧС назвало причину",
        "Главный тренер подвел итоги матча",
        "Обзор нового телефона",
        "The Brief History of a Bridge",
        "A round of talks begins",
    ],
)
def test_other_headlines_make_no_digest(title):
    assert passages(digest("ru", title=title)) == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_long_article_of_many_paragraphs_is_no_digest(lang):
    paragraphs = [text for text in REPORTS[lang][0].split(". ") for _ in range(4)]
    assert passages("\n\n".join((TITLES[lang], *paragraphs))) == 0
    assert passages("\n\n".join(REPORTS[lang])) == 0


def test_a_review_of_one_thing_is_no_digest():
    lines = (
        "Итоги дня: что известно о пожаре на складе",
        "Пожар на складе в Зареченске начался ночью, площадь 900 квадратных метров.",
        "Склад в Зареченске горел открытым огнем, пожар тушили 60 спасателей.",
        "Причиной пожара на складе назвали проводку, ее меняли год назад.",
        "Владелец склада обещает возместить ущерб от пожара соседям в Зареченске.",
    )
    assert passages("\n".join(lines)) == 0


def test_headings_and_calls_are_no_messages():
    title, *texts = digest("en").split("\n\n")
    framed = (title, "A quick look back.", "Sports", *texts, "Stay with us.")
    assert passages("\n\n".join(framed)) == 3


def test_two_messages_make_no_digest():
    assert passages("\n\n".join((TITLES["en"], *REPORTS["en"][:2], "Have a good day."))) == 0


def test_no_more_messages_are_kept_than_the_bound():
    towns = [f"Q{chr(97 + n // 5)}{chr(97 + n)}x" for n in range(26)]
    texts = [f"{town}berg {town}fisch {town}holm {town}dorf {town}stadt." for town in towns]
    assert passages("\n".join((TITLES["en"], *texts))) == MOST_MESSAGES


@pytest.mark.usefixtures("long")
def test_the_planted_digests_of_the_synthetic_stream_are_found_and_nothing_else():
    planted, found = Counter(), Counter()
    for one in generate_stream(3_000):
        item = item_json.decode_item(msgspec.json.encode(one.item))
        planted[one.truth.kind] += 1
        found[one.truth.kind] += bool(ANALYZER.analyze(item).passages)
    assert +found == Counter(digest=found["digest"])
    # Some are made of two reports only, and two messages make no digest.
    assert found["digest"] >= 0.75 * planted["digest"] > 10


@given(st.lists(st.sampled_from([*TITLES.values(), *REPORTS["ru"], *REPORTS["en"]]), max_size=9))
def test_the_same_text_keeps_the_same_messages(lines):
    item = NewsItem(ItemKey("s", "a"), "", "\n".join(lines))
    kept = ANALYZER.analyze(item).passages
    assert kept == ANALYZER.analyze(item).passages
    assert len(kept) in {0, *range(3, 10)}
