"""Entries that an earlier version stored with days that the calendar lacks are compared without."""

from datetime import date

import pytest

from laws.pair_checks import check_filter
from laws.test_verified_rule import ANALYZER, RULE, entry
from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.facts.comparison import drop_impossible_days
from newsdedup.core.facts.days import encode_day
from newsdedup.core.facts.fact import VALUE_SHIFT, FactKind, lowest_code
from newsdedup.core.matching.explanation import give_reasons
from newsdedup.core.matching.verify.sketches import VerifierSketch, pack_sketch, read_sketch
from newsdedup.core.model import Entry
from newsdedup.core.stories.records import Record
from newsdedup.engine.deduplicate import Deduplicate

FIRST_DAY = lowest_code(FactKind.DAY)
NAMED = "Ярмарка мёда в Заозерске открыта с 31 по 3 марта, сообщила мэрия. Вход свободный."
TODAY = "Ярмарка мёда в Заозерске открыта 4 марта, сообщила мэрия. Вход свободный для всех."


def code(year: int, month: int, day: int) -> int:
    """Return the code of a day, of the calendar or not."""
    return FIRST_DAY | (encode_day(date(year, month, 1)) - 1 + day) << VALUE_SHIFT


IMPOSSIBLE = (code(2025, 2, 29), code(2025, 11, 31), code(2026, 2, 30), code(2026, 4, 0))


def stored_earlier(made: Entry, *codes: int) -> Entry:
    """Return an entry as the earlier version packed it, which begins with these days, too."""
    view = read_sketch(made).view
    kept = [tuple(sorted({*own, *codes})) for own in (view.facts, view.opening)]
    sketch = VerifierSketch(view._replace(facts=kept[0], opening=kept[1]))
    return made._replace(sketches=(pack_sketch(sketch),))


def test_codes_of_days_that_no_calendar_has_are_dropped_and_no_others() -> None:
    real = (5, code(2024, 2, 29), code(2025, 11, 30))
    assert drop_impossible_days(tuple(sorted((*real, *IMPOSSIBLE)))) == real
    assert drop_impossible_days(real) == real
    assert drop_impossible_days(()) == ()


@pytest.mark.parametrize("impossible", IMPOSSIBLE)
@pytest.mark.parametrize("source", ["s", "t"])
def test_an_old_entry_with_an_impossible_day_is_compared_as_without_it(
    impossible: int, source: str
) -> None:
    plain = entry("1", "Ярмарка мёда в Заозерске, сообщила мэрия. Вход свободный.")
    old = stored_earlier(plain, impossible)
    for text in (NAMED, TODAY, "Ярмарка мёда в пятницу", "Ярмарка мёда вчера"):
        other = entry("2", text, hours=20, source=source)
        assert old.sketches != plain.sketches
        assert RULE.match(old, other) == RULE.match(plain, other) == RULE.match(other, old)
        assert RULE.details(old, other) == RULE.details(plain, other)
        check_filter(RULE, old, other)
        assert give_reasons(old, other, RULE) == give_reasons(plain, other, RULE)


def test_a_stored_item_with_an_impossible_day_stops_no_later_item() -> None:
    store = MemoryStore(RULE)
    old = stored_earlier(entry("1", NAMED), code(2026, 2, 31))
    store.put(Record(old, leader=old.key, story="a", original=old.key, revision=1), bucket=10**6)
    engine = Deduplicate(rule=RULE, store=store, ledger=MemoryLedger())
    for number, text in enumerate((TODAY, NAMED), 2):
        item = NewsItem(ItemKey("t", str(number)), "", text)
        (event,) = engine.publish(ANALYZER.analyze(item, b"{}"))[:1]
        assert event.payload.event == "item.judged"
