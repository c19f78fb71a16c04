"""No text, however it is made, stops rule `verified` or makes it say two things."""

from hypothesis import given
from hypothesis import strategies as st

from core.test_text_laws import texts
from laws.test_verified_rule import ANALYZER, BEGIN, RULE
from newsdedup import ItemKey, NewsItem
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.model import Entry
from newsdedup.core.moments import to_micros
from newsdedup.engine.analyzer import entry_of

anything = texts | st.text(max_size=80)


def entry(source: str, title: str, text: str) -> Entry:
    item = NewsItem(ItemKey(source, "1"), title, text, published_at=BEGIN)
    return entry_of(ANALYZER.analyze(item, b""), at=to_micros(BEGIN))


@given(anything, anything, anything, anything)
def test_any_two_texts_get_one_verdict_with_its_reasons(title, text, other_title, other_text):
    a, b = entry("a", title, text), entry("b", other_title, other_text)
    match = RULE.match(a, b)
    assert match == RULE.match(b, a)
    assert match is None or 0 <= match.score <= 1
    assert RULE.details(a, b).contributions
    assert give_reasons(a, b, RULE).why


@given(anything, anything)
def test_any_text_is_a_duplicate_of_itself(title, text):
    match = RULE.match(entry("a", title, text), entry("b", title, text))
    assert match is not None
    assert match.duplicate
