import pytest

from core.verify.retold import REPORTS, RULE, Report, entry
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.model import Entry

FIRE = REPORTS[0]
OUTSIDE = "They are 240 hours apart, more than the window of 72 hours: this alone decides."


def pair(left: str, right: str, *, hours: float = 1) -> tuple[Entry, Entry]:
    return entry(left), entry(right, source="b", name="2", hours=hours)


@pytest.mark.parametrize("text", [FIRE.text, FIRE.text + FIRE.tail, FIRE.other])
def test_outside_the_window_it_is_named_first_however_alike_the_texts_are(text: str) -> None:
    why = give_reasons(*pair(FIRE.text, text, hours=240), RULE).why
    assert why[0] == OUTSIDE
    assert len(why) > 1


@pytest.mark.parametrize(
    ("hours", "said"), [(72.33, "72.33"), (72 + 1 / 3600, "72.0003"), (80, "80")]
)
def test_hours_outside_the_window_are_never_as_many_as_the_window_has(
    hours: float, said: str
) -> None:
    why = give_reasons(*pair(FIRE.text, FIRE.other, hours=hours), RULE).why
    assert why[0] == OUTSIDE.replace("240", said)


def test_outside_the_window_nothing_else_decides_alone() -> None:
    why = give_reasons(*pair(FIRE.text, FIRE.text.replace(*FIRE.quantity), hours=240), RULE).why
    assert why[0] == OUTSIDE
    assert why[1].startswith("They contradict each other: each begins with a number")
    assert sum("alone decides" in line for line in why) == 1


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)
def test_a_contradiction_that_decides_is_named_with_the_probability_but_for_it(
    report: Report,
) -> None:
    """Another quantity in the headline; the rest of the text is the same."""
    a, b = pair(report.text, report.text.replace(*report.quantity))
    weighed = RULE.verify(a, b)
    assert weighed.contradiction == "figures"
    assert weighed.match.score < RULE.threshold
    why = give_reasons(a, b, RULE).why
    assert why[0] == (
        "They contradict each other: each begins with a number the other lacks, and they count "
        "one thing differently. This alone decides."
    )
    assert why[1] == (
        f"But for that, the probability of one message is {weighed.model_probability:.0%}; "
        f"from {RULE.threshold:.0%} on it is one."
    )


def test_the_day_and_the_names_that_contradict_a_copy_are_reported_as_such() -> None:
    days = give_reasons(*pair(f"28 мая {FIRE.text}", f"29 мая {FIRE.text}"), RULE).why
    assert days[0].startswith("They contradict each other: they begin with different days.")
    names = give_reasons(*pair(FIRE.text, FIRE.text.replace(*FIRE.subject)), RULE).why
    assert names[0].startswith("They contradict each other: they say the same of other names.")


def weighed_aloud(left: str, right: str) -> list[str]:
    """Return what is said to speak for one message and against it."""
    why = give_reasons(*pair(left, right), RULE).why
    return [line for line in why if line.startswith(("For:", "Against:"))]


WHEAT = (
    "Аграрии Приозёрья закончили уборку озимой пшеницы\n"
    "Аграрии Приозёрья закончили уборку озимой пшеницы, сообщил губернатор Пётр Ласточкин. "
    "Урожай уберут в элеваторы до холодов."
)


def test_that_neither_counts_anything_is_said_once() -> None:
    reasoning = weighed_aloud(WHEAT, WHEAT.replace("до холодов", "до заморозков"))
    quantities = [line for line in reasoning if "number" in line]
    assert len(quantities) == 1
    assert quantities[0].startswith("For: neither counts anything (numbers 1.00: +")
    assert "number_count 0.00: -" in quantities[0]
    assert not any("counts anything" in line for line in weighed_aloud(FIRE.text, FIRE.other))


def test_texts_that_share_no_phrase_are_reported_to_share_none() -> None:
    reasoning = weighed_aloud(FIRE.text, WHEAT)
    assert any(
        line.startswith("Against: they share no phrase (freshness 0.50: ") for line in reasoning
    )
    assert not any("again and again" in line for line in reasoning)


def test_numbers_of_which_one_is_lacking_do_not_simply_agree() -> None:
    court = REPORTS[-1].text.replace("injured", "killed 2 drivers, hit 14 cars and injured")
    reasoning = weighed_aloud(court, court.replace("11 passengers", "passengers"))
    assert any(line.startswith("For: most of their numbers agree (") for line in reasoning)
    assert any(
        line.startswith("For: their numbers agree (")
        for line in weighed_aloud(court, f"{court} Yes.")
    )


def test_of_a_digest_the_message_is_weighed_aloud() -> None:
    digest = "\n\n".join(
        (
            "Главное за день",
            WHEAT.partition("\n")[2],
            *[report.text.partition("\n")[2].replace("\n", " ") for report in REPORTS[:2]],
        )
    )
    reasoning = weighed_aloud(digest, WHEAT)
    assert sum("neither counts anything" in line for line in reasoning) == 1


MEASURES = "a number the other lacks, and they count different things with one number"
TIMES = "a number or a time of day the other lacks, and they name other times of day"
BOTH = (
    "a number or a time of day the other lacks, and they count one thing differently and name "
    "other times of day"
)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("500 рублей", "500 гривен", MEASURES),
        ("10 процентов", "10 рублей", MEASURES),
        ("14:30", "18:45", TIMES),
        ("в 14:30 за 5 рублей", "в 18:45 за 7 рублей", BOTH),
    ],
)
def test_numbers_and_times_that_contradict_a_copy_are_reported_as_they_do(
    one: str, other: str, said: str
) -> None:
    text = (
        "Перевозчик Приозёрья объявил о рейсе {0}\n"
        "Перевозчик Приозёрья объявил о рейсе {0}, сообщил губернатор Пётр Ласточкин. "
        "Автобусы отправят от вокзала до пристани."
    )
    why = give_reasons(*pair(text.format(one), text.format(other)), RULE).why
    assert why[0] == f"They contradict each other: each begins with {said}. This alone decides."
    against = "Against: their numbers or times of day contradict each other ("
    assert any(line.startswith(against) for line in why)
