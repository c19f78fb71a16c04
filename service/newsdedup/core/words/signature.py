"""The signature of a document: its weightiest terms."""

from collections import Counter
from collections.abc import Sequence
from math import inf

from newsdedup.core.model import Signature, Term
from newsdedup.core.words.weights import OPT_FREQ, Weighting

SIGNATURE_SIZE = 12
"""Terms of a signature (Lande, Darmokhval, Morozov 2006)."""

NO_TERMS = Signature((), ())


def signature(
    terms: Sequence[Term],
    *,
    size: int = SIGNATURE_SIZE,
    weighting: Weighting = OPT_FREQ,
    mean_length: float = 1.0,
) -> Signature:
    """Return the weightiest terms of a document in the frozen order, rare first.

    weight = share(tf, tf_max, length) * Term.weight; equal weights are ordered by lemma, so equal
    texts never sign differently. Both factors are the same on every machine (the one with a
    logarithm is rounded), hence so is their product, and it is compared as it is. `mean_length`
    is the length of a mean document in terms, for the weightings that look at it.
    """
    if not terms:
        return NO_TERMS
    counted = _count_terms(terms)
    highest = max(counted.values())
    length = len(terms) / mean_length
    shares = {tf: weighting.share(tf, highest, length) for tf in set(counted.values())}
    weights = [shares[tf] * term.weight for term, tf in counted.items()]
    least = sorted(weights)[-size] if len(weights) > size else -inf
    chosen = [
        (term.key, term, weight)
        for term, weight in zip(counted, weights, strict=True)
        if weight >= least
    ]
    if len(chosen) > size:
        chosen.sort(key=_weightiest_first)
        del chosen[size:]
    # By key; the lemma, first field of a term, parts keys that collide.
    chosen.sort()
    _, signed, signed_weights = zip(*chosen, strict=True)
    return Signature(signed, signed_weights)


def _count_terms(terms: Sequence[Term]) -> dict[Term, int]:
    """Return how often each term stands in a text.

    Two lemmas of one key, a Ukrainian word and the Russian one quoted with it, are one term: the
    alphabetically first.
    """
    counted = Counter(terms)
    if len({term.key for term in counted}) == len(counted):
        return counted
    merged: dict[int, Term] = {}
    for term in sorted(counted):
        merged.setdefault(term.key, term)
    return Counter([merged[term.key] for term in terms])


def _weightiest_first(chosen: tuple[int, Term, float]) -> tuple[float, str]:
    """Return the sort key that puts the heavier term first, of equal ones by alphabet."""
    _, term, weight = chosen
    return -weight, term.lemma
