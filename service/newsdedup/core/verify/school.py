"""The lessons of a stream under the rule that believes them."""

from collections.abc import Iterable, Sequence

from newsdedup.core.model import Entry
from newsdedup.core.records import Record
from newsdedup.core.verified_rule import VerifiedRule
from newsdedup.core.verify.lessons import Lesson, Lessons

COMPARED = 32
"""Pairs that one item teaches at most: a hot event must not drown the others."""


class VerifiedSchool:
    """Teaches the verified rule; `taken` hands over the lessons that must be kept."""

    def __init__(self, rule: VerifiedRule, kept: Iterable[Lesson] = ()) -> None:
        self._rule = rule
        self.lessons = Lessons(rule.model)
        self._taken: list[Lesson] = []
        for lesson in kept:
            self.lessons.learn(lesson)

    def frozen(self, entry: Entry) -> Entry:
        """Return an entry that knows what has been taught when it is admitted."""
        return self.lessons.frozen(entry)

    def learn(self, entry: Entry, near: Sequence[Record]) -> None:
        """Count an admitted entry and the leaders that it was compared with."""
        found = sorted(
            (record.entry for record in near if record.key != entry.key),
            key=lambda other: other.order,
        )
        pairs = [self._pair(entry, other) for other in found[:COMPARED]]
        lesson = self.lessons.lesson(entry, pairs)
        self.lessons.learn(lesson)
        self._taken.append(lesson)

    def taken(self) -> list[Lesson]:
        """Return the lessons since the last time, for whoever keeps them."""
        taken, self._taken = self._taken, []
        return taken

    def _pair(self, entry: Entry, other: Entry) -> tuple[float, bool]:
        same = entry.key.source == other.key.source
        return round(self._rule.weighed(entry, other).by_text, 2), same
