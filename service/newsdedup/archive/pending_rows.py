"""What a batch of events makes of an item: the highest revision stands, a retraction erases."""

from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from newsdedup.archive.event_lines import ArchivedEvent, RevisionNumber
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Micros, Relation, Verdict


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


class StoredStanding(NamedTuple):
    """What an overtaken verdict made of an item, as the table `revisions` holds it."""

    verdict: Verdict
    relation: Relation
    story: str
    original: ItemKey
    decided_by: str
    version: str

    def encode(self) -> str:
        """Return the standing as JSON."""
        return msgspec.json.encode(self).decode()


def standing_of_judgement(judgement: Judgement) -> StoredStanding:
    """Return what a verdict makes of its item."""
    original = judgement.story.original
    return StoredStanding(
        judgement.verdict,
        judgement.relation,
        judgement.story.id,
        ItemKey(original.source, original.id),
        judgement.decided_by,
        judgement.version,
    )


@dataclass(slots=True)
class PendingRow:
    """An item as a batch changes it."""

    key: ItemKey
    source: int
    before: ItemRow | None
    before_standing: StoredStanding | None
    """Of `before`."""
    erased: RevisionNumber | None
    """The highest revision that was retracted."""
    event: ArchivedEvent | None = None
    """The verdict that stands, if it came with this batch."""
    is_gone: bool = False
    """Whether the earlier item is gone and no verdict has come since."""
    overtaken: dict[RevisionNumber, StoredStanding] = field(default_factory=dict)
    """Verdicts that do not stand, which came or were overtaken with this batch."""
    newly_erased: bool = False

    @property
    def revision(self) -> RevisionNumber | None:
        """Return the revision of the verdict that stands, None without one."""
        if self.event is not None:
            return self.event.revision
        if self.before is None or self.is_gone:
            return None
        return RevisionNumber(self.before.epoch, self.before.n)

    def apply(self, event: ArchivedEvent) -> bool:
        """Take an event in; return whether it changes what stands.

        It does not if it came before, was overtaken or erased, or tells of an item that was
        admitted once more after it had left the window: its first verdict stands then.
        """
        if self.erased is not None and event.revision <= self.erased:
            return False
        if event.judgement is None:
            self._erase(event.revision)
            return True
        current = self.revision
        if current is not None and (event.revision == current or self._is_readmitted(event)):
            return False
        if current is not None and event.revision < current:
            self.overtaken[event.revision] = standing_of_judgement(event.judgement)
            return False
        standing = self._standing()
        if current is not None and standing is not None:
            self.overtaken[current] = standing
        self.event = event
        return True

    def expire(self) -> None:
        """Forget the item with all its revisions, because it is too old."""
        self.event, self.is_gone = None, True
        self.overtaken.clear()

    def _erase(self, revision: RevisionNumber) -> None:
        """Erase what a retraction of this revision reaches."""
        self.erased, self.newly_erased = revision, True
        self.overtaken = {each: one for each, one in self.overtaken.items() if each > revision}
        current = self.revision
        if current is not None and current <= revision:
            self.event, self.is_gone = None, True

    def _is_readmitted(self, event: ArchivedEvent) -> bool:
        """Return whether the engine had forgotten an item that stands here.

        A state that was rebuilt counts its epochs anew, and remembers.
        """
        current = self.revision
        return (
            current is not None
            and event.judgement is not None
            and event.judgement.late
            and event.revision.epoch > current.epoch
            and event.generation == current.epoch >> 32
        )

    def _standing(self) -> StoredStanding | None:
        """Return what the verdict that stands makes of the item."""
        if self.event is not None and self.event.judgement is not None:
            return standing_of_judgement(self.event.judgement)
        return None if self.is_gone else self.before_standing
