"""A copy counts what the other text does, wherever it stands."""

from core.verify.retold import REPORTS, RULE, entry, judged
from newsdedup.core.matching.explanation import give_reasons

COURT = next(report for report in REPORTS if report.name == "en court")
OTHERWISE = COURT.text.replace("three warnings", "five warnings")


def test_what_counts_otherwise_is_reported():
    one, other = entry(COURT.text), entry(OTHERWISE, source="b", name="2", hours=1)
    why = give_reasons(one, other, RULE).why
    said = "They contradict each other: they say the same, but count one thing differently. "
    assert why[0] == f"{said}This alone decides."


def test_a_time_of_day_further_on_is_left_to_the_model():
    match = judged(f"{COURT.text}\nUpdated 14:35.", f"{COURT.text}\nUpdated 16:20.")
    assert match is not None
    assert match.duplicate


def test_a_quantity_that_only_one_text_has_contradicts_nothing():
    match = judged(COURT.text, f"{COURT.text} The trial lasted 19 days.")
    assert match is not None
    assert match.duplicate


def test_a_rounded_quantity_contradicts_nothing():
    match = judged(
        f"{COURT.text}\nThe bridge had cost 2,341,000 crowns.",
        f"{COURT.text}\nThe bridge had cost 2.3 million crowns.",
    )
    assert match is not None
    assert match.duplicate
