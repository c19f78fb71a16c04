"""Restores a lost state from the output topic.

The events of an item lie in one partition, in their order: each batch is applied to what earlier
ones have restored, and what has left the window expires as usual. Not published, so not restored:
the stream statistics, commands that changed no verdict, and the cut parts of long texts.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, NamedTuple

from msgspec import UNSET

from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.json_object import UNLIMITED
from newsdedup.adapters.kafka.events import decode_event_record
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.adapters.redis.store import MAX_LOOKUP_ITEMS
from newsdedup.core.events import Judgement, Retraction, Revision
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import ItemKey, Language, NewsItem, Term, Version
from newsdedup.core.moments import is_dated, to_micros
from newsdedup.core.stories.publication import (
    Decision,
    generation_of,
    is_newer,
    restore_record,
    restore_retraction,
)
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Buckets, Watermark
from newsdedup.engine.analyzer import ItemAnalyzer, entry_of
from newsdedup.engine.shared.view import BatchView
from newsdedup.ports.errors import InvalidItem, StateUnusable
from newsdedup.ports.store import Commit, Lookup, SharedStore, StoreVersion

_RETRACTIONS: Final = 100_000
"""Retractions that a rebuild remembers, of some 400 bytes each."""

_EVENTS_AT_ONCE: Final = MAX_LOOKUP_ITEMS // 2
"""Two items are looked up for each event."""

TermOf = Callable[[str, Language], Term]
"""Returns the term of a lemma in texts of a language."""


class _ItemEvent(NamedTuple):
    """An event about one item; a retraction comes without the item."""

    payload: Judgement | Retraction
    item: NewsItem | None
    received: bytes

    @property
    def key(self) -> ItemKey:
        return ItemKey(self.payload.item.source, self.payload.item.id)

    @property
    def matched(self) -> ItemKey | None:
        """Return the item that a duplicate matched, where it is not the original of its story."""
        payload = self.payload
        if not isinstance(payload, Judgement) or payload.matched is None:
            return None
        original, matched = payload.story.original, payload.matched
        key = ItemKey(matched.source, matched.id)
        return None if key == ItemKey(original.source, original.id) else key


@dataclass(slots=True)
class Rebuild:
    """One restoration into an empty namespace."""

    store: SharedStore
    new_view: Callable[[], BatchView]
    rule: Rule
    analyzer: ItemAnalyzer
    term: TermOf
    lateness: int
    watermark: Watermark = field(default_factory=Watermark)
    generation: int = 0
    """The latest generation in the published events."""
    _retracted: OrderedDict[ItemKey, Revision] = field(default_factory=OrderedDict)
    """The latest retractions. No row of the ledger tells them, and one may be read before the
    judgement of its item: of a topic with more partitions than before, the key lies in two."""

    async def take(self, batch: Sequence[ReceivedRecord]) -> Counter[str]:
        """Restore the items in some records of the output topic; return counts of the records.

        Their keys are `records`, the types of events, `empty`, and `foreign` for records of others.
        """
        counts: Counter[str] = Counter(records=len(batch))
        events: list[_ItemEvent] = []
        for record in batch:
            try:
                kind, event = self._decode(record)
            except InvalidItem:
                kind, event = "foreign", None
            counts[kind] += 1
            if event is not None:
                events.append(event)
        for first in range(0, len(events), _EVENTS_AT_ONCE):
            await self._restore(events[first : first + _EVENTS_AT_ONCE])
        return counts

    async def end(self, positions: Mapping[str, int]) -> None:
        """Store the offsets from which workers go on: those committed by the group."""
        seen = await self.store.look(())
        await self._commit(self.new_view(), (), seen.version, positions=positions)

    def _decode(self, record: ReceivedRecord) -> tuple[str, _ItemEvent | None]:
        """Return the kind of a record, and its event if that is about one item.

        Raise InvalidItem if the record is no event of newsdedup.
        """
        event = decode_event_record(record)
        if event is None:
            return "empty", None
        payload = event.payload
        if isinstance(payload, Retraction):
            return payload.event, _ItemEvent(payload, None, b"")
        if not isinstance(payload, Judgement):
            return payload.event, None
        item = item_json.decode_item(event.received, limits=UNLIMITED)
        if not isinstance(item, NewsItem):
            raise InvalidItem("not_an_event", "an event about a command")
        # The published identity counts, whichever fields of the item it was taken from.
        key = ItemKey(payload.item.source, payload.item.id)
        item = replace(item, key=key, seen_at=item.seen_at or record.seen_at)
        return payload.event, _ItemEvent(payload, item, event.received)

    async def _restore(self, events: Sequence[_ItemEvent]) -> None:
        """Apply events to the records of their items, and commit the records that change."""
        view = self.new_view()
        keys = dict.fromkeys(key for one in events for key in (one.key, one.matched) if key)
        lookups = [Lookup("item", key) for key in keys]
        seen = await self.store.look(lookups)
        view.load(lookups, seen)
        for event in events:
            record = self._record(view, event)
            if record is not None:
                self._put(view, record, event)
        await self._commit(view, lookups, seen.version)

    def _record(self, view: BatchView, event: _ItemEvent) -> Record | None:
        """Return the item's record after an event; None if the event changes nothing.

        Note also the generation of the event and the watermark.
        """
        payload, item = event.payload, event.item
        self.generation = max(self.generation, generation_of(payload.revision.epoch))
        before = view.known(event.key)
        if not is_newer(payload.revision, self._restored_revisions(view, event.key)):
            return None
        if isinstance(payload, Retraction):
            self._retracted[event.key] = payload.revision
            if len(self._retracted) > _RETRACTIONS:
                self._retracted.popitem(last=False)
            return None if before is None else restore_retraction(payload, before)
        if item is None:
            return None
        at = to_micros(datetime.fromisoformat(payload.effective_at))
        entry = entry_of(self.analyzer.analyze(item), at=at)
        if payload.cut is not UNSET:
            # The published terms are those of the whole text; the rest comes from what is left.
            terms = {self.term(one.term, payload.lang).key for one in payload.terms}
            entry = entry._replace(lang=payload.lang, terms=tuple(sorted(terms)))
        if entry.version != payload.version:
            # Another release may clean texts differently; the published version counts.
            entry = entry._replace(version=Version(payload.version))
        self.watermark = self.watermark.after(
            entry.effective_at, leap=self.rule.window, dated=is_dated(item)
        )
        matched = None if event.matched is None else view.known(event.matched)
        return restore_record(payload, entry, before, self.rule, matched=matched)

    def _restored_revisions(self, view: BatchView, key: ItemKey) -> Iterator[Revision]:
        """Yield the revisions of the events that have been restored of an item."""
        if key in self._retracted:
            yield self._retracted[key]
        record = view.known(key)
        for version in () if record is None else (record.entry, *record.past):
            with suppress(LookupError):
                yield view.ledger.read(key, version.version)[1].revision

    def _put(self, view: BatchView, record: Record, event: _ItemEvent) -> None:
        """Write a restored record into the view, and the event's judgement into its ledger.

        A retraction erases the ledger's rows of the item.
        """
        buckets = Buckets(self.rule.window, self.lateness)
        floor = buckets.floor(self.watermark)
        if floor is not None:
            view.expire(before=floor)
        bucket = buckets.of(record.entry.effective_at, self.watermark)
        view.store(Decision((record,), (), ()), bucket=bucket)
        if isinstance(event.payload, Judgement):
            view.ledger.write(
                record.key, received=event.received, published=event.payload, bucket=bucket
            )
        else:
            view.ledger.erase(record.key)

    async def _commit(
        self,
        view: BatchView,
        lookups: Sequence[Lookup],
        seen: StoreVersion,
        *,
        positions: Mapping[str, int] | None = None,
    ) -> None:
        """Commit a view, and any `positions`; raise StateUnusable if a worker interferes."""
        commit = Commit(
            based_on=seen,
            lookups=lookups,
            record_slots=view.record_slots(),
            watermark=self.watermark,
            floor=view.floor,
            updates=view.updates(),
            positions=positions or {},
        )
        if await self.store.commit(commit) is None:
            raise StateUnusable("redis: somebody else works on this namespace; stop the workers")
