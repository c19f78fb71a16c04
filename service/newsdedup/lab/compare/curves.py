"""The three curves that seed 000 foretells, over edited texts."""

from random import Random

from newsdedup.core.fingerprints.megashingles import MEGASHINGLE_FUNCTIONS, Megashingles
from newsdedup.core.fingerprints.minhash import Minhash
from newsdedup.core.fingerprints.minima import seeded_functions
from newsdedup.core.fingerprints.prepared_text import hash_shingles
from newsdedup.core.fingerprints.word_lists import LIST_BYTES, LexRand
from newsdedup.core.model import Fingerprint
from newsdedup.lab.compare.edits import (
    Point,
    Texts,
    edited_to,
    jaccard,
    mean,
    of_words,
    share,
    trials,
    without,
)
from newsdedup.lab.compare.predictions import (
    I_MATCH_LEXICONS,
    I_MATCH_REMOVED,
    i_match_stability,
    megashingle_recall,
    minhash_variance,
)

EDITS = (1, 2, 3, 4, 5, 6)
SIMILARITIES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5)


def stability(texts: Texts, times: int, seed: int) -> list[Point]:
    """Return how often one of the further I-Match signatures outlives n edits.

    An edit takes a word of the lexicon out of the text, wherever it stands. Each trial draws
    lexicons of its own, or trials over one word would not be independent.
    """
    points = []
    for edits in EDITS:
        rng = Random(f"{seed} stability {edits}")  # noqa: S311 - trials must repeat
        hits = 0
        for trial, reading in trials(texts, times):
            method = LexRand(lexicons=I_MATCH_LEXICONS, removed=I_MATCH_REMOVED, seed=seed + trial)
            known = [w for w in sorted(set(reading.words)) if method.holds(w, texts.corpus)]
            left = without(reading.words, rng.sample(known, edits))
            before = method.sign(reading, texts.corpus)
            hits += _outlived(before, method.sign(of_words(reading, left), texts.corpus))
        points.append(share(edits, [i_match_stability(edits)] * times, hits))
    return points


def _outlived(before: Fingerprint, after: Fingerprint) -> bool:
    """Return whether a signature under a further lexicon is as it was; the first is the main."""
    none = bytes(LIST_BYTES)
    places = range(LIST_BYTES, len(before.body), LIST_BYTES)
    pairs = [(before.body[at : at + LIST_BYTES], after.body[at : at + LIST_BYTES]) for at in places]
    return any(one == other != none for one, other in pairs)


def recall(texts: Texts, times: int, seed: int) -> list[Point]:
    """Return how often two of six supershingles agree, by the similarity of the shingles.

    Each trial draws functions of its own; the formula is asked for the exact similarity of each.
    """
    points = []
    for similarity in SIMILARITIES:
        rng = Random(f"{seed} recall {similarity}")  # noqa: S311 - trials must repeat
        exact, hits = [], 0
        for trial, reading in trials(texts, times):
            drawn = seeded_functions(MEGASHINGLE_FUNCTIONS, seed=seed + trial)
            method = Megashingles(functions=drawn)
            words = edited_to(reading.words, similarity, method.shingle, texts.words, rng)
            exact.append(_exact(reading.words, words, method.shingle))
            before = method.sign(reading, texts.corpus)
            after = method.sign(of_words(reading, words), texts.corpus)
            hits += method.match(before, after) >= method.threshold
        predicted = [megashingle_recall(one) for one in exact]
        points.append(share(sum(exact) / times, predicted, hits))
    return points


def variance(texts: Texts, times: int, seed: int) -> list[Point]:
    """Return the mean square by which the share of equal minima misses the similarity."""
    points = []
    for similarity in SIMILARITIES:
        rng = Random(f"{seed} variance {similarity}")  # noqa: S311 - trials must repeat
        exact, squares = [], []
        for trial, reading in trials(texts, times):
            method = Minhash(functions=seeded_functions(128, seed=seed + trial))
            words = edited_to(reading.words, similarity, method.shingle, texts.words, rng)
            exact.append(_exact(reading.words, words, method.shingle))
            before = method.sign(reading, texts.corpus)
            after = method.sign(of_words(reading, words), texts.corpus)
            squares.append((method.match(before, after) - exact[-1]) ** 2)
        predicted = [minhash_variance(one, functions=128) for one in exact]
        points.append(mean(sum(exact) / times, predicted, squares))
    return points


def _exact(before: tuple[str, ...], after: tuple[str, ...], size: int) -> float:
    return jaccard(set(hash_shingles(before, size)), set(hash_shingles(after, size)))
