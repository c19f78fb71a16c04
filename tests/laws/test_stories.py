import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.streams import (
    RULE,
    by_definition,
    entries,
    entry,
    one_version_per_update,
    partition,
    played,
    published,
    run,
    state,
)
from newsdedup import ItemKey, UnknownItem
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.stories.commands import Merge, Pin, Publish, Retract, Split
from newsdedup.core.stories.judge import decide

streams = st.lists(entries(), max_size=14).map(one_version_per_update)


@given(streams)
def test_the_stories_are_those_of_the_definition(stream):
    store = played(published(stream))
    standing = [record.entry for record in state(store).values()]
    assert {key: record.leader for key, record in state(store).items()} == by_definition(standing)


@given(streams, st.randoms(use_true_random=False))
def test_partition_and_originals_do_not_depend_on_the_order_of_arrival(stream, random):
    shuffled = stream + random.sample(stream, len(stream) // 2)
    random.shuffle(shuffled)
    assert partition(played(published(stream))) == partition(played(published(shuffled)))


@given(streams)
def test_a_version_delivered_again_changes_nothing(stream):
    store = played(published(stream))
    for item in stream:
        assert run(decide(Publish(item), RULE, store), store).changed == ()


@given(streams)
def test_every_version_is_judged_once_and_revisions_only_grow(stream):
    store, judged, revisions = MemoryStore(RULE), [], {}
    for item in stream:
        for said in run(decide(Publish(item), RULE, store), store).announcements:
            assert said.revision == revisions.get(said.key, -1) + 1
            revisions[said.key] = said.revision
            if said.kind == "item.judged":
                judged.append((said.key, said.version))
    assert sorted(judged) == sorted({(item.key, item.version) for item in stream})


@given(streams)
def test_what_was_announced_last_is_what_is_kept(stream):
    store, reported = MemoryStore(RULE), {}
    for item in stream:
        for said in run(decide(Publish(item), RULE, store), store).announcements:
            if not said.superseded:
                reported[said.key] = (said.record.leader, said.record.original, said.record.story)
    kept = {k: (r.leader, r.original, r.story) for k, r in state(store).items()}
    assert reported == kept


@given(streams, st.data())
def test_a_retracted_item_leaves_the_stories_of_the_others_as_if_it_never_came(stream, data):
    if not stream:
        return
    gone = data.draw(st.sampled_from(stream)).key
    rest = [item for item in stream if item.key != gone]
    store = played([*published(stream), Retract(gone)])
    assert partition(store) == partition(played(published(rest)))
    assert gone not in state(store)


@given(streams)
def test_story_names_are_never_shared_by_two_stories(stream):
    records = state(played(published(stream))).values()
    leaders = [record for record in records if record.leads]
    assert len({record.story for record in leaders}) == len(leaders)


@given(streams, st.integers(1, 3))
def test_a_cascade_cut_short_leaves_every_item_with_a_leader_that_leads(stream, bound):
    store = MemoryStore(RULE)
    for item in stream:
        run(decide(Publish(item), RULE, store, bound=bound), store)
    records = state(store)
    assert all(records[record.leader].leads for record in records.values())


def test_a_chain_does_not_make_one_story():
    first = entry("a", {1, 2, 3, 4, 5}, at=0)
    second = entry("b", {2, 3, 4, 5, 6}, at=1)
    third = entry("c", {3, 4, 5, 6, 7}, at=2)
    kept = partition(played(published([first, second, third])))
    assert kept[second.key] == first.key
    assert kept[third.key] == third.key


def test_a_late_original_takes_over_and_the_change_is_announced():
    copy = entry("copy", {1, 2, 3, 4}, at=5)
    late = entry("late", {1, 2, 3, 4}, at=1)
    store = played(published([copy]))
    name = state(store)[copy.key].story
    decision = run(decide(Publish(late), RULE, store), store)
    assert [(said.kind, said.key) for said in decision.announcements] == [
        ("item.judged", late.key),
        ("verdict.corrected", copy.key),
    ]
    (changed,) = decision.originals
    assert (changed.story, changed.previous, changed.original) == (name, copy.key, late.key)


def test_a_late_leader_wins_members_that_match_it_better():
    leader = entry("leader", {1, 2, 3, 4, 8, 9}, at=2)
    member = entry("member", {1, 2, 3, 4, 5, 6}, at=3)
    late = entry("late", {1, 2, 3, 4, 5, 6}, at=1)
    kept = partition(played(published([leader, member, late])))
    assert kept[member.key] == late.key


def test_a_corrected_copy_stays_in_its_story():
    leader = entry("leader", {1, 2, 3, 4, 5}, at=0)
    copy = entry("copy", {2, 3, 4, 5, 6}, at=1)
    corrected = entry("copy", {3, 4, 5, 6, 7}, at=1, updated=9)
    assert RULE.match(leader, corrected).duplicate is False
    for order in ([leader, copy, corrected], [corrected, leader, copy]):
        store = played(published(order))
        assert partition(store)[copy.key] == leader.key
        assert state(store)[copy.key].newest == corrected.version


def test_a_rewritten_item_leaves_its_story():
    leader = entry("leader", {1, 2, 3, 4}, at=0)
    copy = entry("copy", {1, 2, 3, 4}, at=1)
    other = entry("copy", {5, 6, 7, 8}, at=1, updated=9)
    assert partition(played(published([leader, copy, other])))[copy.key] == copy.key


def test_an_older_version_that_arrives_late_never_regresses_the_item():
    new = entry("a", {5, 6, 7, 8}, at=1, updated=9)
    old = entry("a", {1, 2, 3, 4}, at=1)
    store = played(published([new]))
    judged, corrected = run(decide(Publish(old), RULE, store), store).announcements
    assert judged.superseded
    assert (judged.kind, judged.version) == ("item.judged", old.version)
    assert (corrected.kind, corrected.version) == ("verdict.corrected", new.version)
    assert state(store)[new.key].newest == new.version


def test_items_further_apart_than_the_window_never_share_a_story():
    first = entry("a", {1, 2, 3, 4}, at=0)
    late = entry("b", {1, 2, 3, 4}, at=RULE.window + 1)
    kept = partition(played(published([first, late])))
    assert kept[late.key] == late.key


A, B, C = (ItemKey("s", name) for name in "abc")


def three(*commands):
    return [
        Publish(entry("a", {1, 2, 3, 4}, at=0)),
        Publish(entry("b", {5, 6, 7, 8}, at=1)),
        Publish(entry("c", {5, 6, 7, 8}, at=2)),
        *commands,
    ]


def test_an_editor_merges_two_stories():
    kept = state(played(three(Merge(C, A, at=10))))
    assert {record.original for record in kept.values()} == {A}
    assert len({record.story for record in kept.values()}) == 1


def test_a_merge_survives_a_late_leader():
    late = entry("d", {5, 6, 7, 8}, at=0, source="r")
    kept = partition(played(three(Merge(C, A, at=10), Publish(late))))
    assert set(kept.values()) == {late.key}


def test_an_editor_lets_an_item_stand_alone_and_its_copies_may_follow_it():
    kept = partition(played(three(Split(C, at=10))))
    assert kept[C] == C
    assert kept[B] == B


def test_a_split_undoes_an_earlier_merge_and_a_later_merge_joins_again():
    parted = partition(played(three(Merge(C, A, at=10), Split(C, at=11))))
    assert (parted[A], parted[B], parted[C]) == (A, B, C)
    joined = partition(played(three(Merge(C, A, at=10), Split(C, at=11), Merge(C, A, at=12))))
    assert joined[C] == A


def test_an_editor_names_the_original():
    kept = state(played(three(Pin(C, at=10))))
    assert kept[C].verdict == "original"
    assert kept[B].verdict == "duplicate"
    assert kept[B].original == C


def test_the_latest_word_of_editors_stands_in_any_order():
    words = [Pin(C, at=10), Pin(B, at=11)]
    assert partition(played(three(*words))) == partition(played(three(*reversed(words))))


def test_retracting_a_merged_item_parts_the_stories_again():
    kept = partition(played(three(Merge(C, A, at=10), Retract(C))))
    assert kept == {A: A, B: B}


@pytest.mark.parametrize(
    "command", [Split(ItemKey("s", "x"), at=1), Merge(A, ItemKey("s", "x"), at=1)], ids=repr
)
def test_an_editor_who_names_an_unknown_item_is_refused(command):
    store = played(three())
    with pytest.raises(UnknownItem, match="'x'"):
        run(decide(command, RULE, store), store)


@given(
    streams,
    st.lists(st.tuples(st.sampled_from("msp"), st.integers(0, 9), st.integers(0, 9)), max_size=5),
    st.randoms(use_true_random=False),
)
def test_edits_hold_in_any_order_of_arrival(stream, said, random):
    if not stream:
        return
    keys = sorted({item.key for item in stream})
    edits = []
    for at, (kind, left, right) in enumerate(said, start=100):
        key, other = keys[left % len(keys)], keys[right % len(keys)]
        if kind == "m" and key != other:
            edits.append(Merge(key, other, at=at))
        elif kind == "s":
            edits.append(Split(key, at=at))
        elif kind == "p":
            edits.append(Pin(key, at=at))
    late = random.sample(stream, len(stream))
    first = [*published(stream), *edits]
    shuffled = [*published(late), *random.sample(edits, len(edits))]
    assert partition(played(first)) == partition(played(shuffled))
    half = len(stream) // 2
    known = {item.key for item in stream[:half]}
    early = [edit for edit in edits if _keys(edit) <= known]
    other = [*published(stream[:half]), *early, *published(stream[half:])]
    rest = [edit for edit in edits if edit not in early]
    assert partition(played(first)) == partition(played([*other, *rest]))


def _keys(edit):
    return {edit.key, edit.other} if isinstance(edit, Merge) else {edit.key}
