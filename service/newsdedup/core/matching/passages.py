"""The messages of a digest as entries of their own, and which of them another item retells.

A digest matches another item by one passage only: its own signature and view, which mix all
messages, are for whole copies of the digest. A passage has the same sketch as an item would have.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.matching.digest import DigestMessage, digest_messages
from newsdedup.core.matching.prefix import COMMON_TERM, HITS, IndexKeys
from newsdedup.core.matching.verify.features import Features
from newsdedup.core.matching.verify.sketches import VerifierSketch, pack_sketch
from newsdedup.core.matching.verify.view import view_document
from newsdedup.core.model import Document, Entry, Passage
from newsdedup.core.words.signature import signature
from newsdedup.core.words.vocabulary import Vocabulary

KEY_TERMS = 6
"""The rarest terms of a passage are keys, besides the pairs of its first sentence."""

_RETOLD = 0.5
"""Probability, by the texts alone, from which an item retells a passage.

This and the next two by reading 60 pairs of telegram and web (docs/quality.md, 2026-11-21).
"""

_COVERED = 0.7
"""Share of a passage, by weight, from which an item that says more may contain it."""

_COVERED_RETOLD = 0.2
"""Probability below which an item with the words of a passage says something else."""


class PassageMatch(NamedTuple):
    """A message of a digest that another item retells."""

    passage: int
    """Its index among the passages, from 0."""
    score: float


def build_passages(
    document: Document, day: date | None, vocabulary: Vocabulary, *, hour: int | None = None
) -> tuple[Passage, ...]:
    """Return a passage for each message of a digest, in order; nothing for any other document.

    `day` and `hour` are those of the publication, None if unknown.
    """

    def build(message: DigestMessage) -> Passage:
        alone = replace(document, title="", text=message.text, terms=message.terms)
        signed = signature(message.terms)
        facts = extract_facts(message.text, message.forms, published=day, hour=hour)
        sketch = pack_sketch(VerifierSketch(view_document(alone, signed, facts, vocabulary)))
        return Passage(tuple([term.key for term in signed.terms]), sketch)

    return tuple(map(build, digest_messages(document, vocabulary)))


def add_passage_keys(own: IndexKeys, passages: Iterable[Passage]) -> IndexKeys:
    """Return the keys of a digest with those of its passages, by which retelling items are found.

    An item becomes a candidate by two rare terms of a passage, or by a pair of heavy lemmas of its
    first sentence. Other items need no additional keys.
    """
    counted = dict.fromkeys(own.counted)
    sure = dict.fromkeys(own.sure)
    for passage in passages:
        rare = [term for term in passage.terms if term < COMMON_TERM]
        counted.update(dict.fromkeys(rare[:KEY_TERMS]))
        sure.update(dict.fromkeys(passage.sketch.keys))
    return IndexKeys(tuple(counted), tuple(sure))


def candidate_passages(digest: Entry, item: Entry) -> Iterator[int]:
    """Yield the indexes of the passages that share two terms or a key with an item."""
    terms, keys = set(item.terms), set(item.sketches[-1].keys)
    for index, (theirs, sketch) in enumerate(digest.passages):
        if len(terms.intersection(theirs)) >= HITS or not keys.isdisjoint(sketch.keys):
            yield index


def passage_entry(digest: Entry, index: int) -> Entry:
    """Return a passage as an entry of its own, of the identity and time of its digest."""
    terms, sketch = digest.passages[index]
    return digest._replace(terms=terms, sketches=(sketch,), passages=())


def retells_passage(
    features: Features, *, cover: float, text_probability: float, threshold: float
) -> bool:
    """Return whether an item tells what a passage tells, in full or as one of its points.

    `cover` is the share of the passage, by weight, that the item contains; `text_probability` is
    that of one message by the texts alone. Where a quantity or the day is another one the item is
    an update of the passage, unless the `threshold` of the rule calls it the same message.
    """
    if features.conflicts or features.opening_both or features.dates:
        return text_probability >= max(_RETOLD, threshold)
    likely = text_probability >= _COVERED_RETOLD and cover >= _COVERED
    return likely or text_probability >= _RETOLD
