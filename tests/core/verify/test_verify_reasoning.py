import pytest

from core.verify.retold import REPORTS, RULE, Report, entry
from newsdedup.core.model import Entry
from newsdedup.core.reasoning import reasoning

FIRE = REPORTS[0]
OUTSIDE = "240 hours are more than the window of 72: this alone decides."


def pair(left: str, right: str, *, hours: float = 1) -> tuple[Entry, Entry]:
    return entry(left), entry(right, source="b", name="2", hours=hours)


@pytest.mark.parametrize("text", [FIRE.text, FIRE.text + FIRE.tail, FIRE.other])
def test_outside_the_window_it_is_named_first_however_alike_the_texts_are(text: str) -> None:
    why = reasoning(*pair(FIRE.text, text, hours=240), RULE).why
    assert why[0] == OUTSIDE
    assert len(why) > 1


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)
def test_a_contradiction_that_decides_is_named_with_the_probability_but_for_it(
    report: Report,
) -> None:
    """Another figure in the headline; the rest of the text is the same."""
    a, b = pair(report.text, report.text.replace(*report.figure))
    weighed = RULE.weighed(a, b)
    assert weighed.apart == "figures"
    assert weighed.score < RULE.threshold
    why = reasoning(a, b, RULE).why
    assert why[0] == (
        "They contradict each other: each begins with a figure the other lacks, and they count "
        "one thing differently. This alone decides."
    )
    assert why[1] == (
        f"But for that, the probability of one message is {weighed.modelled:.0%}; "
        f"from {RULE.threshold:.0%} on it is one."
    )


def test_the_day_and_the_names_that_contradict_a_copy_are_told_as_such() -> None:
    days = reasoning(*pair(f"28 мая {FIRE.text}", f"29 мая {FIRE.text}"), RULE).why
    assert days[0].startswith("They contradict each other: they begin with different days.")
    names = reasoning(*pair(FIRE.text, FIRE.text.replace(*FIRE.subject)), RULE).why
    assert names[0].startswith("They contradict each other: they say the same of other names.")
