"""The page that checks a pasted text, against another one or against the archive.

The nearest item of the archive is the one that the state matches; without it, the items that share
the weightiest terms of the text are compared with it.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct

from newsdedup.adapters.formats.item_json import received_item
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.views import ItemDetail, ItemSummary
from newsdedup.core.events import Judgement, Reason
from newsdedup.core.matching.explanation import Explanation
from newsdedup.core.model import ItemKey, NewsItem, Relation
from newsdedup.engine.comparison import (
    ItemComparison,
    explain_comparison,
    explain_in_words,
    weighed_reasons,
)
from newsdedup.ports.errors import NewsdedupError
from newsdedup.server.http_errors import LOG
from newsdedup.server.pages.word_diff import WordDiff, diff_words
from newsdedup.server.pages.wording import plain_paragraphs
from newsdedup.server.services import ServerServices

_LEAST_UPDATE: Final = 0.1
"""Score below which texts that contradict each other count as different, and not as an update."""
_FEATURES: Final = re.compile(r"\([a-z_]+ -?\d+\.\d+: [+-]\d")
"""In a sentence that weighs features: their names and numbers, which the table of reasons has."""
CHECK_FIELDS: Final = ("against", "a", "b")
"""The values of the form."""
_MOST_PASTED_CHARS: Final = 100_000
"""Characters of each text: a long article; what is longer is cut."""
_MOST_TITLE_CHARS: Final = 300
"""Characters from which on a first line is no title."""
_PASTED_SOURCE: Final = "pasted.invalid"
"""The source of a text that is checked against the archive: no news has it."""
_MOST_COMPARED: Final = 6
"""Items that a text is compared with."""
_MATCHES: Final = 8
"""Items of one search that are candidates: the newest."""
_TERMS: Final = 8
"""Terms of a text that are searched for: the weightiest."""


class PairCheck(Struct, frozen=True, kw_only=True):
    """The verdict of the rule on two texts, and their differences."""

    languages: tuple[str, ...]
    explanation: Explanation
    reasons: tuple[Reason, ...]
    """What the verifier weighed, the strongest first."""
    relation: Relation
    """That of the explanation, or none where its score says too little."""
    sentences: tuple[str, ...]
    """What decided, and what would have to change, without what `reasons` have."""
    diff: WordDiff


class NearItem(Struct, frozen=True, kw_only=True):
    """An item near to a text, and the verdict of the rule on both."""

    summary: ItemSummary
    relation: Relation
    score: float | None


class CheckView(Struct, frozen=True, kw_only=True):
    """Pasted texts and their verdict; there is none before texts are pasted."""

    against: Literal["text", "archive"]
    a: str
    b: str
    """The second text; of a check against the archive the text of the nearest item."""
    pair: PairCheck | None
    looked: bool = False
    """Whether the archive was searched."""
    judgement: Judgement | None = None
    """What the text would be if it came now; None where there is no state."""
    would_be: Relation = "none"
    """Its relation, or none where its score says too little."""
    state_problem: str = ""
    """Why the state could not be asked."""
    nearest: ItemSummary | None = None
    """The item that `pair` compares the text with."""
    others: tuple[NearItem, ...] = ()
    """Further items that are near, the nearest first."""


async def check_view(form: Mapping[str, str], services: ServerServices) -> CheckView:
    """Return the verdict on a form's texts, storing nothing; raise StateUnusable if unreadable."""
    a, b = (form.get(name, "")[:_MOST_PASTED_CHARS].replace("\r\n", "\n") for name in "ab")
    if form.get("against") == "archive" or ("against" not in form and "b" not in form):
        if a.strip():
            return await _against_archive(a, services)
        return CheckView(against="archive", a=a, b="", pair=None)
    pair = None
    if a.strip() and b.strip():
        pair = await _compare(_pasted_item("A", a), _pasted_item("B", b), services)
    return CheckView(against="text", a=a, b=b, pair=pair)


async def _against_archive(text: str, services: ServerServices) -> CheckView:
    """Return the verdict on a text, and the comparison with the nearest item of the archive."""
    pasted = _pasted_item("A", text, source=_PASTED_SOURCE)
    judgement, problem = await _ask_state(pasted, services)
    nearest, others = None, list[NearItem]()
    if judgement is not None and (matched := judgement.matched) is not None:
        key = ItemKey(matched.source, matched.id)
        nearest = await services.pool.run(lambda reader: reader.item(key))
    if nearest is None:
        nearest, others = await _nearest_by_terms(pasted, services)
    pair, body = None, ""
    if nearest is not None:
        other = _archived_item(nearest)
        body = f"{other.title}\n{other.text}".strip()[:_MOST_PASTED_CHARS]
        pair = await _compare(pasted, other, services)
    return CheckView(
        against="archive",
        a=text,
        b=body,
        pair=pair,
        looked=True,
        judgement=judgement,
        would_be="none" if judgement is None else _relation_of(judgement),
        state_problem=problem,
        nearest=None if nearest is None else nearest.summary,
        others=tuple(others),
    )


