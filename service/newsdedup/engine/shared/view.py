"""What a worker knows while it decides a batch: what it read, overlaid with what it decided.

A Store that answers at once. What it cannot tell yet it raises as Missing, before anything is
changed; once that was looked up, the same step is taken again.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.redis.keys import time_digits
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey
from newsdedup.core.stories.publication import Announcement, Settlement
from newsdedup.core.stories.records import (
    Answer,
    Followers,
    Known,
    Leaders,
    Members,
    Question,
    Record,
)
from newsdedup.engine.shared.messages import Committed, Held, Look, Place, Put, Seen
from newsdedup.engine.shared.rows import Rows

FAR: Final = 1 << 62
"""Later than any item: since then nothing was asked."""


class Missing(Exception):
    """Look-ups whose answers a step needs."""

    def __init__(self, looks: Sequence[Look]) -> None:
        super().__init__(f"not looked up yet: {[look.sought for look in looks]}")
        self.looks = looks


class Disturbed(Exception):
    """Others have changed what was read, so that two answers contradict each other."""


class View:
    """The Store of one batch, with its ledger."""

    def __init__(self, rule: Rule) -> None:
        self.rows = Rows()
        self.floor: int | None = None
        """The first bucket that has not expired."""
        self._rule = rule
        self._latest = ""
        self._held: dict[ItemKey, Held | None] = {}
        self._answers: dict[Look, tuple[int | None, Sequence[Held]]] = {}
        self._presumed: dict[Look, None] = {}
        self._decided = MemoryStore(rule)
        """Finds what was decided; it knows nothing of buckets."""
        self._buckets: dict[ItemKey, int] = {}
        self._unsettled: dict[ItemKey, None] = {}

    def learn(self, looks: Sequence[Look], seen: Seen) -> None:
        """Take the answers to look-ups; what was decided here stands above them.

        Raise Disturbed if they are not of one world with earlier ones.
        """
        self._latest = max(self._latest, seen.latest)
        for look, answer in zip(looks, seen.answers, strict=True):
            for held in answer:
                self._learn(held)
            if look.sought == "item" and look.key is not None:
                if not answer:
                    self._learn_absence(look.key)
            else:
                asked = look if look.since is None else look._replace(since=None)
                self._answers[asked] = (look.since, answer)

    def answer(self, question: Question) -> Answer:
        """Return the records asked for, in no order."""
        match question:
            case Known(key):
                record = self._known(key)
                return [] if record is None else [record]
            case Leaders(near):
                found = self._found(Look("leaders", filing=self._rule.index_keys(near)))
            case Members(near):
                found = self._members(near)
            case Followers(of):
                found = self._found(Look("followers", of))
        decided = self._decided.answer(question)
        if not decided:
            return found
        return [*found, *(record for record in decided if self._lives(self._buckets[record.key]))]

    def store(self, settlement: Settlement, *, bucket: int) -> None:
        """Keep what a decision changes; new records expire with the bucket."""
        if missing := list(self._untold(settlement.announcements)):
            raise Missing(missing)
        for record in settlement.changed:
            self._put(record, bucket)

    def expire(self, *, before: int) -> None:
        """Forget the records filed in buckets before this one."""
        self.floor = before

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket with which a kept item expires: that of its latest version."""
        return self._buckets[key]

    def places(self) -> list[Place]:
        """Return where the records stand that were read or settled."""
        return [held.place for held in self._held.values() if held is not None]

    def presumed(self) -> list[Look]:
        """Return the look-ups since the last call that were spared, as all kept was earlier.

        A decision rests upon them, too: others may have filed something later since.
        """
        looks = list(self._presumed)
        self._presumed.clear()
        return looks

    def puts(self) -> list[Put]:
        """Return what was decided since the last call, to be committed."""
        keys = list(self._unsettled)
        self._unsettled.clear()
        return [self._as_put(key) for key in keys]

    def settled(self, puts: Sequence[Put], committed: Committed) -> None:
        """Remember where the server keeps what was committed."""
        for (record, bucket, _, _), place in zip(puts, committed.places, strict=True):
            self._held[record.key] = Held(
                record, bucket, self._rule.index_keys(record.entry), place
            )

    def _learn(self, held: Held) -> None:
        key = held.record.key
        if held.rows is not None:
            self.rows.learn(key, held.rows)
        if key in self._buckets:
            return
        before = self._held.setdefault(key, held)
        if before is None or before.place != held.place or before.record != held.record:
            raise Disturbed

    def _learn_absence(self, key: ItemKey) -> None:
        if key in self._buckets:
            return
        if self._held.setdefault(key, None) is not None:
            raise Disturbed
        self.rows.learn(key, ())

    def _known(self, key: ItemKey) -> Record | None:
        if key in self._buckets:
            return self._decided.record(key) if self._lives(self._buckets[key]) else None
        if key not in self._held:
            raise Missing([Look("item", key)])
        held = self._held[key]
        return held.record if held is not None and self._lives(held.bucket) else None

    def _members(self, near: Entry) -> list[Record]:
        look = Look("members", filing=self._rule.index_keys(near))
        if time_digits(near.effective_at) > self._latest:
            self._presumed[look] = None
            return []
        since, _ = self._answers.get(look, (FAR, ()))
        if since is not None and since > near.effective_at:
            raise Missing([look._replace(since=near.effective_at)])
        return [record for record in self._found(look) if record.entry.order >= near.order]

    def _found(self, look: Look) -> list[Record]:
        """Return the answer to a look-up, without what was decided about since."""
        known = self._answers.get(look)
        if known is None:
            raise Missing([look])
        answer = known[1]
        if not answer:
            return []
        return [
            held.record
            for held in answer
            if held.record.key not in self._buckets and self._lives(held.bucket)
        ]

    def _lives(self, bucket: int) -> bool:
        return self.floor is None or bucket >= self.floor

    def _untold(self, announcements: Sequence[Announcement]) -> Iterator[Look]:
        """Yield what the events about a decision will ask for and is not here."""
        for said in announcements:
            record = said.record
            if said.kind == "verdict.corrected" and not self.rows.knows(said.key):
                yield Look("item", said.key)
            other = record.similar if record.leads else record.leader
            if other is not None and other not in self._held and other not in self._buckets:
                yield Look("item", other)

    def _put(self, record: Record, bucket: int) -> None:
        key = record.key
        held = self._held.get(key)
        before = self._decided.record(key) if key in self._buckets else held and held.record
        was = self._buckets.get(key, held.bucket if held is not None else None)
        if before is None or was is None or not self._lives(was):
            self.rows.begin(key)
        elif _versions(before) == _versions(record):
            bucket = was
        else:
            bucket = max(was, bucket)
        self._decided.put(record, bucket=0)
        self._buckets[key] = bucket
        self._unsettled[key] = None

    def _as_put(self, key: ItemKey) -> Put:
        record = self._decided.record(key)
        if record is None:
            raise LookupError(f"item {key} was decided and is not here")
        return Put(record, self._buckets[key], self._held.get(key), self.rows.changed(record))


def _versions(record: Record) -> tuple[object, ...]:
    return record.entry, record.past, record.retracted
