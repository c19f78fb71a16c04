"""What two entries are to each other, whatever their texts say: their order, languages, sources."""

from newsdedup.core.matching.verify.habits import Shift, kind
from newsdedup.core.model import Entry

TRANSLATED = {"ru", "uk"}
"""Two languages whose texts are compared word by word (core/words/folding.py)."""


def is_translated(left: Entry, right: Entry) -> bool:
    """Return whether one text is Russian and the other Ukrainian."""
    return {left.lang, right.lang} == TRANSLATED


def swapped(left: Entry, right: Entry) -> bool:
    """Return whether the right one of two entries comes first in the total order."""
    return (right.effective_at, right.key, right.version) < (
        left.effective_at,
        left.key,
        left.version,
    )


def kind_of(left: Entry, right: Entry) -> int:
    """Return which kind of pair two entries are, as habits.py tells kinds apart."""
    same = left.key.source == right.key.source
    return kind(same=same, apart=abs(left.effective_at - right.effective_at))


def milder(left: Entry, right: Entry, one: Shift, other: Shift) -> float:
    """Return the greater habit of pairs so far apart in time: of one source, or of two.

    Each is the mean of what both entries had been taught.
    """
    apart = abs(left.effective_at - right.effective_at)
    kinds = [kind(same=same, apart=apart) for same in (True, False)]
    return max([(one[each] + other[each]) / 2 for each in kinds])
