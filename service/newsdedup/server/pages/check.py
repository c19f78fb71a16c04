"""The page that checks a pasted text, against another one or against what is archived."""

import asyncio
from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from newsdedup.archive.views import ItemSummary
from newsdedup.core.events import Judgement, Reason
from newsdedup.core.matching.explanation import Explanation
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.engine.comparison import ItemComparison, explain_comparison, weighed_reasons
from newsdedup.server.judgements import CompareItems
from newsdedup.server.pages.nearest import NearItem, NearItems, archived_item, find_near_items
from newsdedup.server.pages.stories import plain_paragraphs
from newsdedup.server.pages.word_diff import WordDiff, diff_words
from newsdedup.server.services import ServerServices

MOST_PASTED_CHARS: Final = 100_000
"""Characters of each text: a long article; what is longer is cut."""

_MOST_TITLE_CHARS: Final = 300
"""Characters from which on a first line is no title."""
PASTED_SOURCE: Final = "pasted.invalid"
"""The source of a text that is held against an archive: one that no news has."""


class PairCheck(Struct, frozen=True, kw_only=True):
    """What the rule says of two texts, and what differs."""

    languages: tuple[str, ...]
    explanation: Explanation
    reasons: tuple[Reason, ...]
    """What the verifier weighed, the strongest first."""
    diff: WordDiff


class CheckView(Struct, frozen=True, kw_only=True):
    """Pasted texts, and what the rule says of them; nothing before anything is pasted."""

    against: Literal["text", "archive"]
    a: str
    b: str
    """The second text; of a check against the archive the text of the nearest item."""
    pair: PairCheck | None
    looked: bool = False
    """Whether the archive was looked through."""
    judgement: Judgement | None = None
    """What the text would be if it came now; None where no state was asked."""
    state_problem: str = ""
    """Why the state could not be asked."""
    nearest: ItemSummary | None = None
    """The item that `pair` compares the text with."""
    others: tuple[NearItem, ...] = ()
    """Further items that are near, the nearest first."""


async def check_view(form: Mapping[str, str], services: ServerServices) -> CheckView:
    """Return what is said of the texts in a form; nothing is kept of them."""
    a, b = (form.get(name, "")[:MOST_PASTED_CHARS].replace("\r\n", "\n") for name in "ab")
    if form.get("against") == "archive":
        return await _against_archive(a, services)
    pair = None
    if a.strip() and b.strip():
        pair = await _compare(_pasted_item("A", a), _pasted_item("B", b), services.compare)
    return CheckView(against="text", a=a, b=b, pair=pair)


async def _against_archive(text: str, services: ServerServices) -> CheckView:
    if not text.strip():
        return CheckView(against="archive", a=text, b="", pair=None)
    pasted = _pasted_item("A", text, source=PASTED_SOURCE)
    near: NearItems = await find_near_items(pasted, services)
    pair, body = None, ""
    if near.nearest is not None:
        other = archived_item(near.nearest)
        body = f"{other.title}\n{other.text}".strip()[:MOST_PASTED_CHARS]
        pair = await _compare(pasted, other, services.compare)
    return CheckView(
        against="archive",
        a=text,
        b=body,
        pair=pair,
        looked=True,
        judgement=near.judgement,
        state_problem=near.state_problem,
        nearest=None if near.nearest is None else near.nearest.summary,
        others=near.others,
    )


async def _compare(a: NewsItem, b: NewsItem, compare: CompareItems) -> PairCheck:
    return await asyncio.to_thread(_explained, a, b, await compare(a, b))


def _explained(a: NewsItem, b: NewsItem, comparison: ItemComparison) -> PairCheck:
    texts = ["\n".join(plain_paragraphs(f"{one.title}\n{one.text}")) for one in (a, b)]
    return PairCheck(
        languages=(comparison.a.lang, comparison.b.lang),
        explanation=explain_comparison(comparison),
        reasons=weighed_reasons(comparison),
        diff=diff_words(*texts),
    )


def _pasted_item(name: str, text: str, *, source: str = "") -> NewsItem:
    """Return a text as an item: its first line is the title, as in a .txt of `explain`."""
    title, _, rest = text.strip().partition("\n")
    if len(title) > _MOST_TITLE_CHARS:
        title, rest = "", text
    return NewsItem(ItemKey(source, name), title.strip(), rest.strip())
