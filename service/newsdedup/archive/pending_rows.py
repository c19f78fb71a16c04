"""What a batch of events makes of an item: the highest revision wins, a retraction erases."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from newsdedup.archive.event_lines import ArchivedEvent, RevisionNumber
from newsdedup.archive.views import Standing
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Micros, Relation, Verdict

SLOT_BITS: Final = 6
"""Bits of an item's number below its time in milliseconds."""


def number_of_time(at: Micros) -> int:
    """Return the lowest number of items of this time: numbers are in the order of time."""
    return (at // 1_000) << SLOT_BITS


def time_of_number(number: int) -> Micros:
    """Return the time of an item by its number, in whole milliseconds.

    Of more than 64 items of one millisecond the others count as later.
    """
    return (number >> SLOT_BITS) * 1_000


class ItemRow(NamedTuple):
    """A row of the table `items`, without the number of its last change."""

    number: int
    source: int
    id: str
    epoch: int
    n: int
    at: Micros
    verdict: Verdict
    relation: Relation
    score: float | None
    lang: str
    decided_by: str
    late: bool
    version: str
    story: int
    original_source: int
    original_id: str
    matched_source: int | None
    matched_id: str | None
    delay: Micros | None
    links: int
    title: str
    url: str
    category: str


def _standing_of(judgement: Judgement) -> Standing:
    """Return the standing (verdict, relation, story, original) that a judgement gives its item."""
    story = judgement.story
    return Standing(
        judgement.verdict,
        judgement.relation,
        story.id,
        story.original,
        judgement.decided_by,
        judgement.version,
    )


@dataclass(slots=True)
class PendingRow:
    """An item as a batch changes it; the writer sets `after` and `change` at the end."""

    key: ItemKey
    source: int
    before: ItemRow | None
    before_standing: Standing | None
    """The standing of `before`."""
    erased: RevisionNumber | None
    """The highest revision that was retracted."""
    event: ArchivedEvent | None = None
    """The verdict that counts, if it came with this batch."""
    is_gone: bool = False
    """Whether the earlier item is gone and no verdict has come since."""
    overtaken: dict[RevisionNumber, Standing] = field(default_factory=dict)
    """Verdicts that this batch brought too late, or overtook with newer ones."""
    overtaken_lines: dict[RevisionNumber, bytes] = field(default_factory=dict)
    """The events of those verdicts, except of the one that is stored."""
    newly_erased: RevisionNumber | None = None
    """`erased`, if the retraction came with this batch."""
    after: ItemRow | None = None
    """The row after the batch; None if the item is gone."""
    change: int = 0
    """The number of the change."""

    @property
    def revision(self) -> RevisionNumber | None:
        """Return the revision of the verdict that counts, None without one."""
        if self.event is not None:
            return self.event.revision
        if self.before is None or self.is_gone:
            return None
        return RevisionNumber(self.before.epoch, self.before.n)

    def apply(self, event: ArchivedEvent) -> bool:
        """Apply an event; return whether it changes the row.

        It does not if it came before, was overtaken or erased, or is about an item that was
        admitted once more after it had left the window: its first verdict counts then, or its
        retraction.
        """
        if self.erased is not None and event.revision <= self.erased:
            return False
        if event.judgement is None:
            self._erase(event.revision)
            return True
        current = self.revision
        known = current or self.erased
        if known is not None and _is_readmitted(event, known):
            return False
        if current is not None:
            if event.revision == current:
                return False
            if event.revision < current:
                self.overtaken[event.revision] = _standing_of(event.judgement)
                self.overtaken_lines[event.revision] = event.line
                return False
            standing = self.before_standing
            if self.event is not None and self.event.judgement is not None:
                standing = _standing_of(self.event.judgement)
                self.overtaken_lines[current] = self.event.line
            if standing is not None:
                self.overtaken[current] = standing
        self.event = event
        return True

    def expire(self) -> None:
        """Forget the item with all its revisions, because it is too old."""
        self.event, self.is_gone = None, True
        self.overtaken.clear()

    def _erase(self, revision: RevisionNumber) -> None:
        """Erase all revisions up to this one; the item is gone if its current one is among them."""
        self.erased = self.newly_erased = revision
        self.overtaken = {each: one for each, one in self.overtaken.items() if each > revision}
        current = self.revision
        if current is not None and current <= revision:
            self.event, self.is_gone = None, True


def _is_readmitted(event: ArchivedEvent, current: RevisionNumber) -> bool:
    """Return whether the engine had forgotten an item that the archive still knows.

    A state that was rebuilt counts its epochs anew, and remembers.
    """
    return (
        event.judgement is not None
        and event.judgement.late
        and event.revision.epoch > current.epoch
        and event.generation == current.epoch >> 32
    )
