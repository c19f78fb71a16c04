"""When two entries are duplicates: the rule is a value that the judge takes."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from newsdedup.core.model import Entry, Match, Micros
from newsdedup.core.prefix import HITS, Filing, filing


class Rule(Protocol):
    """Two questions about entries, both pure.

    Laws, checked for every rule by tests/laws/test_rules.py: `match` is symmetric; an entry
    matches itself; entries further apart in time than the window never match; and every pair
    that matches shares HITS counted keys or one sure key of its filings (prefix.py).
    """

    @property
    def name(self) -> str:
        """What the rule is called in settings and events."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same two entries could get another answer."""
        ...

    @property
    def window(self) -> Micros:
        """How far apart in time two matching entries may be."""
        ...

    def filing(self, entry: Entry) -> Filing:
        """Return the keys under which the entry is filed and looked up."""
        ...

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return how the two entries are alike, or None."""
        ...


@dataclass(frozen=True, slots=True)
class TermsRule:
    """Duplicate when enough of the weightiest terms are shared (Lande et al. 2006).

    With the 12 terms of the paper: 6 shared terms make a duplicate, 3 to 5 are similar. A pair
    of n and m terms needs max(duplicate, ceil(max(n, m) / 2)). Signatures of fewer terms than
    `duplicate` match only when their terms and numbers are equal; without any term, the text.
    """

    duplicate: int = 6
    similar: int = 3
    window: Micros = timedelta(hours=72) // timedelta(microseconds=1)
    name: str = "terms"

    def __post_init__(self) -> None:
        """Refuse thresholds that contradict each other."""
        if not HITS <= self.similar <= self.duplicate:
            msg = f"rule terms needs {HITS} <= similar <= duplicate"
            raise ValueError(msg)

    @property
    def version(self) -> str:
        """Return the thresholds as text."""
        return f"terms-1/{self.duplicate}/{self.similar}"

    def filing(self, entry: Entry) -> Filing:
        """Return the prefix of the signature, or one key for a short one."""
        return filing(entry, least=self.similar, short=self.duplicate)

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return the match by shared terms, scored by their share of the longer signature."""
        if abs(left.effective_at - right.effective_at) > self.window:
            return None
        longer = max(len(left.terms), len(right.terms))
        if min(len(left.terms), len(right.terms)) < self.duplicate:
            return WHOLE if _say_the_same(left, right) else None
        shared = len(set(left.terms).intersection(right.terms))
        if shared < self.similar:
            return None
        score = round(shared / longer, 4)
        if shared < max(self.duplicate, (longer + 1) // 2):
            return Match(score, "similar")
        return Match(score, "reprint" if shared == longer else "rewrite")


WHOLE = Match(1.0, "reprint")


def _say_the_same(left: Entry, right: Entry) -> bool:
    """Return whether two short entries hold the same terms and numbers."""
    if not left.terms:
        return left.version == right.version
    return left.terms == right.terms and left.numbers == right.numbers
