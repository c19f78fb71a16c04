"""What the facts of a sentence are, for tests."""

from datetime import date

from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, Fact, FactKind, encode_facts
from newsdedup.core.text.tokens import tokens

WEDNESDAY = date(2024, 10, 30)


def facts(text: str, published: date | None = WEDNESDAY) -> tuple[Fact, ...]:
    return extract_facts(text, tokens(text), published=published)


def codes(text: str, published: date | None = WEDNESDAY) -> tuple[int, ...]:
    return encode_facts(facts(text, published))


def counted(text: str) -> list[tuple[FactKind, float, str]]:
    return [(fact.kind, fact.value / MILLION, fact.unit) for fact in facts(text)]


def quantities(text: str) -> list[tuple[float, str]]:
    return [(fact.value / MILLION, fact.unit) for fact in facts(text)]


def hours(text: str) -> list[str]:
    times = [fact.value for fact in facts(text) if fact.kind is FactKind.CLOCK]
    return [f"{minutes // 60:02}:{minutes % 60:02}" for minutes in times]


def conflicts(left: str, right: str) -> int:
    return compare_facts(codes(left), codes(right)).conflicts
