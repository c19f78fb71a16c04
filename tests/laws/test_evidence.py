"""What stands in the events of items that were edited: score and evidence are of one comparison."""

from collections.abc import Iterable

import pytest
from hypothesis import given

from laws.round_ups import RULE, analyzed
from laws.streams import sqlite_store
from laws.test_lateness import SHARED, engine
from laws.test_retractions import as_arrived, commands
from newsdedup import UnknownItem
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.events import Event, Judgement
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.deduplicate import LATENESS, Deduplicate

REPORT = (
    "В Заречной области на складе бытовой техники произошел пожар, пострадали 5 человек,"
    " сообщил журналистам начальник областного управления спасателей Вениамин Трубецкой."
)
MORE = " Огонь тушили 6 расчетов и вертолет, добавил дежурный инспектор Олег Лаврин."


@pytest.fixture(params=["memory", "sqlite", *SHARED])
def verified(request) -> Deduplicate:
    """Have an engine with the rule that reads texts."""
    if request.param in SHARED:
        return request.getfixturevalue(request.param).engine(RULE, lateness=LATENESS)
    store = MemoryStore(RULE) if request.param == "memory" else sqlite_store(RULE)
    ledger = MemoryLedger() if isinstance(store, MemoryStore) else store.ledger
    return Deduplicate(rule=RULE, store=store, ledger=ledger)


def judgements(events: Iterable[Event]) -> list[Judgement]:
    """Return the judgements among events."""
    return [event.payload for event in events if isinstance(event.payload, Judgement)]


@given(commands())
def test_every_score_is_that_of_its_evidence(reported):
    deduplicate = engine("memory")
    for one in map(as_arrived, reported):
        try:
            events = (
                deduplicate.publish(one) if isinstance(one, Analyzed) else deduplicate.command(one)
            )
        except UnknownItem:
            continue
        for said in judgements(events):
            if said.matched is not None:
                seen = said.matched.evidence
                longer = max(seen.terms_here, seen.terms_there)
                assert said.matched.score == round(len(seen.shared) / longer, 4)


def test_the_evidence_of_an_edited_copy_is_of_the_version_that_matched(verified):
    first = analyzed("e1", REPORT, minutes=30)
    edited = analyzed("e1", REPORT + MORE, minutes=40)
    verified.publish(first)
    verified.publish(edited)
    reported = judgements(verified.publish(analyzed("k1", REPORT, minutes=0, source="t")))
    said = next(one for one in reported if one.item.id == "e1")
    assert (said.event, said.relation, said.matched.score) == ("verdict.corrected", "reprint", 1.0)
    assert said.version == edited.document.version
    assert said.terms == edited.terms
    evidence = said.matched.evidence
    assert {one.term for one in evidence.shared} == {one.term for one in first.terms}
    assert (evidence.names.here, evidence.numbers.here) == ((), ())
    assert {one.feature: one.value for one in evidence.reasons}["cover"] == 1.0


def test_the_evidence_of_an_edit_is_of_the_version_that_stands_for_it(verified):
    verified.publish(analyzed("k1", REPORT, minutes=0, source="t"))
    verified.publish(analyzed("e1", REPORT, minutes=30))
    (said,) = judgements(verified.publish(analyzed("e1", REPORT + MORE, minutes=40)))
    assert (said.relation, said.matched.score) == ("reprint", 1.0)
    assert said.matched.evidence.names.here == ()