async def _nearest_by_terms(
    pasted: NewsItem, services: ServerServices
) -> tuple[ItemDetail | None, list[NearItem]]:
    """Return the nearest archived item with terms of a text, None without one, and further ones."""
    itself = await services.compare(pasted, pasted)
    weighed = sorted(itself.a.side.terms, key=lambda one: (-one.weight, one.term))
    terms = [one.term for one in weighed[:_TERMS]]
    details = await services.pool.run(lambda reader: _candidates(reader, terms))
    ranked: list[tuple[float, NearItem, ItemDetail]] = []
    for detail in details:
        explained = explain_comparison(await services.compare(pasted, _archived_item(detail)))
        relation = _shown_relation(explained.relation, explained.score)
        near = NearItem(summary=detail.summary, relation=relation, score=explained.score)
        ranked.append((explained.duplicate + (explained.score or 0.0), near, detail))
    ranked.sort(key=lambda one: (-one[0], one[1].summary.at))  # of equal ones the earliest
    return ranked[0][2] if ranked else None, [near for _, near, _ in ranked[1:]]


def _candidates(reader: ArchiveReader, terms: Sequence[str]) -> list[ItemDetail]:
    """Return at most 6 archived items, those that searches for 2 or 3 of the terms find most."""
    groups = [terms[at : at + 3] for at in range(0, len(terms), 3)]
    groups += [terms[at : at + 4 : 3] for at in range(3)]
    hits: Counter[ItemKey] = Counter()
    for group in groups:
        if group:
            chosen = ItemFilter(text=" ".join(group))
            for summary in reader.search(chosen, limit=_MATCHES).items:
                hits[ItemKey(summary.source, summary.id)] += len(group)
    details = [reader.item(key) for key, _ in hits.most_common(_MOST_COMPARED)]
    return [detail for detail in details if detail is not None]


async def _ask_state(pasted: NewsItem, services: ServerServices) -> tuple[Judgement | None, str]:
    """Return the verdict of the state on a text, else the problem, "" if there is no state."""
    if services.checker is None:
        return None, ""
    fields = {"source": pasted.key.source, "title": pasted.title, "text": pasted.text}
    try:
        (result,) = await services.checker.check([msgspec.json.encode(fields)])
    except NewsdedupError as error:
        LOG.warning("unavailable reason=%s", error)
        return None, str(error)
    refusal = result.refusal
    return result.judgement, "" if refusal is None else refusal.reason


def _archived_item(detail: ItemDetail) -> NewsItem:
    """Return an archived item as it was received, without its times.

    If the received object is no item any more, title and text come from the archive.
    """
    item = received_item(bytes(detail.received), limits=LIMITS)
    if item is not None:
        return NewsItem(item.key, item.title, item.text)
    key = ItemKey(detail.summary.source, detail.summary.id)
    return NewsItem(key, detail.summary.title, detail.text)


async def _compare(a: NewsItem, b: NewsItem, services: ServerServices) -> PairCheck:
    """Return the verdict of the server's rule on two items, and the differences of their texts."""
    return await asyncio.to_thread(_explained, a, b, await services.compare(a, b))


def _explained(a: NewsItem, b: NewsItem, comparison: ItemComparison) -> PairCheck:
    """Return a comparison in words, with the differences of both texts."""
    texts = ["\n".join(plain_paragraphs(f"{one.title}\n{one.text}")) for one in (a, b)]
    explanation, reasons = explain_in_words(comparison), weighed_reasons(comparison)
    said = (*explanation.why, *explanation.otherwise)
    return PairCheck(
        languages=(comparison.a.lang, comparison.b.lang),
        explanation=explanation,
        reasons=reasons,
        relation=_shown_relation(explanation.relation, explanation.score),
        sentences=tuple([one for one in said if not (reasons and _FEATURES.search(one))]),
        diff=diff_words(*texts),
    )


def _shown_relation(relation: Relation, score: float | None) -> Relation:
    """Return the relation that a page shows: an update only where the texts may be of one thing."""
    return "none" if relation == "update" and (score or 0.0) < _LEAST_UPDATE else relation


def _relation_of(judgement: Judgement) -> Relation:
    """Return the relation of a verdict as a page tells it."""
    matched = judgement.matched
    return _shown_relation(judgement.relation, None if matched is None else matched.score)


def _pasted_item(name: str, text: str, *, source: str = "") -> NewsItem:
    """Return a text as an item with the id `name`; its first line is the title, unless too long."""
    title, _, rest = text.strip().partition("\n")
    if len(title) > _MOST_TITLE_CHARS:
        title, rest = "", text
    return NewsItem(ItemKey(source, name), title.strip(), rest.strip())
