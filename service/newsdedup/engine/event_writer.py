"""From decisions to events: what is published, with its evidence, and remembered."""

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import UNSET, UnsetType

from newsdedup.core.events import (
    Contained,
    Event,
    Judgement,
    Matched,
    OriginalMoved,
    Retraction,
    Revision,
    StoryRef,
    WeightedTerm,
    event_id,
    item_ref,
    original_moved_id,
)
from newsdedup.core.matching.explanation import build_evidence
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Relation
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.commands import KEPT_VERSIONS
from newsdedup.core.stories.publication import Announcement, Decision, OriginalChanged, contents
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import Analyzed
from newsdedup.ports.store import Ledger, Store


@dataclass(frozen=True, slots=True)
class EventWriter:
    """Renders what a decision announces as events and writes it into the ledger."""

    store: Store
    ledger: Ledger
    rule: Rule
    generation: int

    def write_events(
        self,
        decision: Decision,
        *,
        bucket: int,
        arrived: Analyzed | None = None,
        late: bool = False,
    ) -> list[Event]:
        """Return the events of a decision in publishing order; write judgements to the ledger.

        `arrived` is the version that was decided about, None after a command; its row in the ledger
        expires with `bucket`. `late` says that it came too late to be ordered exactly.
        """
        events = []
        for announcement in decision.announcements:
            if announcement.kind == "item.retracted":
                events.append(self._retracted(announcement))
            elif announcement.kind == "item.judged" and arrived is not None:
                events.append(self._judged(announcement, arrived, bucket=bucket, late=late))
            else:
                events.append(self._corrected(announcement))
        events.extend(self._moved(change, decision.changed) for change in decision.originals)
        return events

    def _judged(
        self, announcement: Announcement, arrived: Analyzed, *, bucket: int, late: bool
    ) -> Event:
        """Return the event of the first judgement on the arrived version, and store both."""
        entry = announcement.record.version(announcement.version)
        contains: tuple[Contained, ...] | UnsetType = UNSET
        if entry.passages:  # a digest
            near = self.store.leaders(entry)
            contains = contents(entry, [one for one in near if one.key != entry.key], self.rule)
        judgement = self._judgement(announcement, arrived.terms, late=late, contains=contains)
        kept = self.ledger.write(
            announcement.key, received=arrived.received, published=judgement, bucket=bucket
        )
        if len(announcement.record.past) == KEPT_VERSIONS - 1:
            self.ledger.retain(announcement.key, announcement.record.versions)
        return Event(judgement, arrived.received, kept)

    def _corrected(self, announcement: Announcement) -> Event:
        """Return the event of a new verdict on an earlier version, and replace the stored one.

        Its terms, lateness and contained stories stay as they were published.
        """
        received, before = self.ledger.read(announcement.key, announcement.version)
        judgement = self._judgement(
            announcement, before.terms, late=before.late, contains=before.contains, cut=before.cut
        )
        kept = self.ledger.revise(announcement.key, published=judgement)
        return Event(judgement, received, kept)

    def _retracted(self, announcement: Announcement) -> Event:
        """Return the event of a retraction; drop all versions of the item from the ledger."""
        key, version = announcement.key, announcement.version
        self.ledger.erase(key)
        revision = self._revision(announcement.record, announcement.revision)
        return Event(
            Retraction(
                event_id=event_id(key, version, revision),
                item=item_ref(key),
                version=version,
                revision=revision,
            )
        )

    def _moved(self, change: OriginalChanged, changed: Iterable[Record]) -> Event:
        """Return the event that a story has another original, with the revision of that item."""
        # The record of the new original is among those that the decision changes.
        record = next(record for record in changed if record.key == change.original)
        revision = self._revision(record, record.revision)
        return Event(
            OriginalMoved(
                event_id=original_moved_id(change.story, change.original, revision),
                story=change.story,
                original=item_ref(change.original),
                previous=item_ref(change.previous),
            )
        )

    def _judgement(
        self,
        announcement: Announcement,
        terms: tuple[WeightedTerm, ...],
        *,
        late: bool,
        contains: tuple[Contained, ...] | UnsetType,
        cut: tuple[str, ...] | UnsetType = UNSET,
    ) -> Judgement:
        """Return the judgement that an announcement publishes.

        `terms` are those of the announced version, `contains` the stories in a digest, `cut` the
        fields that are missing from a restored item.
        """
        record, key, version = announcement.record, announcement.key, announcement.version
        entry, revision = record.version(version), self._revision(record, announcement.revision)
        return Judgement(
            event="item.judged" if announcement.kind == "item.judged" else "verdict.corrected",
            event_id=event_id(key, version, revision),
            item=item_ref(key),
            version=version,
            revision=revision,
            verdict=record.verdict,
            relation=_relation(record),
            decided_by="rule" if self._by_rule(record) else "editor",
            story=StoryRef(record.story, item_ref(record.original or key)),
            matched=self._matched(announcement, terms),
            rule=self.rule.version,
            lang=entry.lang,
            effective_at=to_datetime(entry.effective_at).isoformat(),
            terms=terms,
            late=late,
            superseded=announcement.superseded,
            contains=contains,
            # Set where the item was restored from an event that was cut: no more of it is kept.
            cut=cut,
        )

    def _by_rule(self, record: Record) -> bool:
        """Return whether a record's verdict is the one that the rule alone would give.

        False means that an editor's command made it.
        """
        if record.leads != (record.verdict == "original"):
            return False
        alone = record.edit is not None and record.edit.alone_at is not None
        if not alone or record.similar is None:
            return True
        leader = self.store.known(record.similar)
        match = None if leader is None else self.rule.match(record.entry, leader.entry)
        return match is None or not match.duplicate

    def _matched(
        self, announcement: Announcement, terms: tuple[WeightedTerm, ...]
    ) -> Matched | None:
        """Return the item that the announced one follows or resembles, with score and evidence.

        None if there is no such item; no evidence if it was retracted or has left the store. The
        evidence is about the item's current version; `terms` are those of the announced one.
        """
        record = announcement.record
        other = record.matched
        if other is None or record.match is None:
            return None
        known, current = self.store.known(other), record.entry
        evidence = None
        if known is not None and not known.retracted:
            if current.version != announcement.version:
                terms = self.ledger.read(announcement.key, current.version)[1].terms
            details = self.rule.details(current, known.entry)
            evidence = build_evidence(current, terms, known.entry, details)
        return Matched(other.source, other.id, record.match.score, evidence)

    def _revision(self, record: Record, number: int) -> Revision:
        """Return the published revision of a record, with its `number` within the item's life.

        Its epoch has the state's generation, which grows when a state is rebuilt, and the item's
        life, which grows when it comes again after it has left the window. So no revision is used
        twice.
        """
        return Revision((self.generation << 32) + record.life, number)


def _relation(record: Record) -> Relation:
    """Return the published relation: that of the record's match, "none" without a match.

    It is "none", too, where an editor made an original of what matches as a duplicate.
    """
    if record.match is None:
        return "none"
    if record.verdict == "original" and record.match.duplicate:
        return "none"
    return record.match.relation
