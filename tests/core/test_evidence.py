"""What the evidence says both texts name, whichever of them begins a sentence with it."""

import pytest

from core.verify.retold import ANALYZER, BEGIN, RULE
from newsdedup import ItemKey, NewsItem
from newsdedup.core.events import WeightedTerm
from newsdedup.core.matching.explanation import build_evidence
from newsdedup.core.model import Entry
from newsdedup.core.moments import to_micros
from newsdedup.engine.analyzer import entry_of

LEFT = (
    "Мэр Приозёрья Ида Хольм ушла в отставку\n"
    "Глава города Ида Хольм ушла в отставку после проверки ремонта набережной."
)
LEAVING = (
    "Хольм подала заявление об отставке\n"
    "Ида Хольм подала заявление об отставке. Проверка ремонта набережной закончилась."
)


def analyzed(text: str, name: str) -> tuple[Entry, tuple[WeightedTerm, ...]]:
    title, _, body = text.partition("\n")
    found = ANALYZER.analyze(NewsItem(ItemKey("a", name), title, body, published_at=BEGIN))
    return entry_of(found, at=to_micros(BEGIN)), found.terms


@pytest.mark.parametrize("turned", [False, True])
def test_a_name_that_begins_the_sentences_of_one_text_is_in_both(turned: bool) -> None:
    (own, terms), (other, _) = left, leaving = analyzed(LEFT, "1"), analyzed(LEAVING, "2")
    assert (own.names, other.names) == (("ида", "хольм", "приозерье"), ("хольм",))
    if turned:
        (own, terms), (other, _) = leaving, left
    names = build_evidence(own, terms, other, RULE.details(own, other)).names
    assert set(names.both) == {"ида", "хольм"}
    assert (names.there if turned else names.here) == ("приозерье",)
    assert (names.here if turned else names.there) == ()
