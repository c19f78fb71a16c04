"""One method of the seeds as a rule of its own: its fingerprints find and decide."""

from dataclasses import dataclass

from newsdedup.core.fingerprints.fingerprint import Method
from newsdedup.core.matching.prefix import Filing, text_key
from newsdedup.core.matching.rules import Grounds, Matching
from newsdedup.core.model import Entry, Fingerprint, Match, Micros


@dataclass(frozen=True, slots=True)
class MethodRule:
    """Duplicate when a method says so; there is nothing between duplicate and different.

    Candidates are the entries that share a key, as in the method's paper: of a method that is not
    exact (docs/methods.md), some matching pairs are not found. Items in which the method finds
    nothing to sign match only the same text.
    """

    method: Method
    window: Micros

    @property
    def name(self) -> str:
        """Return the name of the method."""
        return self.method.name

    @property
    def version(self) -> str:
        """Return the method with its parameters."""
        return f"{self.method.name}-{self.method.version}"

    def filing(self, entry: Entry) -> Filing:
        """Return the keys of the fingerprint, else one for the text."""
        return Filing((), _mark(entry).keys or (text_key(entry),))

    def grounds(self, left: Entry, right: Entry) -> Grounds:
        """Return the method."""
        del left, right
        return Grounds((self.method.name,))

    def against(self, one: Entry) -> Matching:
        """Return what compares one fingerprint with others."""
        at, mark, window = one.effective_at, _mark(one), self.window
        alike, threshold = self.method.match, self.method.threshold

        def matching(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            if not mark.keys:
                return Match(1.0, "reprint") if one.version == other.version else None
            # Rounded only after the comparison: a third is not 0.3333.
            found = alike(mark, _mark(other))
            if found < threshold:
                return None
            score = round(found, 4)
            return Match(score, "reprint" if score == 1 else "rewrite")

        return matching

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return how the two entries are alike, or None."""
        return self.against(left)(right)


def _mark(entry: Entry) -> Fingerprint:
    return entry.marks[0]
