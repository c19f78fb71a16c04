"""The page that compares two pasted texts: what the rule says of them, and what differs."""

import asyncio
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from newsdedup.core.events import Reason
from newsdedup.core.matching.explanation import Explanation
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.engine.comparison import ItemComparison, explain_comparison, weighed_reasons
from newsdedup.server.judgements import CompareItems
from newsdedup.server.pages.stories import plain_paragraphs
from newsdedup.server.pages.word_diff import WordDiff, diff_words

MOST_PASTED_CHARS: Final = 100_000
"""Characters of each text: a long article; what is longer is cut."""

_MOST_TITLE_CHARS: Final = 300
"""Characters from which on a first line is no title."""


class CheckView(Struct, frozen=True, kw_only=True):
    """Two texts, and what the rule says of them; None before anything is pasted."""

    a: str
    b: str
    languages: tuple[str, ...]
    explanation: Explanation | None
    reasons: tuple[Reason, ...]
    """What the verifier weighed, the strongest first."""
    diff: WordDiff | None


async def check_view(form: Mapping[str, str], compare: CompareItems) -> CheckView:
    """Return the comparison of the texts in a form; nothing is kept of them."""
    a, b = (form.get(name, "")[:MOST_PASTED_CHARS].replace("\r\n", "\n") for name in "ab")
    if not (a.strip() and b.strip()):
        return CheckView(a=a, b=b, languages=(), explanation=None, reasons=(), diff=None)
    comparison = await compare(_pasted_item("A", a), _pasted_item("B", b))
    return await asyncio.to_thread(_explained, a, b, comparison)


def _explained(a: str, b: str, comparison: ItemComparison) -> CheckView:
    return CheckView(
        a=a,
        b=b,
        languages=(comparison.a.lang, comparison.b.lang),
        explanation=explain_comparison(comparison),
        reasons=weighed_reasons(comparison),
        diff=diff_words("\n".join(plain_paragraphs(a)), "\n".join(plain_paragraphs(b))),
    )


def _pasted_item(name: str, text: str) -> NewsItem:
    """Return a text as an item: its first line is the title, as in a .txt of `explain`."""
    title, _, rest = text.strip().partition("\n")
    if len(title) > _MOST_TITLE_CHARS:
        title, rest = "", text
    return NewsItem(ItemKey("", name), title.strip(), rest.strip())
