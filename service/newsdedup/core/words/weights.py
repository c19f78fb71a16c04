"""What a term weighs, by the formulas of the papers, and the signature: the weightiest terms."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt

from newsdedup.core.model import Signature, Term
from newsdedup.core.words.background import PRIOR, UNSEEN_DOCUMENTS, Frequency

OPTIMAL_IDF = 9.0
"""Idf of the words that describe a text best: 123 documents in a million.

Paper 000 took 11.5, 10 in a million, for a web collection. Measured on news it is a plateau from 8
to 11.5, and 9 finds most candidates: docs/decisions/0003-background-and-weights.md."""


def idf(*, df: float, documents: float) -> float:
    """Return how rare a lemma is, in nats: -ln(df / N)."""
    return -log(df / documents)


def probabilistic_idf(*, df: float, documents: float) -> float:
    """Return the idf of Okapi BM25, not below zero: ln((N - df + 0.5) / (df + 0.5))."""
    return max(0.0, log((documents - df + 0.5) / (df + 0.5)))


def residual_idf(*, df: float, cf: float, documents: float) -> float:
    """Return how much rarer a lemma is than chance would make it (Church, Gale 1995).

    -ln(df / N) + ln(1 - exp(-cf / N)): the idf observed, less the idf of a lemma scattered at
    random over the documents with the same number of occurrences.
    """
    return idf(df=df, documents=documents) + log(1.0 - exp(-cf / documents))


def optimal_idf(*, df: float, documents: float, optimum: float = OPTIMAL_IDF) -> float:
    """Return 1 for a lemma of the optimal frequency, less for any other (Maslov, paper 000, A10).

    sqrt(idf / optimum) below the optimum: common words lose slowly, as a parabola does;
    optimum / idf above it: rare words, often noise, lose fast, as a hyperbola does.
    """
    rarity = idf(df=df, documents=documents)
    return sqrt(rarity / optimum) if rarity < optimum else optimum / rarity


def augmented_tf(tf: int, tf_max: int, _length: float = 1.0) -> float:
    """Return 0.5 + 0.5 * tf / tf_max: between a half and one, whatever the length."""
    return 0.5 + 0.5 * tf / tf_max


def saturated_tf(tf: int, _tf_max: int, length: float) -> float:
    """Return tf / (2 * (0.25 + 0.75 * length) + tf), the tf of Okapi BM25 with k = 2, b = 0.75.

    `length` is the length of the document divided by that of a mean document.
    """
    return tf / (2.0 * (0.25 + 0.75 * length) + tf)


@dataclass(frozen=True, slots=True)
class Weighting:
    """The weight of a term: what its lemma is worth anywhere, times its share of the document."""

    name: str
    rarity: Callable[[Frequency], float]
    share: Callable[[int, int, float], float]
    """Of tf, the highest tf of the document, and its length divided by that of a mean document."""

    @property
    def version(self) -> str:
        """Return as text the name and the constants on which the weight of a lemma depends."""
        return f"{self.name}-1/{OPTIMAL_IDF:g}/{PRIOR}/{UNSEEN_DOCUMENTS}"

    def worth(self, frequency: Frequency) -> float:
        """Return the rarity of a lemma of this frequency, to six decimals.

        Rounded because the last bits of a logarithm differ between machines; the rest of a weight
        is multiplication and division, which do not.
        """
        return round(self.rarity(frequency), 6)


OPT_FREQ = Weighting(
    "opt_freq", lambda f: optimal_idf(df=f.df, documents=f.documents), augmented_tf
)
"""What the engine weighs by."""
TF_IDF = Weighting(
    "tf_idf", lambda f: probabilistic_idf(df=f.df, documents=f.documents), saturated_tf
)
TF_RIDF = Weighting(
    "tf_ridf", lambda f: residual_idf(df=f.df, cf=f.cf, documents=f.documents), augmented_tf
)

SIGNATURE_SIZE = 12
"""Terms of a signature (Lande, Darmokhval, Morozov 2006)."""


def signature(terms: Sequence[Term], *, size: int = SIGNATURE_SIZE) -> Signature:
    """Return the weightiest terms of a document in the frozen order, rare first.

    weight = augmented_tf(tf, tf_max) * Term.weight; equal weights are ordered by lemma, so equal
    texts never sign differently. Both factors are the same on every machine (the one with a
    logarithm is rounded), hence so is their product, and it is compared as it is.
    """
    if not terms:
        return Signature((), ())
    counted = _count_terms(terms)
    highest = max(counted.values())
    shares = {tf: augmented_tf(tf, highest) for tf in set(counted.values())}
    weights = [shares[tf] * term.weight for term, tf in counted.items()]
    least = sorted(weights)[-size] if len(weights) > size else -inf
    chosen = [
        (term.key, term, weight)
        for term, weight in zip(counted, weights, strict=True)
        if weight >= least
    ]
    if len(chosen) > size:
        chosen.sort(key=lambda one: (-one[2], one[1].lemma))
        del chosen[size:]
    # By key; the lemma, first field of a term, parts keys that collide.
    chosen.sort()
    _, signed, signed_weights = zip(*chosen, strict=True)
    return Signature(signed, signed_weights)


def _count_terms(terms: Sequence[Term]) -> dict[Term, int]:
    """Return how often each term occurs in a text.

    Two lemmas of one key, a Ukrainian word and the Russian one quoted with it, are one term: the
    alphabetically first.
    """
    counted = Counter(terms)
    if len({term.key for term in counted}) == len(counted):
        return counted
    merged = {term.key: term for term in sorted(counted, reverse=True)}
    return Counter([merged[term.key] for term in terms])
