"""The short way of a plain arrival reaches what the general way does."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from laws.streams import RULE, entries, entry, one_version_per_update, run, state
from newsdedup import ItemKey, UnknownItem
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.stories.commands import Command, Merge, Pin, Publish, Retract, Split
from newsdedup.core.stories.judge import decide, decide_in_general, decide_plain_arrival
from newsdedup.engine.deduplicate import NearLeaders

streams = st.lists(entries(), max_size=14).map(one_version_per_update)
keys = st.builds(ItemKey, st.sampled_from("st"), st.sampled_from("abcdefghij"))
spoken = st.one_of(
    st.builds(Retract, keys),
    st.builds(Split, keys, st.integers(0, 9)),
    st.builds(Merge, keys, keys, st.integers(0, 9)),
    st.builds(Pin, keys, st.integers(0, 9)),
)


@given(streams, st.lists(st.tuples(st.integers(0, 14), spoken), max_size=4))
def test_the_short_way_decides_what_the_general_way_decides(stream, words):
    commands: list[Command] = [Publish(item) for item in stream]
    for index, word in words:
        commands.insert(min(index, len(commands)), word)
    short, general = MemoryStore(RULE), MemoryStore(RULE)
    for command in commands:
        try:
            decision = run(decide_in_general(command, RULE, general), general)
        except UnknownItem:
            continue
        assert run(decide(command, RULE, short), short) == decision
    assert state(short) == state(general)


@given(streams, st.lists(st.tuples(st.integers(0, 14), spoken), max_size=3))
def test_the_leaders_that_were_asked_for_are_those_after_the_decision(stream, words):
    commands: list[Command] = [Publish(item) for item in stream]
    for index, word in words:
        commands.insert(min(index, len(commands)), word)
    store = MemoryStore(RULE)
    for command in commands:
        if not isinstance(command, Publish):
            with suppress(UnknownItem):
                run(decide(command, RULE, store), store)
            continue
        asked = NearLeaders(store, command.entry, RULE)
        decision = decide(command, RULE, asked)
        store.store(decision, bucket=0)
        others = {
            one.key: one for one in asked.leaders_after(decision) if one.key != command.entry.key
        }
        now = store.leaders(command.entry)
        assert others == {one.key: one for one in now if one.key != command.entry.key}


def test_an_item_after_all_others_goes_the_short_way():
    store = MemoryStore(RULE)
    for name, at in (("first", 0), ("copy", 1), ("other", 2)):
        item = entry(name, {1, 2, 3, 4} if name != "other" else {5, 6, 7, 8}, at=at)
        decision = decide_plain_arrival(Publish(item), RULE, store)
        assert decision is not None
        store.store(decision, bucket=0)
    late = Publish(entry("late", {1, 2, 3, 4}, at=-1))
    assert decide_plain_arrival(late, RULE, store) is None
