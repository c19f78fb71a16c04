"""Made-up texts, edited at random: what the formulas of the seeds foretell, and what happens."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from random import Random

import msgspec

from newsdedup.adapters.formats.item_json import decode
from newsdedup.core.document import Analyzer
from newsdedup.core.fingerprints.corpus import CorpusStats, count_corpus
from newsdedup.core.fingerprints.prepared_text import (
    PreparedText,
    TextPart,
    hash_shingles,
    prepare_text,
)
from newsdedup.core.model import NewsItem
from newsdedup.synthetic.stream import stream

JOINED = 4
"""Reports that make one text: of a single one, an edit changes too much at a time."""
SPREAD = 1.96
"""Standard deviations on either side that hold 95 % of a normal distribution."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One place of a curve: what was foretold, and the share or the mean of many trials."""

    x: float
    predicted: float
    measured: float
    low: float
    high: float
    trials: int

    @property
    def inside(self) -> bool:
        """Return whether the prediction is in the 95 % interval of what was measured."""
        return self.low <= self.predicted <= self.high


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts to be edited, the words that edits put in, and how common all of them are."""

    readings: tuple[PreparedText, ...]
    words: Words
    corpus: CorpusStats


def made_texts(analyzer: Analyzer, reports: int, *, seed: int) -> Texts:
    """Return texts of several made-up reports each."""
    found = []
    for planted in stream(reports, seed=seed, languages=("ru",)):
        item = decode(msgspec.json.encode(planted.item))
        if isinstance(item, NewsItem):
            found.append(prepare_text(analyzer.document(item), analyzer.vocabulary))
    joined = [_joined(found[at : at + JOINED]) for at in range(0, len(found) - JOINED + 1, JOINED)]
    words = sorted({word for reading in found for word in reading.words})
    return Texts(tuple(joined), tuple(words), count_corpus(found))


def _joined(readings: Sequence[PreparedText]) -> PreparedText:
    words = tuple(word for reading in readings for word in reading.words)
    return of_words(readings[0], words)


def of_words(reading: PreparedText, words: Words) -> PreparedText:
    """Return a reading with other words; what only tells of sentences stays behind."""
    return replace(reading, whole=TextPart(words, ()), sentences=(words,))


def without(words: Words, gone: Sequence[str]) -> Words:
    """Return the words without some of them, wherever they stand."""
    left_out = set(gone)
    return tuple(word for word in words if word not in left_out)


def edited_to(words: Words, similarity: float, size: int, others: Words, rng: Random) -> Words:
    """Return the words with so many replaced that their shingles are as similar as asked, or less.

    One word at a time, anywhere; the first text at or below the similarity is taken.
    """
    before = set(hash_shingles(words, size))
    changed = list(words)
    while jaccard(before, set(hash_shingles(changed, size))) > similarity:
        changed[rng.randrange(len(changed))] = rng.choice(others)
    return tuple(changed)


def jaccard(one: set[int], other: set[int]) -> float:
    """Return the share of all shingles that both have."""
    return len(one & other) / len(one | other)


def share(x: float, predicted: Sequence[float], hits: int) -> Point:
    """Return the point of a share, with the interval of Wilson (1927)."""
    n = len(predicted)
    measured = hits / n
    square = SPREAD * SPREAD
    middle = (measured + square / (2 * n)) / (1 + square / n)
    half = SPREAD * sqrt(measured * (1 - measured) / n + square / (4 * n * n)) / (1 + square / n)
    # At 0 and at 1 the interval begins and ends there, which floats may miss by a bit.
    low = 0.0 if hits == 0 else middle - half
    high = 1.0 if hits == n else middle + half
    return Point(x, sum(predicted) / n, measured, low, high, n)


def mean(x: float, predicted: Sequence[float], values: Sequence[float]) -> Point:
    """Return the point of a mean of many values."""
    n = len(values)
    measured = sum(values) / n
    spread = sqrt(sum((value - measured) ** 2 for value in values) / (n - 1))
    half = SPREAD * spread / sqrt(n)
    return Point(x, sum(predicted) / n, measured, measured - half, measured + half, n)


def trials(texts: Texts, times: int) -> Iterator[tuple[int, PreparedText]]:
    """Yield so many texts with a number of their own, the same text again where there are fewer."""
    for trial in range(times):
        yield trial, texts.readings[trial % len(texts.readings)]


Curve = Callable[[Texts, int, int], list[Point]]
"""Texts, trials, seed."""
