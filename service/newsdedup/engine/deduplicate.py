"""The use case: what arrives goes in, what must be published comes out.

One pass, one direction: document, signature, entry, decision, events. Batches only make the edge
cheaper; the events are the same for any batch size.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from datetime import timedelta

from newsdedup.core.events import Event, Judgement
from newsdedup.core.matching.rows import NearRecords, near_records
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.model import Entry, ItemKey, Micros, Version
from newsdedup.core.moments import MICROSECOND, is_dated
from newsdedup.core.stories.commands import Command, Publish, Retract
from newsdedup.core.stories.judge import CASCADE_BOUND, decide
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record, RecordReader
from newsdedup.core.stories.window import Buckets, Watermark, effective_at
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.engine.event_writer import EventWriter
from newsdedup.engine.set_aside import SetAside
from newsdedup.ports.store import Ledger, Store

LATENESS = timedelta(hours=24) // MICROSECOND
"""How far behind the newest item another may come and still be ordered exactly by its time."""


Change = Analyzed | Command
"""What is decided about: an analyzed item, or a command."""


class NearLeaders:
    """A store that remembers the leaders near one entry, which are needed again to learn."""

    def __init__(self, store: Store, entry: Entry, rule: Rule) -> None:
        self.known = store.known
        self.members = store.members
        self.followers = store.followers
        self._store = store
        self._entry = entry
        self._filter = rule.candidate_filter
        self._leaders: NearRecords[Record] | None = None

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders that share enough keys with an entry; remember those near its own."""
        leaders = near_records(self._store.leaders(near), self._filter)
        if near is self._entry:
            self._leaders = leaders
        return leaders

    def leaders_after(self, decision: Decision) -> Sequence[Record]:
        """Return the leaders near the entry once its decision is stored; itself may be missing.

        Mostly the decision changes the entry's own record alone: then the others are as they were.
        """
        own = len(decision.changed) == 1 and decision.changed[0].key == self._entry.key
        if own and self._leaders is not None:
            return self._leaders
        return self._store.leaders(self._entry)


