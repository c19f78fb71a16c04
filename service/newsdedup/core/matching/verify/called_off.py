"""Whether one short text calls off what the other one warns of: an alert and its all-clear."""

from collections.abc import Iterable

from newsdedup.core.matching.verify.codes import WEIGHT_BITS, code
from newsdedup.core.matching.verify.view import View
from newsdedup.core.words.background import term_key

MOST = 24
"""Content lemmas of the longest text that is taken for an alert: a report tells both."""


def _hashes(lemmas: str) -> frozenset[int]:
    """Return the codes of lemmas without their weights, which depend on the table of counts."""
    return frozenset([code(term_key(lemma, None)) >> WEIGHT_BITS for lemma in lemmas.split()])


_ALERTS = _hashes("тревога опасность угроза небезпека загроза")
_ALL_CLEAR = _hashes("отбой")
_OVER = _ALL_CLEAR | _hashes(
    "отмена отменить снять снятой снятый прекратить прекратиться окончание окончить закончить"
    " закончиться завершить завершиться миновать минуть"
)
"""What says that an alert is over. Ukrainian lemmas have Russian names (docs/decisions/0011)."""


def called_off(one: View, other: View) -> bool:
    """Return whether both are about an alert, and just one of them says that it is over."""
    if max(one.size, other.size) > MOST:
        return False
    ours, theirs = _bare(one.lemmas), _bare(other.lemmas)
    first, second = not _OVER.isdisjoint(ours), not _OVER.isdisjoint(theirs)
    if first is second or _ALL_CLEAR.isdisjoint(ours if first else theirs):
        return False
    return not _ALERTS.isdisjoint(ours & theirs)


def _bare(lemmas: Iterable[int]) -> set[int]:
    return {lemma >> WEIGHT_BITS for lemma in lemmas}
