"""Scores that look like times of day, and times that stand near a contest."""

import pytest

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import FactKind
from newsdedup.core.text.tokens import tokens


def kinds(text: str) -> set[FactKind]:
    return {fact.kind for fact in extract_facts(text, tokens(text))}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "обыграли 24:22",
            "24:22",
            "победили 22:19 в Москве",
            "гандболисты обыграли норвежцев 22:19",
        ),
        *(
            "перемогли суперниць 21:19",
            "beat them 22:19",
            "won 21:19, 21:17",
            "проиграли 22:19 (12:10)",
        ),
        *("выиграли 3:1 (25:20, 20:25, 25:19)", "(20:25, 25:22)", "сыграли 24:22 (12:10)"),
    ],
)
def test_what_looks_like_a_time_is_a_score_in_a_contest(text: str) -> None:
    assert kinds(text) == {FactKind.SCORE}


@pytest.mark.parametrize(
    "text",
    [
        *("победили соперников в 20:15", "выиграли матч, начало 19:30", "матч пройдет в 20:25"),
        *("начало в 19:30 (20:30 мск)", "выиграл марафон за 12:34", "won the race at 19:30"),
        *(
            "Победили вчера. Завтра 19:30",
            "победили, следующий матч 19:30 мск",
            "won at 9:05",
            "24:00",
        ),
        *("сеансы (18:30, 20:15)", "победила 10:00-12:00"),
    ],
)
def test_a_time_near_a_contest_stays_a_time(text: str) -> None:
    assert kinds(text) == {FactKind.CLOCK}


@pytest.mark.parametrize(
    "text",
    [
        "passed by 54 votes to 46",
        "passed 54-46",
        "приняли 54 голосами против 46",
        "ухвалили 54 голосами проти 46",
    ],
)
def test_a_result_in_words_is_a_score(text: str) -> None:
    ((kind, value, *_),) = extract_facts(text, tokens(text))
    assert (kind, value) == (FactKind.SCORE, 54_046)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Town were 147/6 after a day of cricket", 147_006),
        ("a bowler took 5/27", 27_005),
        ("five overs at 82/0", 82_000),
        ("नगर ने 147/6 बनाए, 4 विकेट बाकी", 147_006),
        ("শহর 147/6, ৪ উইকেট বাকি", 147_006),
    ],
)
def test_runs_and_wickets_are_a_score(text: str, value: int) -> None:
    assert (FactKind.SCORE, value) in [fact[:2] for fact in extract_facts(text, tokens(text))]


@pytest.mark.parametrize("text", ["open 24/7", "the odds are 5/27", "won 1/2 of the runs"])
def test_other_numbers_around_a_slash_are_none(text: str) -> None:
    assert FactKind.SCORE not in kinds(text)


def test_what_is_given_to_others_is_no_result() -> None:
    assert kinds("gave 54 seats to 46 parties") == {FactKind.NUMBER}
