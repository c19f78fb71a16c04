"""What a withdrawn or a rewritten item leaves with others: nothing, over every store."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.round_ups import REPORTS, analyzed, digest
from laws.round_ups import RULE as VERIFIED
from laws.streams import RULE, entries, entry, one_version_per_update, run, sqlite_store, state
from laws.test_lateness import HOUR, LATENESS, SHARED, arrival, engine, engine_of
from laws.test_lateness import RULE as HOURLY
from newsdedup import ItemKey, UnknownItem
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.state import SqliteState
from newsdedup.core.events import Judgement
from newsdedup.core.stories.commands import Command, Publish, Retract, Split
from newsdedup.core.stories.judge import decide
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.deduplicate import LATENESS as DAY
from newsdedup.engine.deduplicate import Deduplicate

FIRE = (
    "В Заречной области на складе бытовой техники произошел пожар, пострадали {} человек,"
    " сообщил журналистам начальник областного управления спасателей Вениамин Трубецкой."
    " Огонь тушили шесть расчетов, причины происшествия выясняются."
)


@st.composite
def commands(draw: st.DrawFn) -> list[Command]:
    """Return arrivals, edits among them, with retractions and splits at any index."""
    few = entries(names="abcd", updates=1)
    stream = one_version_per_update(draw(st.lists(few, min_size=2, max_size=12)))
    drawn: list[Command] = [Publish(item) for item in stream]
    words = st.tuples(st.integers(1, len(stream)), st.integers(0, 3))
    for index, at in draw(st.lists(words, max_size=4)):
        key = draw(st.sampled_from([item.key for item in stream[:index]]))
        drawn.insert(index, Split(key, at) if at == 0 else Retract(key))
    return drawn


@given(commands())
def test_nobody_follows_or_resembles_what_was_withdrawn(reported):
    store = MemoryStore(RULE)
    for command in reported:
        with suppress(UnknownItem):
            run(decide(command, RULE, store), store)
        if isinstance(command, Retract):
            kept = state(store).values()
            named = {key for one in kept for key in (one.leader, one.similar, one.original)}
            assert command.key not in named


@given(commands(), st.integers(1, 3))
def test_nobody_resembles_what_was_withdrawn_where_a_cascade_is_cut_short(reported, bound):
    store = MemoryStore(RULE)
    for command in reported:
        with suppress(UnknownItem):
            run(decide(command, RULE, store, bound=bound), store)
        if isinstance(command, Retract):
            assert command.key not in {record.similar for record in state(store).values()}


@given(commands())
def test_every_score_is_that_of_the_versions_that_stand(reported):
    store = MemoryStore(RULE)
    for command in reported:
        with suppress(UnknownItem):
            run(decide(command, RULE, store), store)
    kept = state(store)
    for record in kept.values():
        if record.match is not None:
            other = kept[record.matched]
            assert record.match.score == RULE.match(record.entry, other.entry).score


@given(commands())
def test_what_was_announced_last_of_links_is_what_is_kept(reported):
    store, last = MemoryStore(RULE), {}
    for command in reported:
        with suppress(UnknownItem):
            for said in run(decide(command, RULE, store), store).announcements:
                if not said.superseded:
                    last[said.key] = (said.record.leader, said.record.similar, said.record.match)
    kept = {key: (one.leader, one.similar, one.match) for key, one in state(store).items()}
    assert {key: last[key] for key in kept} == kept


def as_arrived(command: Command) -> Analyzed | Command:
    """Return a command with its times in hours, an arrival as one that was just analyzed."""
    if not isinstance(command, Publish):
        return command
    return arrival(command.entry._replace(effective_at=command.entry.effective_at * HOUR))


def reports_of(deduplicate, one: Analyzed | Command) -> list[object]:
    """Return what an engine publishes, None for a command about an item it does not know."""
    try:
        events = deduplicate.publish(one) if isinstance(one, Analyzed) else deduplicate.command(one)
    except UnknownItem:
        return [None]
    return [(event.payload, event.received) for event in events]


@pytest.fixture(params=["sqlite", *SHARED])
def opened(request) -> Callable[[], Deduplicate]:
    return engine_of(request)


@given(reported=commands())
def test_every_store_tells_the_same_of_retractions_and_edits_as_memory(opened, reported):
    memory, other = engine("memory"), opened()
    for one in map(as_arrived, [*reported, *reported[-5:]]):
        assert reports_of(other, one) == reports_of(memory, one)


def test_a_state_that_was_opened_again_tells_the_same_of_a_retraction(tmp_path: Path):
    reported = [
        Publish(entry("x", {1, 2, 3, 4, 5}, at=0)),
        Publish(entry("y", {1, 2, 6, 101, 102}, at=1)),
        Retract(ItemKey("s", "x")),
        Publish(entry("y", {1, 2, 6, 101, 102}, at=1)),
    ]
    memory, path = engine("memory"), tmp_path / "state"
    for one in map(as_arrived, reported):
        kept = SqliteState(path, HOURLY, made_by="a test")
        other = Deduplicate(rule=HOURLY, store=kept, ledger=kept.ledger, lateness=LATENESS * HOUR)
        assert reports_of(other, one) == reports_of(memory, one)
        kept.commit(kept.progress)
        kept.close()


@pytest.fixture(params=["memory", "sqlite", *SHARED])
def verified(request) -> Deduplicate:
    """Have an engine with the rule that reads texts."""
    if request.param in SHARED:
        return request.getfixturevalue(request.param).engine(VERIFIED, lateness=DAY)
    store = MemoryStore(VERIFIED) if request.param == "memory" else sqlite_store(VERIFIED)
    ledger = MemoryLedger() if isinstance(store, MemoryStore) else store.ledger
    return Deduplicate(rule=VERIFIED, store=store, ledger=ledger)


def judgements(events) -> dict[str, Judgement]:
    """Return the judgement of each item."""
    said = [event.payload for event in events if isinstance(event.payload, Judgement)]
    return {one.item.id: one for one in said}


def test_an_update_of_a_withdrawn_report_is_corrected_and_tells_nothing_of_it(verified):
    verified.publish(analyzed("x1", FIRE.format(5), minutes=0))
    update = analyzed("x2", FIRE.format(7).replace("Вениамин Трубецкой", "Олег Лаврин"), minutes=9)
    first = judgements(verified.publish(update))["x2"]
    assert (first.relation, first.matched.id) == ("update", "x1")
    assert "трубецкой" in first.matched.evidence.names.there
    reported = judgements(verified.command(Retract(ItemKey("s", "x1"))))
    assert (reported["x2"].verdict, reported["x2"].relation, reported["x2"].matched) == (
        "original",
        "none",
        None,
    )
    assert reported["x2"].story == first.story
    assert reported["x2"].revision.n == first.revision.n + 1
    (again,) = verified.publish(update)
    assert (again.repeated, again.payload) == (True, reported["x2"])


def test_the_parts_of_a_withdrawn_digest_are_parts_no_more(verified):
    verified.publish(analyzed("d", digest("en"), minutes=0))
    for nth, text in enumerate(REPORTS["en"]):
        verified.publish(analyzed(f"r{nth}", text, minutes=30 + nth, source="agency"))
    reported = judgements(verified.command(Retract(ItemKey("s", "d"))))
    assert {name: (one.relation, one.matched) for name, one in reported.items()} == {
        f"r{nth}": ("none", None) for nth in range(3)
    }


def test_an_update_of_a_withdrawn_report_is_linked_to_the_next_that_it_resembles(verified):
    verified.publish(analyzed("x0", FIRE.format(3), minutes=0, source="t"))
    verified.publish(analyzed("x1", FIRE.format(5), minutes=3))
    verified.publish(analyzed("x2", FIRE.format(7), minutes=9, source="u"))
    reported = judgements(verified.command(Retract(ItemKey("s", "x1"))))
    assert {name: one.matched and one.matched.id for name, one in reported.items()} == {"x2": "x0"}
