"""Records grouped into stories, and stories that update one another, for lists and pages."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from newsdedup.core.model import ItemKey, Micros, StoryId
from newsdedup.core.stories.records import Record

MOST_STEPS = 50
"""Steps of a development: more than any reader follows, bounded for a flood of updates."""


@dataclass(frozen=True, slots=True)
class Story:
    """The stored records of one story in the total order."""

    id: StoryId
    members: tuple[Record, ...]

    @property
    def size(self) -> int:
        """Return the number of stored items of the story."""
        return len(self.members)

    @property
    def original(self) -> ItemKey:
        """Return the key of the original; that of the earliest item if it knows no other."""
        return self.members[0].original or self.members[0].key

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the languages of the items, the most frequent first, equal ones by alphabet."""
        counted = Counter(record.entry.lang for record in self.members)
        return tuple(sorted(counted, key=lambda lang: (-counted[lang], lang)))

    @property
    def first(self) -> Micros:
        """Return the effective time of the earliest stored item."""
        return self.members[0].entry.effective_at

    @property
    def last(self) -> Micros:
        """Return the effective time of the latest stored item."""
        return self.members[-1].entry.effective_at


def group_by_story(records: Iterable[Record]) -> list[Story]:
    """Return the stories of all records that are not withdrawn, in the order of their ids."""
    members: dict[StoryId, list[Record]] = {}
    for record in records:
        if not record.retracted:
            members.setdefault(record.story, []).append(record)
    return [
        Story(name, tuple(sorted(members[name], key=lambda record: record.entry.order)))
        for name in sorted(members)
    ]


def by_size(story: Story) -> tuple[int, Micros, StoryId]:
    """Return the sort key that puts the largest stories first, of equal ones the newest."""
    return -story.size, -story.last, story.id


def stories_by_time(story: Story) -> tuple[Micros, int, StoryId]:
    """Return the sort key that puts the stories with the newest items first, then the largest."""
    return -story.last, -story.size, story.id


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
