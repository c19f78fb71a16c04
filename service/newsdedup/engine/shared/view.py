"""The store as one worker sees it while it decides a batch: what it read, then what it decided.

`Prefetch` names the look-ups that nearly every change needs, `BatchView` answers from what they
found. Where a read was not looked up before, the view raises LookupMissing before anything is
changed; the caller looks it up and repeats the step.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np

from newsdedup.core.matching.rows import CandidateFilter, NearRecords, Rows
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.model import Entry, ItemKey, Micros
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.engine.deduplicate import Change
from newsdedup.engine.shared.decided import DecidedRecords
from newsdedup.ports.store import (
    BatchLedger,
    CommitResult,
    Lookup,
    LookupResult,
    RecordSlot,
    RecordUpdate,
    SharedStore,
    StateChanged,
    StoredRecord,
)

_FAR: Final = 1 << 62
"""Later than any item: no look-up had such a beginning."""


class LookupMissing(Exception):
    """Raised where a decision reads what was not looked up yet; names the look-ups."""

    def __init__(self, looks: Sequence[Lookup]) -> None:
        super().__init__(f"not looked up yet: {[look.kind for look in looks]}")
        self.lookups = looks


class Prefetch:
    """Names the look-ups that nearly every change needs; the others follow when missed."""

    def __init__(self, rule: Rule, store: SharedStore, recorder: StatisticsRecorder | None) -> None:
        """Weigh the keys of entries by the statistics of `recorder`, if the rule learns."""
        self._rule = rule
        self._store = store
        self._recorder = recorder
        self._latest: Micros | None = None
        """The latest time of an item that was looked up."""

    def lookups(self, changes: Iterable[Change], watermark: Watermark) -> list[Lookup]:
        """Return the look-ups of a chunk, given the watermark of the stream.

        For each command and item that is its own record, for items also the leaders near them; and
        the members near them where some may be later: in the store, or among items looked up
        before.
        """
        lookups: list[Lookup] = []
        for change in changes:
            if not isinstance(change, Analyzed):
                lookups.append(Lookup("item", change.key))
                continue
            entry = entry_of(change, at=effective_at(change.item, watermark))
            if self._recorder is not None:
                entry = self._recorder.freeze(entry)
            keys = self._rule.index_keys(entry)
            lookups += [Lookup("item", entry.key), Lookup("leaders", filing=keys)]
            # Mostly an item is later than all before it, and becomes leader of none. What was
            # looked up just before may be stored by the time this is answered.
            at, latest = entry.effective_at, self._latest
            self._latest = at if latest is None else max(at, latest)
            if self._store.may_hold_later_than(at) or (latest is not None and at <= latest):
                lookups.append(Lookup("members", filing=keys, since=at))
        return lookups


class RowCache:
    """The rows of entries that are found again and again: the same objects, read from a cache.

    In a full window a worker compares with the same candidates again and again.
    """

    def __init__(self, by: CandidateFilter, *, size: int) -> None:
        """At most `size` rows are cached, besides those of the latest call."""
        self._filter = by
        self._size = size
        self._rows: dict[int, tuple[Entry, bytes]] = {}
        """By the identity of the entry, which stays its own while the cache refers to it."""

    def make_rows(self, entries: Sequence[Entry]) -> Rows:
        """Return the rows of entries, in their order; they cannot be written to."""
        rows = self._rows
        if missing := [entry for entry in entries if id(entry) not in rows]:
            if len(rows) + len(missing) > self._size:
                rows.clear()
                missing = list(entries)
            written, width = self._filter.make_rows(missing).tobytes(), self._filter.row.itemsize
            for nth, entry in enumerate(missing):
                rows[id(entry)] = (entry, written[nth * width : (nth + 1) * width])
        return np.frombuffer(b"".join([rows[id(entry)][1] for entry in entries]), self._filter.row)


class BatchView:
    """The Store of one batch, with its ledger."""

    def __init__(
        self,
        rule: Rule,
        *,
        new_ledger: Callable[[], BatchLedger],
        rows: RowCache | None,
    ) -> None:
        """`rows` has the rows of entries that earlier batches read; None without a filter."""
        self.ledger = new_ledger()
        self.floor: int | None = None
        """The first bucket that has not expired."""
        self._rule = rule
        self._rows = rows
        self._latest: Micros = -_FAR
        self._stored: dict[ItemKey, StoredRecord | None] = {}
        self._answers: dict[Lookup, tuple[int | None, Sequence[StoredRecord]]] = {}
        self._presumed: dict[Lookup, None] = {}
        self._decided = DecidedRecords(rule)
        self._buckets: dict[ItemKey, int] = {}
        self._uncommitted: dict[ItemKey, Record] = {}

    def load(self, looks: Sequence[Lookup], seen: LookupResult) -> None:
        """Add the results of look-ups; records that this batch has decided override them.

        Raise StateChanged if they contradict earlier results: another worker has committed
        meanwhile.
        """
        self._latest = max(self._latest, seen.latest)
        for look, answer in zip(looks, seen.answers, strict=True):
            for stored in answer:
                self._learn(stored)
            if look.kind == "item" and look.key is not None:
                if answer or look.key in self._buckets:
                    continue
                if self._stored.setdefault(look.key, None) is not None:
                    raise StateChanged
                self.ledger.load(look.key, ())
            else:
                asked = look if look.since is None else look._replace(since=None)
                self._answers[asked] = (look.since, answer)

    def known(self, key: ItemKey) -> Record | None:
        """Return the record of an item, None if nothing is stored of it.

        Raise LookupMissing if the item was not looked up, as the reads below do.
        """
        if key in self._buckets:
            return self._decided.known(key) if self._lives(self._buckets[key]) else None
        if key not in self._stored:
            raise LookupMissing([Lookup("item", key)])
        stored = self._stored[key]
        return stored.record if stored is not None and self._lives(stored.bucket) else None

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return leaders (stored or decided here) sharing enough keys; or raise LookupMissing."""
        stored = self._answer_of(Lookup("leaders", filing=self._rule.index_keys(near)))
        return self._with_decided(stored, self._decided.leaders(near))

    def members(self, near: Entry) -> Sequence[Record]:
        """Return the members of stories, stored or decided here, near an entry and not earlier.

        If nothing stored is as late, none is looked up; that is noted for the commit. Else raise
        LookupMissing if they were not looked up.
        """
        look, stored = Lookup("members", filing=self._rule.index_keys(near)), list[Record]()
        if near.effective_at > self._latest:
            self._presumed[look] = None
        else:
            since, _ = self._answers.get(look, (_FAR, ()))
            if since is not None and since > near.effective_at:
                raise LookupMissing([look._replace(since=near.effective_at)])
            stored = [one for one in self._answer_of(look) if one.entry.order >= near.order]
        return self._with_decided(stored, self._decided.members(near))

    def followers(self, leader: ItemKey) -> Sequence[Record]:
        """Return the followers of a leader, stored or decided here; or raise LookupMissing."""
        stored = self._answer_of(Lookup("followers", leader))
        return self._with_decided(stored, self._decided.followers(leader))

    def store(self, decision: Decision, *, bucket: int) -> None:
        """Overlay the records that a decision changes; new records expire with the bucket.

        Raise LookupMissing, before anything is changed, if its events need what was not looked up.
        """
        missing: list[Lookup] = []
        for announcement in decision.announcements:
            record = announcement.record
            if announcement.kind == "verdict.corrected" and not self.ledger.knows(announcement.key):
                missing.append(Lookup("item", announcement.key))
            other = record.matched
            if other is not None and other not in self._stored and other not in self._buckets:
                missing.append(Lookup("item", other))
        if missing:
            raise LookupMissing(missing)
        for record in decision.changed:
            self._note_change(record, bucket)
        self._decided.put(decision.changed)

    def expire(self, *, before: int) -> None:
        """Hide the records that expire with buckets before this one."""
        self.floor = before

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket of an item decided in this batch; raise KeyError for any other."""
        return self._buckets[key]

    def record_slots(self) -> list[RecordSlot]:
        """Return where the server holds each record that was read or committed."""
        return [stored.slot for stored in self._stored.values() if stored is not None]

    def presumed_lookups(self) -> list[Lookup]:
        """Return the look-ups of later members that were skipped since the last call.

        They were skipped because nothing stored was later; the decision rests on that, so the
        commit names them as reads.
        """
        looks, self._presumed = list(self._presumed), {}
        return looks

    def updates(self) -> list[RecordUpdate]:
        """Return the records decided since the last call, in their new state, for the commit."""
        updates = [
            RecordUpdate(
                record, self._buckets[key], self._stored.get(key), self.ledger.changed(record)
            )
            for key, record in self._uncommitted.items()
        ]
        self._uncommitted.clear()
        return updates

    def committed(self, puts: Sequence[RecordUpdate], committed: CommitResult) -> None:
        """Note the slots that a commit gave to the records, in the order of its updates."""
        for (record, bucket, _, _), slot in zip(puts, committed.record_slots, strict=True):
            self._stored[record.key] = StoredRecord(
                record, bucket, self._rule.index_keys(record.entry), slot
            )

    def _learn(self, stored: StoredRecord) -> None:
        """Keep a record that was read, with its ledger rows, unless this batch has decided it.

        Raise StateChanged if an earlier read gave another state of it.
        """
        key = stored.record.key
        if stored.rows is not None:
            self.ledger.load(key, stored.rows)
        if key in self._buckets:
            return
        before = self._stored.setdefault(key, stored)
        if before is None or before.slot != stored.slot or before.record != stored.record:
            raise StateChanged

    def _with_decided(self, stored: list[Record], decided: Sequence[Record]) -> Sequence[Record]:
        """Return stored and decided records together, without decided ones that have expired."""
        alive = [record for record in decided if self._lives(self._buckets[record.key])]
        near, cache = [*stored, *alive], self._rows
        if cache is None:
            return near
        return NearRecords(near, lambda: cache.make_rows([record.entry for record in near]))

    def _answer_of(self, look: Lookup) -> list[Record]:
        """Return the records that a look-up found, without expired ones and those decided here.

        Raise LookupMissing if it was not made.
        """
        known = self._answers.get(look)
        if known is None:
            raise LookupMissing([look])
        return [
            stored.record
            for stored in known[1]
            if stored.record.key not in self._buckets and self._lives(stored.bucket)
        ]

    def _lives(self, bucket: int) -> bool:
        """Return whether a bucket has not expired."""
        return self.floor is None or bucket >= self.floor

    def _note_change(self, record: Record, bucket: int) -> None:
        """Note a changed record for the next commit, and the bucket with which it expires.

        That is `bucket` for a new record, the later one for a new version of a known item, else the
        one that it had. The ledger rows of an item that had expired are dropped.
        """
        key = record.key
        stored = self._stored.get(key)
        before = self._decided.known(key) if key in self._buckets else stored and stored.record
        was = self._buckets.get(key, stored.bucket if stored is not None else None)
        if before is None or was is None or not self._lives(was):
            self.ledger.reset(key)
        elif record.same_versions(before):
            bucket = was
        else:
            bucket = max(was, bucket)
        self._buckets[key] = bucket
        self._uncommitted[key] = record
