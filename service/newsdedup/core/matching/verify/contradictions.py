"""What contradicts a copy, in words."""

from collections.abc import Iterable

from newsdedup.core.facts.comparison import other_times, times
from newsdedup.core.facts.fact import Kind
from newsdedup.core.facts.moves import moved
from newsdedup.core.matching.verify.relations import Contradiction
from newsdedup.core.matching.verify.view import WEIGHT_BITS, TextView, lemma_code
from newsdedup.core.words.order import term_key

MOST = 24
"""Content lemmas of the longest text that is taken for an alert: a report tells both."""


def _hashes(lemmas: str) -> frozenset[int]:
    """Return the codes of lemmas without their weights, which depend on the table of counts."""
    return frozenset([lemma_code(term_key(lemma, None)) >> WEIGHT_BITS for lemma in lemmas.split()])


_ALERTS = _hashes("тревога опасность угроза небезпека загроза")
_ALL_CLEAR = _hashes("отбой")
_OVER = _ALL_CLEAR | _hashes(
    "отмена отменить снять снятой снятый прекратить прекратиться окончание окончить закончить"
    " закончиться завершить завершиться миновать минуть"
)
"""What says that an alert is over. Ukrainian lemmas have Russian names (docs/decisions/0011)."""


def is_called_off(one: TextView, other: TextView) -> bool:
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


def describe_contradiction(apart: Contradiction, a: TextView, b: TextView) -> str:
    """Return in what two texts contradict each other."""
    match apart:
        case "days":
            return "they begin with different days"
        case "names":
            return "they say the same of other names"
        case "places":
            return "they begin with other places in one order"
        case "figures":
            return _figures(a, b)
        case "counts":
            return f"they say the same, but {_how(a, b)}"
        case "over":
            return "one says that the alert is over"


def _figures(a: TextView, b: TextView) -> str:
    """Return how figures contradict each other: times of day are among them (features.py)."""
    timed = times(a.opening) or times(b.opening)
    begins = "a figure or a time of day" if timed else "a figure"
    return f"each begins with {begins} the other lacks, and they {_how(a, b)}"


def _how(a: TextView, b: TextView) -> str:
    otherwise = any(move.kind < Kind.ORDINAL for move in moved(a.facts, b.facts))
    said = ["count one thing differently"] if otherwise else []
    if other_times(a.facts, b.facts):
        said.append("name other times of day")
    # What else is counted as a conflict: one value of two measures.
    return " and ".join(said or ["count different things with one figure"])
