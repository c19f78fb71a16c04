"""The outcomes of a collection in the engine, counted by item and source."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import LANGUAGES, Entry, Micros
from newsdedup.core.moments import is_dated
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.window import BUCKETS, Watermark, effective_at
from newsdedup.core.text.tokens import tokens
from newsdedup.data.languages import LANGUAGE_ROWS
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.collections.corpora import Corpus
from newsdedup_lab.report.study_stages import StepProgress
from newsdedup_lab.stats.publishers import SourceRank, count_references, outgoing_links

_LANGUAGES = [lang for lang in LANGUAGES if lang not in LANGUAGE_ROWS]
"""Those as words of which a query is read."""

LemmaQuery = tuple[frozenset[str], ...]
"""For each word that is looked for, the lemmas that it may be in some language."""


class ItemOutcome(NamedTuple):
    """The outcome of one item."""

    at: Micros | None
    """None for an item that tells no time."""
    source: str
    duplicate: bool
    original: str
    """The source of the original of its story."""
    in_query: bool
    """Whether the query finds it."""


@dataclass(frozen=True, slots=True)
class StreamOutcome:
    """The outcomes of all items, and the links of each source."""

    items: tuple[ItemOutcome, ...]
    addresses: dict[str, Counter[str]] = field(repr=False)
    """For each source, in how many of its items each address stands."""
    listing: int
    """Items that list links; those of the others are looked for in their texts."""
    linking: int
    """Items with any address of another host."""
    without_address: int
    """Items without an address of their own: a link to themselves looks like any other."""

    def publishers(self) -> list[SourceRank]:
        """Return the counts of each source, ordered by name.

        They are of items, duplicates, copies of and by other sources, and references to other
        sites.
        """
        items: Counter[str] = Counter()
        duplicates: Counter[str] = Counter()
        of_others: Counter[str] = Counter()
        copied: Counter[str] = Counter()
        for one in self.items:
            items[one.source] += 1
            duplicates[one.source] += one.duplicate
            if one.duplicate and one.original != one.source:
                of_others[one.source] += 1
                copied[one.original] += 1
        return [
            SourceRank(
                name,
                items[name],
                duplicates[name],
                of_others[name],
                copied[name],
                count_references(self.addresses[name], items=items[name]),
            )
            for name in sorted(items)
        ]


def judge_items(corpus: Corpus, query: LemmaQuery, watch: StepProgress) -> StreamOutcome:
    """Decide all items of a corpus in the order of their times; return their outcomes and links.

    In that order nothing comes late, so the first verdict of an item is its last. `query` flags the
    items that contain its words.
    """
    nowhere = Watermark()
    addresses: dict[str, Counter[str]] = {}
    arrivals: list[tuple[Entry, bool, bool]] = []
    listing = linking = homeless = 0
    for one in corpus.analyzed(watch):
        item = one.item
        links = outgoing_links(item)
        addresses.setdefault(item.key.source, Counter()).update(links)
        listing += bool(item.links)
        linking += bool(links)
        homeless += not item.url
        entry = entry_of(one, at=effective_at(item, nowhere))
        arrivals.append((entry, is_dated(item), matches_query(one, query)))
    arrivals.sort(key=lambda row: row[0].order)
    return StreamOutcome(
        _verdicts(arrivals, corpus.rule, watch), addresses, listing, linking, homeless
    )


def parse_query(words: str, corpus: Corpus) -> LemmaQuery:
    """Return for each word of a query its lemmas in any language; leave out stop words.

    Raise SettingsInvalid if no word remains.
    """
    vocabulary = corpus.analyzer.vocabulary
    found = []
    for form in tokens(words):
        lemmas = {term.lemma for lang in _LANGUAGES for term in vocabulary.terms([form], lang)}
        if lemmas:
            found.append(frozenset(lemmas))
    if not found:
        raise SettingsInvalid(f"--query {words!r}: holds no word that documents are known by")
    return tuple(found)


def matches_query(one: Analyzed, query: LemmaQuery) -> bool:
    """Return whether a document contains every word of a query; an empty query matches nothing."""
    if not query:
        return False
    lemmas = {term.lemma for term in one.document.terms}
    return not any(lemmas.isdisjoint(word) for word in query)


def _verdicts(
    arrivals: Sequence[tuple[Entry, bool, bool]], rule: Rule, watch: StepProgress
) -> tuple[ItemOutcome, ...]:
    """Decide and store the entries, in time order; return the outcome of each.

    `arrivals` are (entry, whether it is dated, whether the query matches).
    """
    store = MemoryStore(rule)
    width = max(1, rule.window // BUCKETS)
    found: list[ItemOutcome] = []
    with watch.step("judging", len(arrivals)) as advance:
        for entry, dated, matches in arrivals:
            bucket = entry.effective_at // width
            store.expire(before=bucket - BUCKETS - 1)
            store.store(decide(Publish(entry), rule, store), bucket=bucket)
            record = store.known(entry.key)
            if record is None:
                continue
            source = entry.key.source
            original = source if record.original is None else record.original.source
            duplicate = record.verdict == "duplicate"
            at = entry.effective_at if dated else None
            found.append(ItemOutcome(at, source, duplicate, original, matches))
            advance(1)
    return tuple(found)
