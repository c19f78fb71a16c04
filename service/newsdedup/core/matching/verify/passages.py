"""The messages of a digest as entries of their own, and which of them another item tells.

A digest matches another item by one passage only, so its own signature and view, which mix all of
them, are for whole copies of the digest. Each passage keeps what an item would keep of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.matching.digest import Message, messages
from newsdedup.core.matching.prefix import COMMON, HITS, Filing
from newsdedup.core.matching.verify.features import Comparison
from newsdedup.core.matching.verify.testimony import Testimony, mark
from newsdedup.core.matching.verify.view import view
from newsdedup.core.model import Document, Entry, Passage
from newsdedup.core.words.signature import signature
from newsdedup.core.words.vocabulary import Vocabulary

RAREST = 6
"""Terms of a passage that are keys, besides the pairs of its first sentence."""

TOLD = 0.5
"""Probability, by the texts alone, from which an item tells what a passage tells.

This and the next two by reading 60 pairs of telegram and web (docs/quality.md, 2026-11-21).
"""

HELD = 0.7
"""Share of a passage, by weight, from which an item that says more may hold it."""

HELD_TOLD = 0.2
"""Probability below which an item with the words of a passage tells something else."""


class Inside(NamedTuple):
    """A message of a digest that another item tells."""

    passage: int
    """Its place among the passages, from 0."""
    score: float


def passages(
    document: Document, day: date | None, vocabulary: Vocabulary, *, hour: int | None = None
) -> tuple[Passage, ...]:
    """Return what is kept of the messages of a digest; nothing of any other document."""
    found = messages(document, vocabulary)
    return tuple([_passage(each, document, day, hour, vocabulary) for each in found])


def _passage(
    message: Message,
    document: Document,
    day: date | None,
    hour: int | None,
    vocabulary: Vocabulary,
) -> Passage:
    alone = replace(document, title="", text=message.text, terms=message.terms)
    signed = signature(message.terms)
    said = extract_facts(message.text, message.forms, published=day, hour=hour)
    kept = mark(Testimony(view(alone, signed, said, vocabulary)))
    return Passage(tuple([term.key for term in signed.terms]), kept)


def filed(own: Filing, passages: Iterable[Passage]) -> Filing:
    """Return the keys of a digest with those of its passages: what tells one of them is found.

    Two rare terms make a candidate, or a pair of the first sentence; other items file and look
    up no key more than without digests.
    """
    counted = dict.fromkeys(own.counted)
    sure = dict.fromkeys(own.sure)
    for passage in passages:
        counted.update(dict.fromkeys([t for t in passage.terms if t < COMMON][:RAREST]))
        sure.update(dict.fromkeys(passage.mark.keys))
    return Filing(tuple(counted), tuple(sure))


def near(digest: Entry, item: Entry) -> Iterator[int]:
    """Yield the places of the passages that may tell what an item tells."""
    terms, keys = set(item.terms), set(item.marks[-1].keys)
    for place, (held, kept) in enumerate(digest.passages):
        if len(terms.intersection(held)) >= HITS or not keys.isdisjoint(kept.keys):
            yield place


def as_entry(digest: Entry, place: int) -> Entry:
    """Return a passage as an entry of its own, of the identity and time of its digest."""
    terms, kept = digest.passages[place]
    return digest._replace(terms=terms, marks=(kept,), passages=())


def tells(compared: Comparison, *, held: float, by_text: float, threshold: float) -> bool:
    """Return whether an item tells what a passage tells, in full or as one of its points.

    `held` is the share of the passage that the item holds. Where a figure or the day is another
    one the item is an update of the passage, unless the threshold calls it the same message.
    """
    features = compared.features
    if features.conflicts or features.opening_both or features.dates:
        return by_text >= max(TOLD, threshold)
    return by_text >= TOLD or (held >= HELD and by_text >= HELD_TOLD)


def best(found: Iterable[Inside]) -> Inside | None:
    """Return the passage with the highest score, the first of equal ones."""
    return max(found, key=lambda each: (each.score, -each.passage), default=None)
