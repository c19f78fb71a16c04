"""The lessons of a stream under the rule that believes them."""

from collections.abc import Iterable, Sequence

from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.lessons import Lesson, Lessons
from newsdedup.core.matching.verify.pair import kind_of
from newsdedup.core.model import Entry
from newsdedup.core.stories.records import Record

COMPARED = 32
"""Pairs that one item teaches at most: a hot event must not drown the others."""


class VerifiedSchool:
    """Teaches the verified rule; `taken` hands over the lessons that must be kept."""

    def __init__(self, rule: VerifiedRule, kept: Iterable[Lesson] = ()) -> None:
        self._rule = rule
        self.lessons = Lessons(rule.model)
        self._taken: list[Lesson] = []
        self.lessons.restore(kept)

    def frozen(self, entry: Entry) -> Entry:
        """Return an entry that knows what has been taught when it is admitted."""
        return self.lessons.frozen(entry)

    def learn(self, entry: Entry, near: Sequence[Record]) -> None:
        """Count an admitted entry and the leaders that it was compared with."""
        lesson = self.lessons.lesson(entry, compared(self._rule, entry, near))
        self.lessons.learn(lesson)
        self._taken.append(lesson)

    def taken(self) -> list[Lesson]:
        """Return the lessons since the last time, for whoever keeps them."""
        taken, self._taken = self._taken, []
        return taken


class SharedSchool:
    """Teaches several workers: each adds its lessons to a log, and learns what the log tells.

    So every worker counts the same lessons in the same order, its own among them.
    """

    def __init__(self, rule: VerifiedRule) -> None:
        self._rule = rule
        self.lessons = Lessons(rule.model)
        self._taken: list[Lesson] = []

    def frozen(self, entry: Entry) -> Entry:
        """Return an entry that knows what the log had taught when it is admitted."""
        return self.lessons.frozen(entry)

    def learn(self, entry: Entry, near: Sequence[Record]) -> None:
        """Note what an admitted entry teaches, for the log."""
        self._taken.append(self.lessons.lesson(entry, compared(self._rule, entry, near)))

    def taken(self) -> list[Lesson]:
        """Return the lessons since the last time, for the log."""
        taken, self._taken = self._taken, []
        return taken

    def take(self, lesson: Lesson, *, number: int) -> None:
        """Count a lesson of the log, by its number there."""
        self.lessons.learn(lesson._replace(generation=self.lessons.generation, number=number))

    def forget(self) -> None:
        """Begin anew: the log is another one."""
        self.lessons = Lessons(self._rule.model)
        self._taken = []


def compared(rule: VerifiedRule, entry: Entry, near: Sequence[Record]) -> list[tuple[float, int]]:
    """Return of the leaders near an entry how alike the texts are, and what kind of pair it is.

    A digest and its parts tell nothing of who copies whom; nor does a translation, or a site in two
    languages would teach that sources repeat themselves.
    """
    digest = bool(entry.passages)
    found = [
        other
        for record in near
        if (other := record.entry).key != entry.key
        and other.lang == entry.lang
        and bool(other.passages) == digest
    ]
    if len(found) > 1:
        found.sort(key=lambda other: other.order)
    return [
        (round(rule.weighed(entry, other).by_text, 2), kind_of(entry, other))
        for other in found[:COMPARED]
    ]
