"""newsdedup in a program of one's own: the same engine, in memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import msgspec

from newsdedup import bootstrap
from newsdedup.adapters import item_json
from newsdedup.adapters.memory_ledger import MemoryLedger
from newsdedup.adapters.memory_store import MemoryStore
from newsdedup.config import RuleSettings, Settings
from newsdedup.core.acts import Act
from newsdedup.core.events import Judgement
from newsdedup.core.model import NewsItem, Relation, Verdict
from newsdedup.core.window import MICROSECOND
from newsdedup.deduplicate import Deduplicate


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one item, and what it changed about others."""

    judgement: Judgement
    corrections: tuple[Judgement, ...] = ()
    """New verdicts on earlier items: a late original takes over its copies."""

    @property
    def verdict(self) -> Verdict:
        """Return `original` or `duplicate`."""
        return self.judgement.verdict

    @property
    def is_duplicate(self) -> bool:
        """Return whether the item repeats an earlier one."""
        return self.judgement.verdict == "duplicate"

    @property
    def relation(self) -> Relation:
        """Return how the item relates to the one it was matched with."""
        return self.judgement.relation

    @property
    def story(self) -> str:
        """Return the id of the story; duplicates share it."""
        return self.judgement.story.id

    @property
    def original(self) -> str:
        """Return the id of the story's original."""
        return self.judgement.story.original.id


class Deduplicator:
    """Judges items one after the other against those of the window.

    >>> deduplicator = Deduplicator()
    >>> deduplicator.judge({"id": "1", "title": "Fire at the port", "text": "..."}).verdict
    'original'
    """

    def __init__(
        self,
        *,
        window: timedelta = timedelta(hours=72),
        lateness: timedelta = timedelta(hours=24),
        duplicate: int = 6,
        similar: int = 3,
    ) -> None:
        """Prepare to judge: loading the dictionaries takes about a second."""
        settings = Settings(
            rule=RuleSettings(
                window=window, lateness=lateness, duplicate=duplicate, similar=similar
            )
        )
        rule = bootstrap.rule(settings)
        self._limits = bootstrap.limits(settings)
        self._analyze = bootstrap.analyze(settings, bootstrap.background(settings))
        self._deduplicate = Deduplicate(
            rule=rule,
            store=MemoryStore(rule),
            ledger=MemoryLedger(),
            lateness=lateness // MICROSECOND,
        )

    def judge(self, item: NewsItem | Mapping[str, object]) -> Judged:
        """Return the verdict on an item; raise InvalidItem if it can be none.

        A mapping has the fields of an item (docs/items.md): title, text, published_at, ...; what
        was judged before gets its stored verdict. An editor's act in a mapping is refused: see
        `tell`.
        """
        report = item if isinstance(item, NewsItem) else self._decoded(item)
        events = self._deduplicate.publish(self._analyze(report, b""))
        judgements = [e.payload for e in events if isinstance(e.payload, Judgement)]
        return Judged(judgements[0], tuple(judgements[1:]))

    def tell(self, act: Act) -> tuple[Judgement, ...]:
        """Return what a retraction or an editor's word changed about the items."""
        events = self._deduplicate.act(act)
        return tuple(e.payload for e in events if isinstance(e.payload, Judgement))

    def _decoded(self, item: Mapping[str, object]) -> NewsItem:
        received = item_json.decode(msgspec.json.encode(dict(item)), limits=self._limits)
        if not isinstance(received, NewsItem):
            raise TypeError("an act is told, not judged: use tell()")
        return received
