"""Similarities of token sets, vectors, sequences and texts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, fsum, sqrt
from typing import NamedTuple

from rapidfuzz.distance import Indel, Levenshtein


def weighted_jaccard(
    left: Iterable[str], right: Iterable[str], weight: Callable[[str], float]
) -> float:
    """Return the weighted Jaccard coefficient of two sets of tokens.

    sum of w(t) over t in both / sum of w(t) over t in either; with all weights 1 the Jaccard
    coefficient. Weights are not negative; two sets without any weight share nothing.
    """
    one, other = set(left), set(right)
    # fsum is exact before its last rounding, so the order of a set never shows.
    whole = fsum(weight(token) for token in one | other)
    return fsum(weight(token) for token in one & other) / whole if whole else 0.0


def tf_idf_vector(tokens: Iterable[str], idf: Callable[[str], float]) -> dict[str, float]:
    """Return the tf-idf vector of the tokens with norm 1, empty if all weights are 0.

    w(t) = w'(t) / sqrt(sum of w'(t')^2 over all t'), w'(t) = tf(t) * idf(t).
    """
    raw = {token: tf * idf(token) for token, tf in Counter(tokens).items()}
    length = sqrt(fsum(weight * weight for weight in raw.values()))
    return {token: weight / length for token, weight in raw.items() if weight} if length else {}


def cosine(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """Return the cosine of two vectors of norm 1, 0 if one is empty.

    sum of w_left(t) * w_right(t) over the tokens t of both.
    """
    fewer, more = (left, right) if len(left) <= len(right) else (right, left)
    product = fsum(weight * more[token] for token, weight in fewer.items() if token in more)
    return min(1.0, product)  # the norms are rounded, so equal vectors may exceed 1 by a bit


class EditCosts(NamedTuple):
    """The cost of each edit operation on a token."""

    insert: int = 1
    delete: int = 1
    replace: int = 1


_UNIT_COSTS = EditCosts()


def edit_similarity(
    left: Sequence[str], right: Sequence[str], costs: EditCosts = _UNIT_COSTS
) -> float:
    """Return 1 minus the edit cost relative to the longer sequence.

    1 - tc / max(|left|, |right|), where tc is the cheapest sum of insertions, deletions and
    replacements of one token each; a string is a sequence of letters. With costs above 1 it may
    fall below 0 and is then 0; it is symmetric when inserting costs as much as deleting. Two
    empty sequences are equal.
    """
    longest = max(len(left), len(right))
    if longest == 0:
        return 1.0
    one, other = _numbered(left, right)
    cost = Levenshtein.distance(one, other, weights=costs)
    return max(0.0, (longest - cost) / longest)


def _numbered(left: Sequence[str], right: Sequence[str]) -> tuple[Sequence[int], Sequence[int]]:
    """Return the sequences with each distinct token replaced by a number.

    The library knows tokens longer than a letter by their hash, which differs between runs and
    may collide; small numbers are their own hash.
    """
    numbers: dict[str, int] = {}
    for token in (*left, *right):
        numbers.setdefault(token, len(numbers))
    return [numbers[token] for token in left], [numbers[token] for token in right]


SAME_TEXT = 0.8
"""From here on two texts count as near duplicates (Zelenkov, Segalovich 2007)."""


def text_similarity(left: str, right: str, *, least: float = 0.0) -> float:
    """Return the share of letters that two texts have in common; 0 below `least`.

    2 * LCS / (|left| + |right|), where LCS is the length of the longest common subsequence: what
    is left of both when the fewest letters are deleted and inserted. Perl's String::Similarity,
    the truth of Zelenkov and Segalovich (2007), computes the same ratio (letters - edits) /
    letters, but stops searching for the fewest edits of long texts early and may then say less.
    Two empty texts are equal. A larger `least` is faster: the search ends when it is out of reach.
    """
    letters = len(left) + len(right)
    if letters == 0:
        return 1.0
    # One edit more than the bound allows: what floats round is decided by the ratio itself.
    most = letters - ceil(least * letters) + 1
    edits = Indel.distance(left, right, score_cutoff=most)
    ratio = (letters - edits) / letters
    return ratio if edits <= most and ratio >= least else 0.0
