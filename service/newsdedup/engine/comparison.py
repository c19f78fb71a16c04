"""Two items compared as a rule compares them, for anyone who asks why: as values and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from newsdedup.core.events import Reason, WeightedTerm
from newsdedup.core.matching.explanation import (
    ExplainedItem,
    Explanation,
    FactsOfBoth,
    SharedTerm,
    explain_match,
)
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Language, NewsItem
from newsdedup.core.moments import is_dated, to_datetime
from newsdedup.core.stories.kinship import Kinship
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import ItemAnalyzer, entry_of


@dataclass(frozen=True, slots=True)
class ComparedItem:
    """One of the two items: what identifies it, and the side of it that a rule compares."""

    source: str
    id: str
    title: str
    lang: Language
    at: str | None
    """None when it has no time."""
    side: ExplainedItem
    words: Mapping[str, str] = field(default_factory=dict)
    """A word of its text for each of its stems."""


@dataclass(frozen=True, slots=True)
class ItemComparison:
    """Both items, with the rule that compares them."""

    a: ComparedItem
    b: ComparedItem
    rule: Rule
    kinship: Kinship | None = None
    """Their relation in the state that they come from, if they come from one."""


def compared_item(item: NewsItem, analyzer: ItemAnalyzer, *, title: str) -> ComparedItem:
    """Return an item as it would be judged first in a stream; `title` is what people are shown."""
    analyzed = analyzer.analyze(item)
    entry = entry_of(analyzed, at=effective_at(item, Watermark()))
    at = to_datetime(entry.effective_at).isoformat() if is_dated(item) else None
    side = ExplainedItem(entry, analyzed.terms)
    words = analyzer.documents.written(analyzed.document)
    return ComparedItem(*item.key, title, entry.lang, at, side, words)


def explain_comparison(comparison: ItemComparison) -> Explanation:
    """Return what the rule says of both items, and why."""
    a, b = comparison.a, comparison.b
    dated = a.at is not None and b.at is not None
    return explain_match(a.side, b.side, comparison.rule, dated=dated)


def explain_in_words(comparison: ItemComparison) -> Explanation:
    """Return what the rule says of both items for people: words of their texts in place of stems.

    Of what both have the words of A are shown.
    """
    why = explain_comparison(comparison)
    ours, theirs = comparison.a.words, comparison.b.words
    shared = [(ours.get(one.term, one.term), one.weight_a, one.weight_b) for one in why.shared]
    names = why.names
    return replace(
        why,
        shared=tuple([SharedTerm(*one) for one in shared]),
        only_a=_in_words(why.only_a, ours),
        only_b=_in_words(why.only_b, theirs),
        names=FactsOfBoth(
            both=tuple([ours.get(name, name) for name in names.both]),
            only_a=tuple([ours.get(name, name) for name in names.only_a]),
            only_b=tuple([theirs.get(name, name) for name in names.only_b]),
        ),
    )


def _in_words(
    terms: tuple[WeightedTerm, ...], words: Mapping[str, str]
) -> tuple[WeightedTerm, ...]:
    """Return terms with words in place of stems."""
    return tuple([WeightedTerm(words.get(one.term, one.term), one.weight) for one in terms])


def weighed_reasons(comparison: ItemComparison) -> tuple[Reason, ...]:
    """Return what each feature adds to the log-odds, the strongest first; () if none is weighed."""
    details = comparison.rule.details(comparison.a.side.entry, comparison.b.side.entry)
    return tuple([Reason(*each) for each in details.contributions])


def explanation_json(comparison: ItemComparison, why: Explanation) -> dict[str, object]:
    """Return both items, the explanation and their relation in the state, for JSON."""
    names = ("source", "id", "title", "lang", "at")
    a, b = (
        {**{name: getattr(one, name) for name in names}, "terms": one.side.terms}
        for one in (comparison.a, comparison.b)
    )
    return {"a": a, "b": b, "explanation": why, "in_state": comparison.kinship}
