"""Two items compared as a rule compares them, for anyone who asks why: as values and as JSON."""

from dataclasses import dataclass

from newsdedup.core.events import Reason
from newsdedup.core.matching.explanation import ExplainedItem, Explanation, explain_match
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
    return ComparedItem(*item.key, title, entry.lang, at, side)


def explain_comparison(comparison: ItemComparison) -> Explanation:
    """Return what the rule says of both items, and why."""
    a, b = comparison.a, comparison.b
    dated = a.at is not None and b.at is not None
    return explain_match(a.side, b.side, comparison.rule, dated=dated)


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
