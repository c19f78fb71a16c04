"""What the seeds' formulas promise, to be laid beside what is measured."""

from math import comb, sqrt

I_MATCH_REMOVED = 0.33
I_MATCH_LEXICONS = 10
"""The recommended parameters of Kolcz, Chowdhury and Alspector (2004)."""
MEGASHINGLE_RECALL_PRINTED = {0.75: 0.33, 0.80: 0.42, 0.85: 0.50}
"""Recall by similarity as Zelenkov and Segalovich (2007) print it; their own arithmetic is
rougher than the formula, which gives 0.29, 0.49 and 0.73."""
LEX_RAND_RECALL_PRINTED = 0.50
MEGASHINGLES_RECALL_PRINTED = 0.36
"""Recall of the two methods in table 2 of the same paper."""


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
    """Return the chance that at least `needed` of the supershingles agree.

    sum over k >= needed of C(groups, k) q^k (1 - q)^(groups - k), q = p^functions; for two of six
    1 - (1 - q)^6 - 6 q (1 - q)^5 (Fetterly, Manasse, Najork 2003: 14 functions in each of the 6
    groups; Zelenkov, Segalovich 2007: 6).
    """
    q = supershingle_agreement(jaccard, functions=functions)
    return sum(comb(groups, k) * q**k * (1 - q) ** (groups - k) for k in range(needed, groups + 1))


def minhash_variance(jaccard: float, *, functions: int) -> float:
    """Return the variance of the share of equal minima: J (1 - J) / m.

    Each of the m functions agrees with chance J, by itself (Broder 1997).
    """
    return jaccard * (1 - jaccard) / functions


def minhash_deviation(jaccard: float, *, functions: int) -> float:
    """Return the standard deviation of the share of equal minima."""
    return sqrt(minhash_variance(jaccard, functions=functions))
