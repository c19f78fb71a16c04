"""The state, restored from what was published: the output topic is the log of record.

Events of one item lie in one partition in their order, so each batch is put over what was restored
before it; what has left the window by then is forgotten as it always is. What is not published is
not restored: what the sources taught, words of editors that no verdict shows, and the rest of a
text that was cut.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from msgspec import UNSET

from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.limits import Limits
from newsdedup.adapters.kafka.events import PublishedEvent, decode_event_record
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.adapters.redis.store import AT_ONCE
from newsdedup.core.events import Judgement, Retraction
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey, Language, NewsItem, Term, Version
from newsdedup.core.stories.publication import Settlement
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.restoring import generation, newer, restored, withdrawn
from newsdedup.core.window import Buckets, Watermark, is_dated, micros
from newsdedup.engine.analysis import Analyze
from newsdedup.engine.deduplicate import entry_of
from newsdedup.engine.shared.view import BatchView
from newsdedup.ports.errors import InvalidItem, StateUnusable
from newsdedup.ports.shared_store import Commit, Lookup, SharedStore, StoreVersion

TermOf = Callable[[str, Language], Term]
"""Returns the term of a lemma, as the texts of a language have it."""
_RestoredEvent = tuple[Judgement | Retraction, NewsItem | None, bytes]
"""What an event says, the item that it is about, and the bytes that this came as."""


@dataclass(slots=True)
class Rebuild:
    """One restoration into a namespace that is empty."""

    store: SharedStore
    new_view: Callable[[], BatchView]
    rule: Rule
    analyze: Analyze
    term: TermOf
    limits: Limits
    lateness: int
    watermark: Watermark = field(default_factory=Watermark)
    generation: int = 0
    """The latest that was published."""

    async def take(self, batch: Sequence[ReceivedRecord]) -> Counter[str]:
        """Restore what some records tell; return how many of which kind they were."""
        counts: Counter[str] = Counter(records=len(batch))
        told: list[_RestoredEvent] = []
        for record in batch:
            try:
                event = decode_event_record(record)
                kind: str = "empty" if event is None else event.payload.event
                if event is not None and (one := self._decode_event(event, record)) is not None:
                    told.append(one)
            except InvalidItem:
                kind = "foreign"
            counts[kind] += 1
        for first in range(0, len(told), AT_ONCE):
            await self._restore(told[first : first + AT_ONCE])
        return counts

    async def end(self, positions: Mapping[str, int]) -> None:
        """Store where the workers go on: what was acknowledged was published before that."""
        seen = await self.store.look(())
        await self._commit(self.new_view(), (), seen.version, positions=positions)

    def _decode_event(self, event: PublishedEvent, record: ReceivedRecord) -> _RestoredEvent | None:
        said = event.payload
        if isinstance(said, Judgement):
            item = item_json.decode(event.received, limits=self.limits)
            if not isinstance(item, NewsItem):
                raise InvalidItem("not_an_event", "an event about an act")
            # The same identity, whatever its fields were called.
            key = ItemKey(said.item.source, said.item.id)
            item = replace(item, key=key, seen_at=item.seen_at or record.seen_at)
            return said, item, event.received
        return (said, None, b"") if isinstance(said, Retraction) else None

    async def _restore(self, told: Sequence[_RestoredEvent]) -> None:
        view = self.new_view()
        keys = {ItemKey(said.item.source, said.item.id): None for said, _, _ in told}
        looks = [Lookup("item", key) for key in keys]
        seen = await self.store.look(looks)
        view.load(looks, seen)
        for said, item, received in told:
            record = self._record(view, said, item)
            if record is not None:
                self._put(view, record, said, received)
        await self._commit(view, looks, seen.version)

    def _record(
        self, view: BatchView, said: Judgement | Retraction, item: NewsItem | None
    ) -> Record | None:
        """Return the record after an event; None if it tells nothing new."""
        self.generation = max(self.generation, generation(said.revision.epoch))
        before = view.known(ItemKey(said.item.source, said.item.id))
        if not newer(said, before):
            return None
        if isinstance(said, Retraction) or item is None:
            return (
                None if before is None or isinstance(said, Judgement) else withdrawn(said, before)
            )
        at = micros(datetime.fromisoformat(said.effective_at))
        entry = entry_of(self.analyze(item, b""), at=at)
        if said.cut is not UNSET:
            entry = self._whole(entry, said)
        if entry.version != said.version:
            # Another release cleans texts otherwise; what was told goes by the name it had then.
            entry = entry._replace(version=Version(said.version))
        self.watermark = self.watermark.after(
            entry.effective_at, leap=self.rule.window, dated=is_dated(item)
        )
        return restored(said, entry, before, self.rule)

    def _whole(self, entry: Entry, said: Judgement) -> Entry:
        """Return the entry of a text that was cut, with the signature that the whole text had.

        What else is kept of it comes from what is left of the text.
        """
        terms = {self.term(one.term, said.lang).key for one in said.terms}
        return entry._replace(lang=said.lang, terms=tuple(sorted(terms)))

    def _put(
        self, view: BatchView, record: Record, said: Judgement | Retraction, received: bytes
    ) -> None:
        buckets = Buckets(self.rule.window, self.lateness)
        floor = buckets.floor(self.watermark)
        if floor is not None:
            view.expire(before=floor)
        bucket = buckets.of(record.entry.effective_at, self.watermark)
        view.store(Settlement((record,), (), ()), bucket=bucket)
        if isinstance(said, Judgement):
            view.ledger.write(record.key, received=received, published=said, bucket=bucket)
        else:
            view.ledger.erase(record.key)

    async def _commit(
        self,
        view: BatchView,
        looks: Sequence[Lookup],
        seen: StoreVersion,
        *,
        positions: Mapping[str, int] | None = None,
    ) -> None:
        commit = Commit(
            based_on=seen,
            own_tokens=(),
            lookups=looks,
            places=view.places(),
            watermark=self.watermark,
            floor=view.floor,
            updates=view.updates(),
            events=(),
            positions=positions or {},
        )
        if await self.store.settle(commit) is None:
            raise StateUnusable("redis: somebody else works on this namespace; stop the workers")
