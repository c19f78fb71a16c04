from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.streams import (
    RULE,
    entries,
    entry,
    one_version_per_update,
    played,
    published,
    state,
)
from newsdedup import ItemKey
from newsdedup.core.model import Match, Relation
from newsdedup.core.stories.commands import Command, Merge, Pin, Publish, Split
from newsdedup.core.stories.kinship import Kinship, Placed, kinship
from newsdedup.core.stories.records import Record

A, B, C = (ItemKey("s", name) for name in "abc")


def after(commands: list[Command]) -> dict[ItemKey, Placed]:
    """Return what is kept of every item after these commands."""
    store = played(commands)
    return {
        key: Placed(record, store.arrival_and_bucket(key)[0])
        for key, record in state(store).items()
    }


def kin(commands: list[Command]) -> Kinship:
    placed = after(commands)
    return kinship(placed[A], placed[B], RULE)


def news(name: str, terms: range, *, at: int) -> Publish:
    return Publish(entry(name, terms, at=at))


def test_a_copy_follows_its_leader():
    found = kin([news("a", range(6), at=1), news("b", range(6), at=2)])
    assert found.kind == "follows"
    assert found.words == (
        "B follows A as a reprint with score 1.",
        "A is the earlier one and came in first.",
        "The original of their story is A.",
    )


def test_a_late_original_was_not_there_when_the_other_was_judged():
    found = kin([news("b", range(6), at=2), news("a", range(6), at=1)])
    assert "B follows A as a reprint with score 1." in found.words
    assert "A is the earlier one, but B was judged before A came in." in found.words


def test_two_copies_follow_one_leader():
    commands = [news("c", range(6), at=0), news("a", range(6), at=1), news("b", range(5), at=2)]
    found = kin(commands)
    assert found.kind == "siblings"
    assert found.words[0].startswith("Both follow s/c: A as a reprint")
    assert found.words[-1] == "The original of their story is s/c."


def test_a_similar_item_is_linked():
    found = kin([news("a", range(6), at=1), news("b", range(3, 9), at=2)])
    assert found.kind == "linked"
    assert found.words[1] == "B is linked to A as similar with score 0.5."


@pytest.mark.parametrize(
    ("relation", "said"), [("update", "an update"), ("part", "a part"), ("similar", "similar")]
)
def test_a_link_is_named_as_english_names_it(relation: Relation, said: str):
    placed = after([news("a", range(6), at=1), news("b", range(3, 9), at=2)])
    linked = placed[B].record._replace(match=Match(0.5, relation))
    found = kinship(placed[A], replace(placed[B], record=linked), RULE)
    assert found.words[1] == f"B is linked to A as {said} with score 0.5."


def test_unlike_items_are_apart():
    found = kin([news("a", range(6), at=1), news("b", range(20, 26), at=2)])
    assert found.kind == "apart"
    assert found.words[0].startswith("They are in different stories: A leads ")


def test_stories_do_not_chain_and_that_is_said():
    commands = [
        news("c", range(6), at=0),
        news("a", range(2, 8), at=1),
        news("b", range(4, 10), at=2),
    ]
    found = kin(commands)
    assert found.kind == "apart"
    assert "stories do not chain" in found.words[1]
    assert "B was compared with s/c instead" in found.words[1]


def test_who_follows_a_better_match_says_so():
    commands = [
        news("a", range(6), at=0),
        news("c", range(5, 13), at=1),
        news("b", range(2, 10), at=2),
    ]
    found = kin(commands)
    assert found.words[1] == "They match, but B matches s/c better, or as well and earlier."


def test_an_editor_s_commands_are_reported():
    copies: list[Command] = [news("a", range(6), at=1), news("b", range(6), at=2)]
    assert "editor said that B stands alone" in " ".join(kin([*copies, Split(B, 9)]).words)
    pinned = kin([*copies, Pin(B, 9)])
    assert "An editor said that B is the original of its story." in pinned.words
    unlike: list[Command] = [news("a", range(6), at=1), news("b", range(20, 26), at=2)]
    joined = kin([*unlike, Merge(A, B, 9)])
    assert joined.kind == "joined"
    assert joined.words[0].endswith("an editor made their stories one.")


def test_an_edited_item_says_which_version_counts():
    commands = [
        news("a", range(6), at=1),
        news("b", range(6), at=2),
        Publish(entry("b", range(5), at=3, updated=1)),
    ]
    assert any(word.startswith("B was edited") for word in kin(commands).words)


@given(st.lists(entries(), max_size=14).map(one_version_per_update))
def test_matching_items_in_different_stories_always_have_a_true_reason(stream):
    placed = after(published(stream))
    for one in placed.values():
        for other in placed.values():
            if one.record.entry.order < other.record.entry.order:
                _has_a_true_reason(one.record, other.record, kinship(one, other, RULE))


def _has_a_true_reason(earlier: Record, later: Record, found: Kinship) -> None:
    match = RULE.match(earlier.entry, later.entry)
    if earlier.story == later.story or match is None or not match.duplicate:
        return
    [reason] = [word for word in found.words if word.startswith("They match, but")]
    if "stories do not chain" in reason:
        assert not earlier.leads
    else:
        assert "better, or as well and earlier" in reason
        assert later.match is not None
        assert later.match.score >= match.score
