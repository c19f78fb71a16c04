"""Equal texts: one message, but for those that say too little to be of one day."""

import pytest

from core.verify.retold import REPORTS, RULE, entry
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.matching.verified_rule import IDENTICAL
from newsdedup.core.matching.verify.copy_rates import NO_SHIFTS, PAIR_KINDS, Shifts
from newsdedup.core.matching.verify.sketches import read_phrases, update_sketch
from newsdedup.core.matching.verify.view import sort_phrases
from newsdedup.core.model import Entry, Match

ALERTS = (
    "Повітряна тривога в Кременівці",
    "Воздушная тревога в Заозерске, все в укрытие",
    "Trading halted at the Altmere exchange",
)
BULLETIN = (
    "Главное за день\n\nВ Заозерске открыли мост через Вельну\n\n"
    "Хоккеисты Норланда обыграли сборную Остерии\n\nУченые университета Лунина нашли рисунки"
)
SELDOM: Shifts = (-3.0,) * PAIR_KINDS
"""What a stream teaches in which pairs of every kind are seldom copies."""
OWN_SELDOM: Shifts = (*(-3.0,) * (PAIR_KINDS // 2), *(0.0,) * (PAIR_KINDS // 2))
OTHERS_SELDOM: Shifts = OWN_SELDOM[::-1]
OFTEN: Shifts = (1.0,) * PAIR_KINDS

REPEATED = "Their sources say so short a text again and again; hours later it is news."

alerts = pytest.mark.parametrize("alert", ALERTS)


def said_again(
    text: str, shift: Shifts, *, source: str = "b", hours: float = 20
) -> tuple[Entry, Entry]:
    """Return an item and the same text again, frozen when the stream had shown this."""
    first, again = entry(text), entry(text, source=source, name="2", hours=hours)
    return frozen(first, shift), frozen(again, shift)


def frozen(one: Entry, shift: Shifts) -> Entry:
    return one._replace(
        sketches=(*one.sketches[:-1], update_sketch(one.sketches[-1], None, shifts=shift, bucket=1))
    )


def repeated(one: Entry) -> Entry:
    """Return an entry whose source had said every phrase of it again and again."""
    kept = one.sketches[-1]
    sample = read_phrases(kept)
    stale = sort_phrases(sample, [9] * len(sample.hashes))
    sketch = update_sketch(kept, stale, shifts=NO_SHIFTS, bucket=1)
    return one._replace(sketches=(*one.sketches[:-1], sketch))


def judged(text: str, shift: Shifts) -> Match | None:
    return RULE.match(*said_again(text, shift))


@alerts
@pytest.mark.parametrize("shift", [NO_SHIFTS, OFTEN])
def test_equal_texts_are_a_copy_unless_the_stream_has_shown_otherwise(
    alert: str, shift: Shifts
) -> None:
    assert judged(alert, shift) == IDENTICAL


@pytest.mark.parametrize("text", [*ALERTS, "Отбой!", "☀️☀️", "2031 17 20"])
def test_what_is_hardly_learned_makes_no_equal_text_another(text: str) -> None:
    """Not even of one whose words say nothing to the model: the sign of the habit decided there."""
    assert judged(text, (-0.3,) * PAIR_KINDS) == IDENTICAL


@alerts
@pytest.mark.parametrize("source", ["a", "b"])
@pytest.mark.parametrize("mixed", [OWN_SELDOM, OTHERS_SELDOM], ids=["own", "others"])
def test_a_short_text_is_said_anew_by_one_source_only_where_it_is_by_two(
    alert: str, source: str, mixed: Shifts
) -> None:
    """Or a second alert would be a story of its own, and its copy one of the first alert's."""
    assert RULE.match(*said_again(alert, mixed, source=source)) == IDENTICAL


@pytest.mark.parametrize("text", [*ALERTS, "☀️☀️"])
def test_an_entry_matches_itself_whatever_was_learned(text: str) -> None:
    one = frozen(entry(text), SELDOM)
    assert RULE.match(one, one) == IDENTICAL


def test_a_digest_and_its_words_in_one_paragraph_are_one_in_either_order() -> None:
    digest, flat = said_again(BULLETIN, SELDOM), said_again(BULLETIN.replace("\n\n", " "), SELDOM)
    for first, again in ((digest[0], flat[1]), (flat[0], digest[1])):
        assert first.version == again.version
        assert bool(first.passages) != bool(again.passages)
        one, other = repeated(first), repeated(again)
        assert RULE.match(one, other) == RULE.match(other, one) == IDENTICAL


@alerts
def test_a_short_text_is_said_anew_where_such_pairs_seldom_are_copies(alert: str) -> None:
    match = judged(alert, SELDOM)
    assert match is not None
    assert (match.duplicate, match.relation) == (False, "update")
    first, again = said_again(alert, SELDOM)
    assert RULE.match(again, first) == match


def test_a_text_that_is_likely_a_copy_all_the_same_is_a_reprint() -> None:
    assert judged(ALERTS[1], (-1.1,) * PAIR_KINDS) == IDENTICAL


@alerts
def test_an_alert_that_its_sources_repeat_is_another_one_hours_later(alert: str) -> None:
    def again(hours: float) -> tuple[Entry, Entry]:
        first, second = said_again(alert, NO_SHIFTS, hours=hours)
        return repeated(first), repeated(second)

    assert RULE.match(*again(2)) == IDENTICAL
    match = RULE.match(*again(20))
    assert match is not None
    assert (match.duplicate, match.relation) == (False, "update")
    assert give_reasons(*again(20), RULE).why == (
        "They say the same, word for word.",
        f"{REPEATED} This alone decides.",
    )


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)
def test_a_text_that_says_enough_is_a_copy_whatever_was_learned(report) -> None:
    assert judged(report.text, SELDOM) == IDENTICAL


def test_a_day_that_a_report_names_makes_an_equal_text_no_other() -> None:
    text = f"Сегодня утром {REPORTS[0].text}"
    first, again = said_again(text, SELDOM, hours=48)
    assert RULE.verify(first, again).contradiction == "days"
    assert RULE.match(first, again) == IDENTICAL


@alerts
def test_why_a_text_is_said_anew_is_reported(alert: str) -> None:
    assert give_reasons(*said_again(alert, OFTEN), RULE).why == (
        "They say the same, word for word.",
    )
    same, again = give_reasons(*said_again(alert, SELDOM), RULE).why
    assert same == "They say the same, word for word."
    assert again.startswith("So short a text can be said again of something new")
