"""Predicted and measured curves of paper 000 over made-up texts that are edited at random."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb, sqrt
from random import Random

import msgspec

from newsdedup import NewsItem
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.core.document import Analyzer
from newsdedup.core.fingerprints.corpus import (
    CorpusStats,
    PreparedText,
    TextPart,
    count_corpus,
    hash_shingles,
    prepare_text,
)
from newsdedup.core.fingerprints.shingles import (
    MEGASHINGLE_FUNCTIONS,
    Megashingles,
    Minhash,
    seeded_functions,
)
from newsdedup.core.fingerprints.word_lists import LIST_BYTES, LexRand
from newsdedup.core.model import Fingerprint
from newsdedup.synthetic.stream import generate_stream

REPORTS_PER_TEXT = 4
"""Reports that make one text: of a single one, an edit changes too much at a time."""
_SPREAD = 1.96
"""Standard deviations on either side that hold 95 % of a normal distribution."""

_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrialPoint:
    """A point of a curve: the predicted value, and the measured share or mean with its interval."""

    x: float
    predicted: float
    measured: float
    low: float
    high: float
    trials: int

    @property
    def inside(self) -> bool:
        """Return whether the prediction lies in the 95 % interval of the measured value."""
        return self.low <= self.predicted <= self.high


@dataclass(frozen=True, slots=True)
class EditableTexts:
    """Readings to edit, the words that edits insert, and the corpus statistics of both."""

    readings: tuple[PreparedText, ...]
    words: _Words
    corpus: CorpusStats


def synthesize_texts(analyzer: Analyzer, reports: int, *, seed: int) -> EditableTexts:
    """Return texts of 4 made-up Russian reports each, of `reports` in all; drop a remainder.

    Alongside them are the words of all reports, to insert by edits, and their corpus statistics.
    """
    found = []
    for planted in generate_stream(reports, seed=seed, languages=("ru",)):
        item = decode_item(msgspec.json.encode(planted.item))
        if isinstance(item, NewsItem):
            found.append(prepare_text(analyzer.document(item), analyzer.vocabulary))
    joined = [
        _join_readings(found[at : at + REPORTS_PER_TEXT])
        for at in range(0, len(found) - REPORTS_PER_TEXT + 1, REPORTS_PER_TEXT)
    ]
    words = sorted({word for reading in found for word in reading.words})
    return EditableTexts(tuple(joined), tuple(words), count_corpus(found))


def _join_readings(readings: Sequence[PreparedText]) -> PreparedText:
    """Return the first reading with the words of all readings, as one sentence."""
    words = tuple(word for reading in readings for word in reading.words)
    return with_words(readings[0], words)


def with_words(reading: PreparedText, words: _Words) -> PreparedText:
    """Return a copy of the reading with these words instead of its own, as one sentence."""
    return replace(reading, whole=TextPart(words, ()), sentences=(words,))


def remove_words(words: _Words, gone: Sequence[str]) -> _Words:
    """Return the words in their order, without all occurrences of those in `gone`."""
    left_out = set(gone)
    return tuple(word for word in words if word not in left_out)


def edit_to_similarity(
    words: _Words, similarity: float, size: int, others: _Words, rng: Random
) -> _Words:
    """Return the words with random ones replaced until their similarity is at most `similarity`.

    That is the Jaccard similarity to the original of the shingles of `size` words. Each step
    replaces one word by one of `others`, so the result may be a little less similar.
    """
    before = set(hash_shingles(words, size))
    changed = list(words)
    while jaccard(before, set(hash_shingles(changed, size))) > similarity:
        changed[rng.randrange(len(changed))] = rng.choice(others)
    return tuple(changed)


def jaccard(one: set[int], other: set[int]) -> float:
    """Return the Jaccard similarity of two sets of shingles, not both empty."""
    return len(one & other) / len(one | other)


def share_point(x: float, predicted: Sequence[float], hits: int) -> TrialPoint:
    """Return the point at `x` of a share: `hits` of as many trials as there are predictions.

    Its prediction is the mean of `predicted`, its interval that of Wilson (1927).
    """
    n = len(predicted)
    measured = hits / n
    square = _SPREAD * _SPREAD
    middle = (measured + square / (2 * n)) / (1 + square / n)
    half = _SPREAD * sqrt(measured * (1 - measured) / n + square / (4 * n * n)) / (1 + square / n)
    # At 0 and at 1 the interval begins and ends there, which floats may miss by a bit.
    low = 0.0 if hits == 0 else middle - half
    high = 1.0 if hits == n else middle + half
    return TrialPoint(x, sum(predicted) / n, measured, low, high, n)


def mean_point(x: float, predicted: Sequence[float], values: Sequence[float]) -> TrialPoint:
    """Return the point at `x` of the mean of at least two values, with its normal 95 % interval.

    Its prediction is the mean of `predicted`.
    """
    n = len(values)
    measured = sum(values) / n
    spread = sqrt(sum((value - measured) ** 2 for value in values) / (n - 1))
    half = _SPREAD * spread / sqrt(n)
    return TrialPoint(x, sum(predicted) / n, measured, measured - half, measured + half, n)


def trial_readings(texts: EditableTexts, times: int) -> Iterator[tuple[int, PreparedText]]:
    """Yield (trial number, reading) `times` times, starting over after the last reading."""
    for trial in range(times):
        yield trial, texts.readings[trial % len(texts.readings)]


I_MATCH_REMOVED = 0.33
I_MATCH_LEXICONS = 10
"""The recommended parameters of Kolcz, Chowdhury and Alspector (2004)."""
MEGASHINGLE_RECALL_PRINTED = {0.75: 0.33, 0.80: 0.42, 0.85: 0.50}
"""Recall by similarity as Zelenkov and Segalovich (2007) print it; their own arithmetic is
rougher than the formula, which gives 0.29, 0.49 and 0.73."""


def i_match_stability(
    edits: int, *, removed: float = I_MATCH_REMOVED, lexicons: int = I_MATCH_LEXICONS
) -> float:
    """Return the chance that one of K I-Match signatures outlives n random edits.

    1 - (1 - p^n)^K, with p the share of words that each additional lexicon leaves out: p^n is the
    chance that all edited words are among those. The main lexicon, which any edit reaches, is
    not counted (Kolcz, Chowdhury, Alspector 2004).
    """
    return 1 - (1 - removed**edits) ** lexicons


def supershingle_agreement(jaccard: float, *, functions: int = 6) -> float:
    """Return the chance that all minima of one group agree: p^functions.

    p is the Jaccard similarity of the two sets of shingles, the chance that one minimum agrees.
    """
    return jaccard**functions


def megashingle_recall(
    jaccard: float, *, functions: int = 6, groups: int = 6, needed: int = 2
) -> float:
    """Return the chance that at least `needed` of `groups` supershingles agree.

    sum over k >= needed of C(groups, k) q^k (1 - q)^(groups - k), q = jaccard^functions; for two of
    six 1 - (1 - q)^6 - 6 q (1 - q)^5 (Fetterly, Manasse, Najork 2003: 14 functions in each of the 6
    groups; Zelenkov, Segalovich 2007: 6).
    """
    q = supershingle_agreement(jaccard, functions=functions)
    return sum(comb(groups, k) * q**k * (1 - q) ** (groups - k) for k in range(needed, groups + 1))


def minhash_variance(jaccard: float, *, functions: int) -> float:
    """Return the variance of the share of equal minima: J (1 - J) / m.

    Each of the m functions agrees with chance J, by itself (Broder 1997).
    """
    return jaccard * (1 - jaccard) / functions


EDITS = (1, 2, 3, 4, 5, 6)
SIMILARITIES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5)


def stability(texts: EditableTexts, times: int, seed: int) -> list[TrialPoint]:
    """Return, by number of edits, the share of trials that leave an I-Match signature unchanged.

    An edit removes all occurrences of one word of the I-Match lexicon. It is enough that the
    signature by one of the additional lexicons stays. Each of the `times` trials draws its own
    lexicons: with shared ones, trials that remove the same word would not be independent.
    """
    points = []
    for edits in EDITS:
        rng = Random(f"{seed} stability {edits}")  # noqa: S311 - trials must repeat
        hits = 0
        for trial, reading in trial_readings(texts, times):
            method = LexRand(lexicons=I_MATCH_LEXICONS, removed=I_MATCH_REMOVED, seed=seed + trial)
            known = [w for w in sorted(set(reading.words)) if method.holds(w, texts.corpus)]
            left = remove_words(reading.words, rng.sample(known, edits))
            before = method.sign(reading, texts.corpus)
            hits += _is_signature_stable(
                before, method.sign(with_words(reading, left), texts.corpus)
            )
        points.append(share_point(edits, [i_match_stability(edits)] * times, hits))
    return points


def _is_signature_stable(before: Fingerprint, after: Fingerprint) -> bool:
    """Return whether an additional signature is unchanged; the first, main one does not count."""
    none = bytes(LIST_BYTES)
    indexes = range(LIST_BYTES, len(before.body), LIST_BYTES)
    pairs = [
        (before.body[at : at + LIST_BYTES], after.body[at : at + LIST_BYTES]) for at in indexes
    ]
    return any(one == other != none for one, other in pairs)


def recall(texts: EditableTexts, times: int, seed: int) -> list[TrialPoint]:
    """Return, by similarity, the share of trials in which at least two of six supershingles agree.

    Each of the `times` trials draws its own hash functions and edits a text to the similarity; the
    prediction uses the exact similarity before and after.
    """
    points = []
    for similarity in SIMILARITIES:
        rng = Random(f"{seed} recall {similarity}")  # noqa: S311 - trials must repeat
        exact, hits = [], 0
        for trial, reading in trial_readings(texts, times):
            drawn = seeded_functions(MEGASHINGLE_FUNCTIONS, seed=seed + trial)
            method = Megashingles(functions=drawn)
            words = edit_to_similarity(reading.words, similarity, method.shingle, texts.words, rng)
            exact.append(_exact_similarity(reading.words, words, method.shingle))
            before = method.sign(reading, texts.corpus)
            after = method.sign(with_words(reading, words), texts.corpus)
            hits += method.match(before, after) >= method.threshold
        predicted = [megashingle_recall(one) for one in exact]
        points.append(share_point(sum(exact) / times, predicted, hits))
    return points


def variance(texts: EditableTexts, times: int, seed: int) -> list[TrialPoint]:
    """Return, by similarity, the mean square error of minhash's estimate of it over the trials.

    Each of the `times` trials draws its own hash functions and edits a text to the similarity; the
    prediction uses the exact similarity before and after.
    """
    points = []
    for similarity in SIMILARITIES:
        rng = Random(f"{seed} variance {similarity}")  # noqa: S311 - trials must repeat
        exact, squares = [], []
        for trial, reading in trial_readings(texts, times):
            method = Minhash(functions=seeded_functions(128, seed=seed + trial))
            words = edit_to_similarity(reading.words, similarity, method.shingle, texts.words, rng)
            exact.append(_exact_similarity(reading.words, words, method.shingle))
            before = method.sign(reading, texts.corpus)
            after = method.sign(with_words(reading, words), texts.corpus)
            squares.append((method.match(before, after) - exact[-1]) ** 2)
        predicted = [minhash_variance(one, functions=128) for one in exact]
        points.append(mean_point(sum(exact) / times, predicted, squares))
    return points


def _exact_similarity(before: tuple[str, ...], after: tuple[str, ...], size: int) -> float:
    """Return the Jaccard similarity of the shingles of `size` words of two texts."""
    return jaccard(set(hash_shingles(before, size)), set(hash_shingles(after, size)))
