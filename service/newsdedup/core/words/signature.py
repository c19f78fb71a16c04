"""The signature of a document: its weightiest terms."""

from collections import Counter
from collections.abc import Sequence
from math import inf

from newsdedup.core.model import Signature, Term
from newsdedup.core.words.weights import augmented_tf

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
