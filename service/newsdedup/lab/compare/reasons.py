"""Why a pair of the same text was missed, for the methods of which the seed claims most."""

from collections.abc import Callable, Mapping

from newsdedup.core.fingerprints.corpus import NO_CORPUS
from newsdedup.core.fingerprints.decomposition import RATIO
from newsdedup.core.fingerprints.prepared_text import PreparedText, hash_shingles
from newsdedup.core.fingerprints.three_plus_five import LAYOUT, SENTENCES, ThreePlusFive
from newsdedup.lab.compare.whole import SHINGLE, WHOLE

Reason = Callable[[PreparedText, PreparedText], str]


def of_long_sent(left: PreparedText, right: PreparedText) -> str:
    """Return how many of the two longest sentences two texts have in common."""
    shared = _longest(left) & _longest(right)
    if shared:
        return "one of the two longest sentences is common"
    return "neither of the two longest sentences is common"


def _longest(reading: PreparedText) -> set[tuple[str, ...]]:
    ranked = sorted(set(reading.sentences), key=lambda words: (-len(words), words))
    return set(ranked[:2])


def of_three_plus_five(left: PreparedText, right: PreparedText) -> str:
    """Return the first condition of the rule that two texts do not meet."""
    method = ThreePlusFive()
    one, other = (method.sign(reading, NO_CORPUS).body for reading in (left, right))
    if not one or not other:
        return "nothing to sign"
    length, number, *signatures = LAYOUT.unpack(one)
    other_length, other_number, *other_signatures = LAYOUT.unpack(other)
    if max(length, other_length) > method.length_ratio * min(length, other_length):
        return "lengths too unlike"
    if max(number, other_number) > method.sentence_ratio * min(number, other_number):
        return "numbers of sentences too unlike"
    words = set(signatures[SENTENCES:]) & set(other_signatures[SENTENCES:]) - {0}
    if len(words) < method.shared_words:
        return "fewer than two of the five longest words common"
    if min(number, other_number) <= method.many:
        return "few sentences, and the longest differs"
    return "many sentences, and fewer than two of three common"


def of_whole(left: PreparedText, right: PreparedText) -> str:
    """Return what keeps two texts out of one chain, or apart in it."""
    one, other = (set(hash_shingles(reading.words, SHINGLE)) for reading in (left, right))
    if not one & other:
        return "no shingle of five words common"
    lengths = len(left.words), len(right.words)
    if max(lengths) > RATIO * min(lengths):
        return "numbers of words too unlike"
    return "beyond the reach of a chain"


REASONS: Mapping[str, Reason] = {
    "long_sent": of_long_sent,
    "three_plus_five": of_three_plus_five,
    WHOLE: of_whole,
}
