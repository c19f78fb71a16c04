from hypothesis import given
from hypothesis import strategies as st

from laws.streams import entries, entry, one_version_per_update, played, published, records_of
from newsdedup import ItemKey
from newsdedup.core.stories.commands import Publish, Retract
from newsdedup.core.stories.story_list import by_size, group_by_story, stories_by_time


def after(commands):
    return records_of(played(commands))


def test_a_story_tells_its_size_its_span_and_its_original():
    commands = [
        Publish(entry(name, range(6), at=at, source="s")) for name, at in (("b", 5), ("a", 2))
    ]
    [story] = group_by_story(after(commands))
    assert (story.size, story.first, story.last) == (2, 2, 5)
    assert story.original == ItemKey("s", "a")
    assert story.languages == ("en",)


def test_what_was_retracted_is_in_no_story():
    commands = [Publish(entry("a", range(6), at=1)), Retract(ItemKey("s", "a"))]
    assert group_by_story(after(commands)) == []


def test_the_largest_come_first_and_of_equal_ones_the_newest():
    commands = [
        Publish(entry(name, range(low, low + 6), at=at))
        for name, low, at in (("a", 0, 1), ("b", 0, 2), ("c", 20, 3), ("d", 40, 4))
    ]
    stories = group_by_story(after(commands))
    assert [story.last for story in sorted(stories, key=by_size)] == [2, 4, 3]
    assert [story.last for story in sorted(stories, key=stories_by_time)] == [4, 3, 2]


@given(st.lists(entries(), max_size=14).map(one_version_per_update), st.randoms())
def test_every_item_is_in_one_story_whatever_the_order_of_the_records(stream, random):
    records = after(published(stream))
    stories = group_by_story(records)
    random.shuffle(records)
    assert group_by_story(records) == stories
    assert sum(story.size for story in stories) == len(records)
    assert all(list(s.members) == sorted(s.members, key=lambda r: r.entry.order) for s in stories)
