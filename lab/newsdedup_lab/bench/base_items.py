"""Real items, analyzed and judged once, from which others are made (made_items.py)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.bootstrap.rules import item_analyzer, make_rule, stream_recorder
from newsdedup.config import Settings
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.sketches import read_sketch
from newsdedup.core.matching.verify.view import TextView, lemma_codes
from newsdedup.core.model import Document, Term
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.records import Record
from newsdedup.core.text.tokens import sentences, tokens
from newsdedup.core.words.vocabulary import Vocabulary
from newsdedup.engine.analyzer import entry_of
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.bench.candidates import in_batches

BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)

WordNumbers = NDArray[np.int64]
"""Indexes into the word table of a base."""


@dataclass(frozen=True, slots=True)
class BaseItem:
    """An item of the base: its record, and what is needed to make others from it."""

    record: Record
    """As the engine judged it among the base items, with the entry as it was analyzed."""
    view: TextView
    start: WordNumbers
    """The content words of its first sentences, at least half of the text, in their order."""
    rest: WordNumbers
    """Those of the other sentences."""
    names: frozenset[int]
    """Those words that are names."""
    pairs: tuple[tuple[float, int], ...]
    """What the stream statistics count of it (stream_statistics.py)."""
    day: int
    """The day of its own time, before it was moved into the window."""


class Base:
    """Real items in an order in which all sources run at an even pace over the window."""

    def __init__(self, items: Sequence[NewsItem], settings: Settings) -> None:
        """Analyze and judge the dated items once, at even distances within the rule's window.

        Raise SettingsInvalid for another rule than `verified`.
        """
        self.items: list[BaseItem] = []
        self.numbers: dict[ItemKey, int] = {}
        """The index of each item by its key."""
        self._table: dict[int, int] = {}
        self._terms: list[Term] = []
        self._judge(even_pace(items), settings)
        self.keys = np.array([term.key for term in self._terms], np.int64)
        self.weights = np.array([term.weight for term in self._terms])
        counted = np.concatenate([np.unique(np.append(one.start, one.rest)) for one in self.items])
        self.counts = np.bincount(counted, minlength=len(self._terms))
        """How many items contain each word."""
        self.by_code = dict(
            zip(lemma_codes(self.keys.tolist()), range(len(self.keys)), strict=True)
        )
        """The index of each word by its code in a view."""
        self.donors = self._group_by_topic()

    def _judge(self, items: Sequence[NewsItem], settings: Settings) -> None:
        """Analyze and judge items in their order."""
        rule, recorder = learning_rule(settings)
        analyzer, store = item_analyzer(settings), MemoryStore(rule)
        engine = Deduplicate(rule=rule, store=store, ledger=MemoryLedger(), recorder=recorder)
        span = settings.rule.window
        halves, entries, days = [], [], []
        for number, item in enumerate(in_batches(items)):
            at = BEGIN + span * number / len(items)
            moved = replace(item, published_at=at, updated_at=None, seen_at=None)
            analyzed = analyzer.analyze(moved)
            halves.append(self._halves(analyzed.document, analyzer.documents.vocabulary))
            days.append(_published(item).toordinal())
            entries.append(entry_of(analyzed, at=to_micros(at)))
            engine.publish(replace(analyzed, document=replace(analyzed.document, text="")))
        pairs = [one.pairs for one in recorder.take_observations()]
        for entry, half, each, day in zip(entries, halves, pairs, days, strict=True):
            record = store.known(entry.key)
            if record is None or record.leader is None:
                record = Record(entry, leader=entry.key, original=entry.key)
            self.numbers[entry.key] = len(self.items)
            plain = record._replace(entry=entry, past=(), current=None, similar=None)
            view = read_sketch(entry).view
            self.items.append(BaseItem(plain, view, *half, each, day))

    def _halves(
        self, document: Document, vocabulary: Vocabulary
    ) -> tuple[WordNumbers, WordNumbers, frozenset[int]]:
        """Return the words of the first and of the other sentences, and those that are names."""
        words = [self._number(term) for term in document.terms]
        counts = [
            len(vocabulary.terms(tokens(one), document.lang)) for one in sentences(document.text)
        ]
        cut = next((end for end in accumulate(counts) if 2 * end >= len(words)), len(words))
        names = set(document.names)
        named = {
            number
            for number, term in zip(words, document.terms, strict=True)
            if term.lemma in names
        }
        return np.array(words[:cut], np.int64), np.array(words[cut:], np.int64), frozenset(named)

    def _number(self, term: Term) -> int:
        """Return the index of a word, a new one for a new word."""
        number = self._table.setdefault(term.key, len(self._terms))
        if number == len(self._terms):
            self._terms.append(term)
        return number

    def _group_by_topic(self) -> list[list[int]]:
        """Return for each item the leaders of its source and topic, the same list for all of them.

        The topic of an item is the term of its signature that most items of the source have.
        """
        by_source: dict[str, Counter[int]] = defaultdict(Counter)
        for one in self.items:
            by_source[one.record.key.source].update(one.record.entry.terms)
        groups: dict[tuple[str, int], list[int]] = defaultdict(list)
        found = []
        for number, one in enumerate(self.items):
            entry = one.record.entry
            common = by_source[entry.key.source]
            topic = max(entry.terms, key=lambda term: (common[term], term), default=0)
            group = groups[entry.key.source, topic]
            if one.record.leads and not entry.passages:
                group.append(number)
            found.append(group)
        return found


def learning_rule(settings: Settings) -> tuple[VerifiedRule, StatisticsRecorder]:
    """Return the rule `verified` and what learns for it; raise SettingsInvalid for other rules."""
    rule = make_rule(settings)
    recorder = stream_recorder(rule)
    if not isinstance(rule, VerifiedRule) or recorder is None:
        raise SettingsInvalid(f"made windows: only with rule verified, not {settings.rule.name}")
    return rule, recorder


def even_pace(items: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the dated items so that each source is spread evenly, in the order of its times."""
    by_source: dict[str, list[NewsItem]] = defaultdict(list)
    for item in items:
        if item.published_at is not None:
            by_source[item.key.source].append(item)
    placed: list[tuple[float, ItemKey, NewsItem]] = []
    for some in by_source.values():
        some.sort(key=_published)
        placed += [((rank + 0.5) / len(some), one.key, one) for rank, one in enumerate(some)]
    placed.sort(key=lambda one: one[:2])
    return [item for _, _, item in placed]


def _published(item: NewsItem) -> datetime:
    """Return the time of publication of a dated item."""
    return item.published_at or BEGIN
