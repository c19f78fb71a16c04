from math import ceil

from rapidfuzz.distance import Indel

SAME_TEXT = 0.8
"""From here on two texts count as near duplicates (Zelenkov, Segalovich 2007)."""


def text_similarity(left: str, right: str, *, least: float = 0.0) -> float:
    """Return the share of two texts that is common to both, letter by letter; 0 below `least`.

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
