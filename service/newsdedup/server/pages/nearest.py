"""The items of an archive that are nearest to a text: by the state, else by the text's terms."""

import logging
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.archive.filters import ItemFilter
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import ItemDetail, ItemSummary
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, NewsItem, Relation
from newsdedup.engine.comparison import explain_comparison
from newsdedup.ports.errors import InvalidItem, NewsdedupError
from newsdedup.server.services import ServerServices

LOG = logging.getLogger("newsdedup.server")
_MOST_COMPARED: Final = 6
"""Items that a text is compared with."""
_MATCHES: Final = 8
"""Items of one search that are candidates: the newest."""
_TERMS: Final = 8
"""Of a text that are searched for: the weightiest."""


class NearItem(Struct, frozen=True, kw_only=True):
    """An item near to a text, and what the rule says of both."""

    summary: ItemSummary
    relation: Relation
    score: float | None


class NearItems(NamedTuple):
    """What is near to a text."""

    judgement: Judgement | None
    """What the text would be if it came now; None where no state could be asked."""
    state_problem: str
    nearest: ItemDetail | None
    others: tuple[NearItem, ...]


async def find_near_items(pasted: NewsItem, services: ServerServices) -> NearItems:
    """Return the item that the state matches with a text; without one those of like terms.

    Nothing is stored. Raise StateUnusable if the archive cannot be read.
    """
    judgement, problem = await _ask_state(pasted, services)
    if judgement is not None and (matched := judgement.matched) is not None:
        key = ItemKey(matched.source, matched.id)
        detail = await services.pool.run(lambda reader: reader.item(key))
        if detail is not None:
            return NearItems(judgement, problem, detail, ())
    terms = await _weightiest_terms(pasted, services)
    details = await services.pool.run(lambda reader: _candidates(reader, terms))
    ranked: list[tuple[float, NearItem, ItemDetail]] = []
    for detail in details:
        explained = explain_comparison(await services.compare(pasted, archived_item(detail)))
        near = NearItem(summary=detail.summary, relation=explained.relation, score=explained.score)
        ranked.append((explained.duplicate + (explained.score or 0.0), near, detail))
    ranked.sort(key=lambda one: (-one[0], one[1].summary.at))  # of equal ones the earliest
    nearest = ranked[0][2] if ranked else None
    return NearItems(judgement, problem, nearest, tuple([near for _, near, _ in ranked[1:]]))


def archived_item(detail: ItemDetail) -> NewsItem:
    """Return an archived item as it was received, without its times; title and text at least."""
    try:
        item = decode_item(bytes(detail.received))
    except InvalidItem:
        item = None
    if not isinstance(item, NewsItem):
        key = ItemKey(detail.summary.source, detail.summary.id)
        return NewsItem(key, detail.summary.title, detail.text)
    return NewsItem(item.key, item.title, item.text)


async def _ask_state(pasted: NewsItem, services: ServerServices) -> tuple[Judgement | None, str]:
    """Return what the state says of a text, or why it says nothing; "" where there is none."""
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


async def _weightiest_terms(pasted: NewsItem, services: ServerServices) -> list[str]:
    """Return the terms that stand for a text, the weightiest first."""
    comparison = await services.compare(pasted, pasted)
    terms = sorted(comparison.a.side.terms, key=lambda one: (-one.weight, one.term))
    return [one.term for one in terms[:_TERMS]]


def _candidates(reader: ArchiveReader, terms: Sequence[str]) -> list[ItemDetail]:
    """Return the items that share most of the terms, each found by two or three of them."""
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
