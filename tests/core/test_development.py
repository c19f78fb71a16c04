"""Stories that update one another are one development, in the order of time."""

from hypothesis import given
from hypothesis import strategies as st

from laws.streams import entry
from newsdedup import ItemKey
from newsdedup.core.model import Match, Relation, StoryId
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.story_list import (
    MOST_STEPS,
    Development,
    group_by_story,
    trace_development,
)


def key(name: str) -> ItemKey:
    return ItemKey("s", name)


def leader(
    name: str, at: int, *, to: str = "", relation: Relation = "update", story: str = ""
) -> Record:
    """Return a leader, linked to the item `to` if that is named."""
    return Record(
        entry(name, (1, 2, 3), at=at),
        leader=key(name),
        match=Match(0.4, relation) if to else None,
        similar=key(to) if to else None,
        story=StoryId(story or f"story of {name}"),
    )


def follower(name: str, at: int, of: str) -> Record:
    match = Match(0.9, "reprint")
    record = Record(entry(name, (1, 2, 3), at=at), leader=key(of), match=match)
    return record._replace(story=StoryId(f"story of {of}"))


def traced(name: str, records: list[Record]) -> Development:
    """Return the development of the story of this name."""
    stories = group_by_story(records)
    [story] = [one for one in stories if one.id == name]
    return trace_development(story, stories)


def names(development: Development) -> str:
    return " ".join(step.leader.id for step in development.steps)


CHAIN = [
    leader("a", 1),
    leader("b", 2, to="a"),
    leader("c", 3, to="b"),
    leader("d", 4, to="c"),
    leader("other", 2),
]


@given(st.permutations(CHAIN), st.sampled_from("abcd"))
def test_a_chain_is_one_development_in_order_from_whichever_story_and_arrival(records, name):
    development = traced(f"story of {name}", records)
    assert names(development) == "a b c d"
    assert [step.updates for step in development.steps] == [None, key("a"), key("b"), key("c")]
    assert [step.story for step in development.steps] == [f"story of {one}" for one in "abcd"]
    assert development.left_out == 0


def test_a_story_without_updates_has_no_development():
    assert traced("story of other", CHAIN) == Development(())


def test_links_of_other_relations_are_no_updates():
    records = [leader("a", 1), leader("b", 2, to="a", relation="similar")]
    assert traced("story of a", records).steps == ()


def test_two_updates_of_one_story_are_in_one_development():
    records = [leader("a", 1), leader("c", 3, to="a"), leader("b", 2, to="a")]
    assert names(traced("story of b", records)) == "a b c"


def test_a_follower_leads_to_the_development_of_its_story():
    records = [*CHAIN, follower("e", 5, "b")]
    assert names(traced("story of b", records)) == "a b c d"


def test_an_updated_story_that_has_left_the_window_comes_first_and_without_a_record():
    first, second, third = traced("story of c", CHAIN[1:]).steps[:3]
    assert (first.leader, first.record, first.story) == (key("a"), None, None)
    assert (second.updates, third.updates) == (key("a"), key("b"))


def test_a_story_whose_leader_has_left_the_window_still_has_its_updates():
    development = traced("story of a", [follower("e", 5, "a"), *CHAIN[1:]])
    assert names(development) == "a b c d"
    assert (development.steps[0].record, development.steps[0].story) == (None, "story of a")


def test_where_the_updated_item_follows_another_since_that_story_is_the_updated_one():
    records = [leader("z", 0), follower("a", 1, "z"), leader("b", 2, to="a")]
    development = traced("story of z", records)
    assert names(development) == "z b"
    assert development.steps[1].updates == key("a")


def test_stories_that_an_editor_joined_show_the_developments_of_both():
    records = [
        leader("a", 1),
        leader("b", 2, to="a", story="joined"),
        leader("c", 3),
        leader("d", 4, to="c", story="joined"),
    ]
    assert names(traced("joined", records)) == "a b c d"


def test_a_cycle_of_links_ends():
    records = [leader("a", 1, to="b"), leader("b", 2, to="a")]
    assert names(traced("story of a", records)) == "a b"


def test_of_a_long_development_the_nearest_steps_are_shown_and_the_others_counted():
    chain = [leader("000", 0)]
    chain += [leader(f"{at:03}", at, to=f"{at - 1:03}") for at in range(1, 200)]
    development = traced("story of 100", chain)
    assert len(development.steps) == MOST_STEPS
    assert development.left_out == 200 - MOST_STEPS
    ids = [int(step.leader.id) for step in development.steps]
    assert ids == list(range(ids[0], ids[0] + MOST_STEPS))
    assert ids[0] < 100 < ids[-1]
