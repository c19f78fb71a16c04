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
    coefficient. Weights must not be negative; the result is 0 if all are 0 or both sets are empty.
    """
    one, other = set(left), set(right)
    # fsum is exact before its last rounding, so the order of a set never shows.
    whole = fsum(weight(token) for token in one | other)
    return fsum(weight(token) for token in one & other) / whole if whole else 0.0


def tf_idf_vector(tokens: Iterable[str], idf: Callable[[str], float]) -> dict[str, float]:
    """Return the tf-idf weight of each distinct token, scaled to norm 1; {} if all weights are 0.

    w(t) = w'(t) / sqrt(sum of w'(t')^2 over all t'), w'(t) = tf(t) * idf(t), where tf(t) is the
    number of times that t occurs. Tokens of weight 0 are left out.
    """
    raw = {token: tf * idf(token) for token, tf in Counter(tokens).items()}
    length = sqrt(fsum(weight * weight for weight in raw.values()))
    return {token: weight / length for token, weight in raw.items() if weight} if length else {}


def cosine(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """Return the cosine of two vectors of norm 1, given as weights by token; 0 if one is empty.

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
    """Return 1 minus the edit cost relative to the length of the longer sequence.

    1 - tc / max(|left|, |right|), where tc is the cheapest sum of insertions, deletions and
    replacements of one token each; a string is a sequence of characters. A negative result
    (with costs above 1) becomes 0. It is symmetric if insertion costs as much as deletion. Two
    empty sequences have similarity 1.
    """
    longest = max(len(left), len(right))
    if longest == 0:
        return 1.0
    one, other = _numbered(left, right)
    cost = Levenshtein.distance(one, other, weights=costs)
    return max(0.0, (longest - cost) / longest)


def _numbered(left: Sequence[str], right: Sequence[str]) -> tuple[Sequence[int], Sequence[int]]:
    """Return both sequences with each distinct token replaced by a number of its own.

    rapidfuzz compares tokens longer than a character by their hash, which differs by run and may
    collide; small numbers are their own hash.
    """
    numbers: dict[str, int] = {}
    for token in (*left, *right):
        numbers.setdefault(token, len(numbers))
    return [numbers[token] for token in left], [numbers[token] for token in right]


SAME_TEXT = 0.8
"""From here on two texts count as near duplicates (Zelenkov, Segalovich 2007)."""


def text_similarity(left: str, right: str, *, least: float = 0.0) -> float:
    """Return the share of characters that two texts have in common, 0 if it is below `least`.

    2 * LCS / (|left| + |right|), where LCS is the length of the longest common subsequence. Perl's
    String::Similarity, the truth of Zelenkov and Segalovich (2007), computes the same ratio
    (characters - edits) / characters, but stops searching for the fewest edits of long texts early
    and may then give less. Two empty texts have similarity 1. A larger `least` is faster, since the
    search ends as soon as it cannot be reached.
    """
    characters = len(left) + len(right)
    if characters == 0:
        return 1.0
    # One edit more than the bound allows: what floats round is decided by the ratio itself.
    most = characters - ceil(least * characters) + 1
    edits = Indel.distance(left, right, score_cutoff=most)
    ratio = (characters - edits) / characters
    return ratio if edits <= most and ratio >= least else 0.0
