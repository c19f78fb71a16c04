"""Texts that begin with other ranks in one order, a 17th and an 18th round, are no copies."""

import pytest

from core.verify.retold import RULE, entry, judged
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.model import Match

PACKAGE = (
    "Союз согласовал {} пакет пошлин против Верхнекамска\nПослы стран союза согласовали {} пакет "
    "пошлин против Верхнекамска, его утвердят на встрече министров, сообщил Олег Рябинин."
)
ROUND = (
    "«Заозерец» проведет матч {} тура дома\nИгра {} тура чемпионата области между «Заозерцем» и "
    "«Самаркой» пройдет на стадионе «Труд», сообщила пресс-служба клуба."
)


def of_ranks(text: str, one: str, other: str) -> Match:
    match = judged(text.format(one, one), text.format(other, other))
    assert match is not None
    return match


@pytest.mark.parametrize(
    ("text", "one", "other"), [(PACKAGE, "17-й", "18-й"), (ROUND, "11-го", "12-го")]
)
def test_a_text_about_another_rank_in_the_order_is_an_update(
    text: str, one: str, other: str
) -> None:
    assert of_ranks(text, one, one).duplicate
    match = of_ranks(text, one, other)
    assert (match.duplicate, match.relation) == (False, "update")


def test_a_text_that_names_both_ranks_does_not_contradict_either() -> None:
    both = PACKAGE.format("17-й", "17-й") + "\nСейчас действует 16-й пакет."
    former = PACKAGE.format("16-й", "17-й")
    match = judged(both, former)
    assert match is not None
    assert match.duplicate


def test_ranks_in_different_orders_do_not_contradict_each_other() -> None:
    one = ROUND.format("11-го", "11-го")
    other = one.replace("11-го тура", "5-го сезона")
    assert "places" not in str(
        RULE.verify(entry(one), entry(other, source="b", name="2")).contradiction
    )


def test_the_reason_says_that_the_ranks_differ() -> None:
    a, b = (
        entry(PACKAGE.format("17-й", "17-й")),
        entry(PACKAGE.format("18-й", "18-й"), source="b", name="2"),
    )
    assert "they begin with other ranks in one order" in give_reasons(a, b, RULE).why[0]
