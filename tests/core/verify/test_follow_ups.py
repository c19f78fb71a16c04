"""A source that continues its story publishes an update; under another headline it repeats it."""

import pytest

from core.verify.retold import REPORTS, RULE, entry, judged
from core.verify.viewing import seen_as
from newsdedup.core.facts.editions import EDITION
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.matching.verify.contradictions import find_contradiction
from newsdedup.core.matching.verify.features import compare_views
from newsdedup.core.model import Entry
from newsdedup.core.text.tokens import tokens

MARKED = {
    "ru fire": ("Дополнено: {}", "{} [обновлено]", "Upd. {}"),
    "uk bridge": ("Оновлено: {}", "{} (доповнено о 14:30)", "{} (виправлено)"),
    "en strike": ("UPDATE 2-{}", "{} (updated)", "Corrected: {}"),
}
BACKGROUND = (
    "Oland, who ran the port of Halden for nine years, is accused of taking 4 million crowns from "
    "a builder of cranes. Investigators searched his house and two offices in spring. They found "
    "letters about a contract for floating docks, and a list of payments to relatives. His lawyer "
    "Ida Berg calls the list a forgery. The builder, Kettle Corp, denies that it paid anybody."
)
ARRESTED = (
    "Former port director Peter Oland arrested\nPeter Oland came to the station. " + BACKGROUND
)
REMANDED = (
    "Magistrate remands Peter Oland\nThe Osterby magistrate sent Peter Oland to prison. "
    + BACKGROUND
)


def text_of(name: str) -> str:
    return next(report.text for report in REPORTS if report.name == name)


def again(text: str, hours: float = 2) -> Entry:
    return entry(text, name="2", hours=hours)


@pytest.mark.parametrize(
    ("text", "mark"), [(text_of(name), mark) for name, marks in MARKED.items() for mark in marks]
)
def test_a_text_that_its_source_marks_as_changed_is_an_update(text: str, mark: str) -> None:
    headline, _, body = text.partition("\n")
    one, other = entry(text), again(f"{mark.format(headline)}\n{body}")
    match = RULE.match(one, other)
    assert match is not None
    assert (match.duplicate, match.relation) == (False, "update")
    assert "marked as an update or a correction" in " ".join(give_reasons(one, other, RULE).why)


def test_a_mark_in_the_first_line_is_read_and_a_number_in_it_counts() -> None:
    def editions(text: str) -> list[int]:
        found = extract_facts(text, frozenset(tokens(text)))
        return [fact.value // 1_000_000 for fact in found if fact.unit == EDITION]

    assert editions("Halden wins the cup\n(Adds quotes, background)\nHalden won.") == [1]
    assert editions("UPDATE 6-Halden wins the cup") == [6]
    assert editions("Warning for Halden has passed: update") == [1]
    for unmarked in (
        "Halden Market Update: prices rise",
        "Обновление системы: что нового",
        "Kettle updated its cranes: new docks",
        "Update 1.2: new maps of Halden",
    ):
        assert not editions(unmarked)


def test_a_mark_says_nothing_of_another_source_or_of_the_text_that_came_before() -> None:
    text = text_of("en strike")
    between = judged(text, "UPDATE 2-" + text)
    assert between is not None
    assert between.duplicate
    late = RULE.match(entry("UPDATE 2-" + text), again(text))
    assert late is not None
    assert late.duplicate


def test_two_marked_editions_of_two_sources_are_updates_of_each_other() -> None:
    text = text_of("en strike")
    match = judged("UPDATE 1-" + text, "UPDATE 2-" + text)
    assert match is not None
    assert (match.duplicate, match.relation) == (False, "update")


def test_news_above_the_same_words_is_an_update_of_its_source_alone() -> None:
    one, other = entry(ARRESTED), again(REMANDED)
    assert RULE.verify(one, other).contradiction == "news"
    reasons = " ".join(give_reasons(one, other, RULE).why)
    assert "the later one begins with news above the same words" in reasons
    copied = RULE.verify(one, entry(REMANDED, source="b", name="2", hours=2))
    assert copied.contradiction is None


@pytest.mark.parametrize(
    ("name", "notice", "extended"),
    [
        ("en strike", "Flood warning for Halden", "extended"),
        ("ru fire", "Режим тревоги в Заозерске", "продлён"),
        ("uk bridge", "Режим тривоги в Заозерську", "продовжено"),
    ],
)
def test_a_notice_that_is_extended_is_an_update_of_its_source(
    name: str, notice: str, extended: str
) -> None:
    _, _, body = text_of(name).partition("\n")
    one, other = entry(f"{notice}\n{body}"), again(f"{notice} {extended}\n{body}", 20)
    assert RULE.verify(one, other).contradiction == "news"
    assert RULE.verify(entry(f"{notice} {extended} now\n{body}"), other).contradiction is None


@pytest.mark.parametrize(
    ("notice", "first", "second", "expected"),
    [
        ("{} it rains in Halden\n{}", "On Friday and Saturday", "On Saturday and Sunday", "days"),
        ("It rains in Halden\n{1} Boats stay in until {0}.", "7:15", "8:30", "counts"),
    ],
)
def test_the_same_words_of_one_source_at_another_time_are_an_update(
    notice: str, first: str, second: str, expected: str
) -> None:
    one, other = notice.format(first, BACKGROUND), notice.format(second, BACKGROUND)
    assert RULE.verify(entry(one), again(other, 20)).contradiction == expected
    between = RULE.verify(entry(one), entry(other, source="b", name="2", hours=20))
    assert between.contradiction is None


def test_another_headline_above_the_same_text_makes_no_news() -> None:
    _, _, body = ARRESTED.partition("\n")
    other = again(f"Why harbours fear scandal\n{body}")
    verification = RULE.verify(entry(ARRESTED), other)
    assert verification.contradiction is None


@pytest.mark.parametrize("date", ["HALDEN, May 15 - ", "ЗАОЗЕРСК, 16 мая - РИА Новости. "])
def test_the_same_text_with_a_new_date_line_is_a_copy(date: str) -> None:
    headline, _, body = text_of("en strike").partition("\n")
    match = RULE.match(entry(f"{headline}\n{body}"), again(f"{headline}\n{date}{body}", 20))
    assert match is not None
    assert match.duplicate


def test_a_form_that_two_sources_fill_with_other_days_or_numbers_is_another_message() -> None:
    form = (
        "Куда сходить в Заозерске {}: прогулки и мероприятия\nОткрытие катков, ярмарка во дворце, "
        "концерты, спектакли и экскурсии по крышам. Бесплатных мест {}, сообщила мэрия."
    )
    first = seen_as(form.format("17-18 мая", "40"), lambda _: 3)
    for days, places, expected in (
        ("18 мая", "40", "days"),
        ("17-18 мая", "70", "counts"),
        ("17-18 мая", "40", None),
    ):
        other = seen_as(form.format(days, places), lambda _: 3)
        compared = compare_views(first, other, same_source=False)
        found = find_contradiction(compared, first, other, same_source=False, translated=False)
        assert found == expected