class ComparableStore:
    """A Store in whose look-ups the entries that are set aside are not found."""

    def __init__(self, base: Store, set_aside: SetAside) -> None:
        self.known = base.known
        self.followers = base.followers
        self.store = base.store
        self.expire = base.expire
        self.bucket = base.bucket
        self._base = base
        self._left_out = set_aside.keys

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders that share enough keys with an entry and can be compared."""
        found = self._base.leaders(near)
        return self._comparable(found) if self._left_out else found

    def members(self, near: Entry) -> Sequence[Record]:
        """Return the members, not earlier than an entry, that can be compared with it."""
        found = self._base.members(near)
        return self._comparable(found) if self._left_out else found

    def _comparable(self, found: Sequence[Record]) -> Sequence[Record]:
        """Return the records found, without those that were set aside."""
        if not any(record.key in self._left_out for record in found):
            return found
        return [record for record in found if record.key not in self._left_out]


@dataclass(kw_only=True, eq=False)
class Deduplicate:
    """Judges what arrives, one after the other, and moves the watermark."""

    rule: Rule
    store: InitVar[Store]
    ledger: Ledger
    lateness: Micros = LATENESS
    bound: int = CASCADE_BOUND
    generation: int = 0
    watermark: Watermark = field(default_factory=Watermark)
    recorder: StatisticsRecorder | None = None
    """Has the statistics of the stream, for a rule that learns."""
    learns: bool = True
    """Whether they grow by what is judged; else they are read only."""
    set_aside: SetAside = field(default_factory=SetAside)
    """The entries that this and earlier engines have set aside."""
    cut_short: int = field(default=0, init=False)
    """How many items joined a story unjudged because a cascade reached its bound."""
    half_applied: bool = field(default=False, init=False)
    """Whether the last change raised when a part of it was in the store or the ledger."""
    _floor: int | None = field(default=None, init=False)

    def __post_init__(self, store: Store) -> None:
        """Expire what is before the watermark."""
        self._store: Store = ComparableStore(store, self.set_aside)
        self._buckets = Buckets(self.rule.window, self.lateness)
        self._event_writer = EventWriter(self._store, self.ledger, self.rule, self.generation)
        self._expire()

    def publish(self, analyzed: Analyzed) -> list[Event]:
        """Decide about a version of an item, store that, and return its events in order.

        A version that was judged before gives only its stored event, marked as repeated. Otherwise
        the watermark follows the item's time, and what leaves the window expires.
        """
        key, version = analyzed.item.key, analyzed.document.version
        known = self._store.known(key)
        if known is not None and known.knows(version):
            received, published = self.ledger.read(key, version)
            return [Event(published, received, repeated=True)]
        entry = self._entry(analyzed)
        before = self.watermark
        late = before.at is not None and entry.effective_at < before.at - self.lateness
        self.watermark = before.after(
            entry.effective_at, leap=self.rule.window, dated=is_dated(analyzed.item)
        )
        self._expire()
        bucket = self._buckets.of(entry.effective_at, self.watermark)
        near = NearLeaders(self._store, entry, self.rule)
        decision = self._decide(Publish(entry, life=bucket), bucket=bucket, store=near)
        if self.recorder is not None and self.learns:
            self.recorder.learn(entry, near.leaders_after(decision))
        kept_until = self._store.bucket(entry.key)
        return self._event_writer.write_events(
            decision, bucket=kept_until, arrived=analyzed, late=late
        )

    def preview(self, analyzed: Analyzed) -> list[Event]:
        """Return the events that `publish` would give now; nothing is stored or learned."""
        trial = Deduplicate(
            rule=self.rule,
            store=_PreviewStore(self._store),
            ledger=_PreviewLedger(self.ledger),
            lateness=self.lateness,
            bound=self.bound,
            generation=self.generation,
            watermark=self.watermark,
            recorder=self.recorder,
            learns=False,
            set_aside=self.set_aside,
        )
        return trial.publish(analyzed)

    def apply(self, change: Change) -> list[Event]:
        """Return the events of an analyzed item or a command.

        Raise UnknownItem if an editor's command names an item that is not stored, or was retracted.
        Whatever is raised, the watermark stays as it was; unless `half_applied` says otherwise,
        nothing else has changed either.
        """
        watermark, floor = self.watermark, self._floor
        self.half_applied = False
        try:
            return self.publish(change) if isinstance(change, Analyzed) else self.command(change)
        except BaseException:  # also Ctrl-C, after which a notebook goes on
            self.watermark = watermark
            self.half_applied = self.half_applied or self._floor != floor
            raise

    def find_unusable(self, change: Change) -> bool:
        """Set aside the stored entries that are to blame for the decision about an item raising.

        Return whether there are any: then it may be tried again. Not to be called while the item is
        half applied.
        """
        if not isinstance(change, Analyzed):
            return False
        near: list[Record] = []
        with suppress(Exception):  # what these raise is the error in question
            entry = self._entry(change)
            near += self._store.leaders(entry)
            near += self._store.members(entry)
        return bool(near) and self.set_aside.find(entry, near, self.rule)

    def command(self, command: Command) -> list[Event]:
        """Apply a retraction or an editor's command; return the events to publish, in order.

        Raise UnknownItem if an editor's command names an item that is not stored, or was retracted;
        a retraction of such an item gives no event.
        """
        bucket = self._buckets.of(0, self.watermark)
        if isinstance(command, Retract):
            self.half_applied = True
            self.ledger.erase(command.key)
        decision = self._decide(command, bucket=bucket, store=self._store)
        return self._event_writer.write_events(decision, bucket=bucket)

    def _entry(self, analyzed: Analyzed) -> Entry:
        """Return the entry of an item at its effective time, with the statistics of its source."""
        entry = entry_of(analyzed, at=effective_at(analyzed.item, self.watermark))
        return entry if self.recorder is None else self.recorder.freeze(entry)

    def _decide(self, command: Command, *, bucket: int, store: RecordReader) -> Decision:
        """Decide about a command by what `store` answers; write changes to the engine's store."""
        decision = decide(command, self.rule, store, bound=self.bound)
        self.half_applied = True
        self._store.store(decision, bucket=bucket)
        self.cut_short += decision.cut_short
        return decision

    def _expire(self) -> None:
        """Drop from store and ledger the buckets before window and lateness, by the watermark."""
        floor = self._buckets.floor(self.watermark)
        if floor is not None and floor != self._floor:
            self._floor = floor
            self._store.expire(before=floor)
            self.ledger.expire(before=floor)


class _PreviewStore:
    """A Store that answers for another one, and puts aside what one decision writes."""

    def __init__(self, base: Store) -> None:
        self.members = base.members
        self.followers = base.followers
        self._base = base
        self._changed: dict[ItemKey, Record] = {}
        self._bucket = 0
        self._floor: int | None = None

    def known(self, key: ItemKey) -> Record | None:
        """Return the record of an item, as the decision left it; None if nothing is stored."""
        record = self._changed.get(key)
        if record is not None:
            return record
        record = self._base.known(key)
        return record if record is None or self._is_alive(record) else None

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders that share enough keys with an entry, unordered."""
        leaders = self._base.leaders(near)
        if self._floor is None or all(map(self._is_alive, leaders)):
            return leaders
        return [record for record in leaders if self._is_alive(record)]

    def store(self, decision: Decision, *, bucket: int) -> None:
        """Keep the records that the decision changes, in this preview only."""
        self._bucket = bucket
        self._changed.update({record.key: record for record in decision.changed})

    def expire(self, *, before: int) -> None:
        """Hide the leaders of all buckets before this one: the item may be later than all."""
        self._floor = before

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket with which an item expires; raise KeyError if it is not stored."""
        return self._bucket if key in self._changed else self._base.bucket(key)

    def _is_alive(self, record: Record) -> bool:
        """Return whether a stored record has not expired in this preview."""
        return self._floor is None or self._base.bucket(record.key) >= self._floor


class _PreviewLedger:
    """A Ledger that reads another one, and forgets what it is to write."""

    def __init__(self, base: Ledger) -> None:
        self.read = base.read

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:  # noqa: ARG002 - nothing is stored
        """Store nothing; return no bytes."""
        return b""

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:  # noqa: ARG002 - nothing is stored
        """Store nothing; return no bytes."""
        return b""

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Do nothing."""

    def erase(self, key: ItemKey) -> None:
        """Do nothing."""

    def expire(self, *, before: int) -> None:
        """Do nothing."""
