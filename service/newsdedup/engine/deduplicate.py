"""The use case: what arrives goes in, what must be published comes out.

One pass, one direction: document, signature, entry, decision, events. Batches only make the edge
cheaper; the events are the same for any batch size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import (
    Document,
    Entry,
    Fingerprint,
    Micros,
    NewsItem,
    Passage,
    Signature,
)
from newsdedup.core.moments import MICROSECOND, is_dated, version_stamp
from newsdedup.core.stories.acts import Act, Publish, Retract
from newsdedup.core.stories.judge import CASCADE_BOUND, Deciding, decide
from newsdedup.core.stories.publication import Settlement
from newsdedup.core.stories.records import Answer, Known, Leaders, Question, Record
from newsdedup.core.stories.window import Buckets, Watermark, effective_at
from newsdedup.engine.event_writer import Arrival, Event, Herald
from newsdedup.ports.errors import Ledger, Store

LATENESS = timedelta(hours=24) // MICROSECOND
"""How far behind the newest item another may come and still be placed exactly."""


@dataclass(frozen=True, slots=True)
class Analyzed:
    """An item with all that its text alone tells."""

    item: NewsItem
    document: Document
    signature: Signature
    marks: tuple[Fingerprint, ...] = ()
    """Further fingerprints, in the order of the rule."""
    received: bytes = b""
    """The bytes it came as; they are published again with the verdict."""
    passages: tuple[Passage, ...] = ()
    """Its messages, if it is a digest and the rule looks into digests."""


class School(Protocol):
    """What lets a rule learn from the stream, causally."""

    def frozen(self, entry: Entry) -> Entry:
        """Return an entry that knows what has been taught when it is admitted."""
        ...

    def learn(self, entry: Entry, near: Sequence[Record]) -> None:
        """Count an admitted entry and the leaders that it was compared with."""
        ...


class Answers(Protocol):
    """What can be asked: a Store as far as a decision needs it."""

    def answer(self, question: Question) -> Answer:
        """Return the records asked for, in no order."""
        ...


class Asked:
    """A store that is asked about an entry, and what it said of the leaders near it."""

    def __init__(self, store: Store, entry: Entry) -> None:
        self._store = store
        self._entry = entry
        self._leaders: Answer | None = None

    def answer(self, question: Question) -> Answer:
        """Return the records asked for, in no order."""
        answer = self._store.answer(question)
        if isinstance(question, Leaders) and question.near is self._entry:
            self._leaders = answer
        return answer

    def leaders_after(self, settlement: Settlement) -> Answer:
        """Return the leaders near the entry after its decision was stored; itself may be missing.

        Mostly the entry's own record is all that changed: then the others are as they were.
        """
        own = len(settlement.changed) == 1 and settlement.changed[0].key == self._entry.key
        if own and self._leaders is not None:
            return self._leaders
        return self._store.answer(Leaders(self._entry))


class Deduplicate:
    """Judges what arrives, one after the other; the keeper of the watermark."""

    def __init__(
        self,
        *,
        rule: Rule,
        store: Store,
        ledger: Ledger,
        lateness: Micros = LATENESS,
        bound: int = CASCADE_BOUND,
        generation: int = 0,
        watermark: Watermark | None = None,
        school: School | None = None,
    ) -> None:
        self.rule = rule
        self.watermark = watermark or Watermark()
        self.cut_short = 0
        """How many items got a place unjudged because a cascade reached its bound."""
        self._store = store
        self._ledger = ledger
        self._lateness = lateness
        self._bound = bound
        self._buckets = Buckets(rule.window, lateness)
        self._herald = Herald(store, ledger, rule, generation=generation)
        self._school = school
        self._floor: int | None = None
        self._expire()

    def publish(self, analyzed: Analyzed) -> list[Event]:
        """Return what a version of an item makes known; a known version its stored event."""
        key, version = analyzed.item.key, analyzed.document.version
        known = self._store.answer(Known(key))
        if known and known[0].knows(version):
            return [self._herald.repeat(key, version)]
        entry = entry_of(analyzed, at=effective_at(analyzed.item, self.watermark))
        if self._school is not None:
            entry = self._school.frozen(entry)
        mark = self.watermark
        late = mark.at is not None and entry.effective_at < mark.at - self._lateness
        self.watermark = mark.after(
            entry.effective_at, leap=self.rule.window, dated=is_dated(analyzed.item)
        )
        self._expire()
        bucket = self._buckets.of(entry.effective_at, self.watermark)
        asked = Asked(self._store, entry)
        settlement = self._settle(Publish(entry, life=bucket), bucket=bucket, store=asked)
        if self._school is not None:
            self._school.learn(entry, asked.leaders_after(settlement))
        arrival = Arrival(analyzed.signature, analyzed.received, late)
        kept_until = self._store.bucket(entry.key)
        return self._herald.events(settlement, bucket=kept_until, arrival=arrival)

    def act(self, act: Act) -> list[Event]:
        """Return what a retraction or an editor's word makes known."""
        bucket = self._buckets.of(0, self.watermark)
        if isinstance(act, Retract):
            self._ledger.erase(act.key)
        settlement = self._settle(act, bucket=bucket, store=self._store)
        return self._herald.events(settlement, bucket=bucket)

    def _settle(self, act: Act, *, bucket: int, store: Answers) -> Settlement:
        settlement = answered(decide(act, self.rule, bound=self._bound), store)
        self._store.store(settlement, bucket=bucket)
        self.cut_short += settlement.cut_short
        return settlement

    def _expire(self) -> None:
        """Forget what came before the window and the lateness, by the time it came in."""
        floor = self._buckets.floor(self.watermark)
        if floor is not None and floor != self._floor:
            self._floor = floor
            self._store.expire(before=floor)
            self._ledger.expire(before=floor)


def answered(deciding: Deciding, store: Answers) -> Settlement:
    """Return a decision's outcome, its questions answered by a store."""
    try:
        question = next(deciding)
        while True:
            question = deciding.send(store.answer(question))
    except StopIteration as done:
        settlement: Settlement = done.value
        return settlement


def entry_of(analyzed: Analyzed, *, at: Micros) -> Entry:
    """Return what is kept of an item that was admitted at an effective time."""
    document = analyzed.document
    return Entry(
        key=analyzed.item.key,
        version=document.version,
        stamp=version_stamp(analyzed.item),
        effective_at=at,
        lang=document.lang,
        terms=tuple([term.key for term in analyzed.signature.terms]),
        numbers=document.numbers,
        names=document.names,
        marks=analyzed.marks,
        passages=analyzed.passages,
    )
