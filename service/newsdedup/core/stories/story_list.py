"""Records grouped into stories, for lists and pages."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from newsdedup.core.model import ItemKey, Micros, StoryId
from newsdedup.core.stories.records import Record


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
