"""Developments: stories that update one another, in the order of time."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from newsdedup.core.model import ItemKey, StoryId
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.story_list import Story

MOST_STEPS = 50
"""Steps of a development: more than any reader follows, bounded for a flood of updates."""


@dataclass(frozen=True, slots=True)
class DevelopmentStep:
    """One story of a development, by its leader: the item that updates and is updated."""

    leader: ItemKey
    record: Record | None
    """None if the leader has left the window or was withdrawn."""
    story: StoryId | None
    """None if no item of the story is stored."""
    updates: ItemKey | None
    """The item that the leader is an update of; None for the beginning of a development."""


@dataclass(frozen=True, slots=True)
class Development:
    """Stories linked by updates, from any one of them."""

    steps: tuple[DevelopmentStep, ...]
    """In the total order; a leader that is not stored comes before its earliest update."""
    left_out: int = 0
    """Steps beyond MOST_STEPS: those with the most links between them and the given story."""


def trace_development(story: Story, stories: Iterable[Story]) -> Development:
    """Return the development to which a story belongs, of all stories in a state.

    It consists of what the story updates, back to the beginning, and every update of these; no
    steps if the story neither is an update nor has one. An update links to an earlier leader; where
    that one follows another leader since, the story of the other one is updated.
    """
    members = {record.key: record for each in stories for record in each.members}
    links = {
        key: _leader_of(record.similar, members)
        for key, record in members.items()
        if record.leads and record.similar and record.match and record.match.relation == "update"
    }
    neighbours: dict[ItemKey, list[ItemKey]] = {}
    for later, earlier in links.items():
        neighbours.setdefault(later, []).append(earlier)
        neighbours.setdefault(earlier, []).append(later)
    leaders = dict.fromkeys(_leader_of(record.key, members) for record in story.members)
    reached = _reach([key for key in leaders if key in neighbours], neighbours)
    chosen = reached[:MOST_STEPS]
    # A leader that is not stored comes right before those linked to it. Its own links are unknown,
    # so these are its updates.
    chosen.sort(
        key=lambda key: (
            (members[key].entry.order, True)
            if key in members
            else (min(members[update].entry.order for update in neighbours[key]), False)
        )
    )
    stories_of = {record.leader: record.story for record in members.values()}
    steps = []
    for key in chosen:
        record = members.get(key)
        updates = record.similar if record and key in links else None
        steps.append(DevelopmentStep(key, record, stories_of.get(key), updates))
    return Development(tuple(steps), left_out=len(reached) - len(chosen))


def _leader_of(key: ItemKey, members: Mapping[ItemKey, Record]) -> ItemKey:
    """Return the leader that an item follows; the item itself if it leads or is not stored."""
    record = members.get(key)
    return key if record is None or record.leader is None else record.leader


def _reach(begin: Sequence[ItemKey], neighbours: Mapping[ItemKey, list[ItemKey]]) -> list[ItemKey]:
    """Return all leaders that links connect with the first ones, those by the fewest links first.

    Each is visited once, so a cycle of links ends, too.
    """
    reached = dict.fromkeys(begin)
    waiting = deque(begin)
    while waiting:
        for key in neighbours[waiting.popleft()]:
            if key not in reached:
                reached[key] = None
                waiting.append(key)
    return list(reached)
