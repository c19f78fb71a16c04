"""The rule that lets keys only find, and an explainable model decide."""

from functools import lru_cache
from typing import NamedTuple

from newsdedup.core.model import Entry, Match, Micros
from newsdedup.core.prefix import Filing, filing
from newsdedup.core.rules import TERMS12, Grounds, Matching
from newsdedup.core.verify.features import Comparison, compare
from newsdedup.core.verify.model import Model, probability
from newsdedup.core.verify.relations import plain_copy, relation
from newsdedup.core.verify.testimony import Testimony, testimony

REMEMBERED = 20_000
"""Testimonies and comparisons that are kept unpacked: those of the entries met lately."""

EXACT = 6
"""Pairs that share so many terms are always found."""

HOPED = 3
"""Pairs that share so many are mostly found (prefix.py), the others by their first sentences."""

HEAD = "head"
"""What the keys of the first sentence are called where fingerprints are listed."""

IDENTICAL = Match(1.0, "reprint")


class Weighed(NamedTuple):
    """What the model makes of two entries."""

    compared: Comparison
    shift: float
    """How much the habits of the sources move the log-odds."""
    by_text: float
    """The log-odds by the texts alone."""
    plain: bool
    """Whether the texts are the same on their face."""
    score: float
    match: Match | None


class VerifiedRule:
    """Duplicate when the model says so, or when the texts are the same on their face.

    An entry's last mark is its testimony (verify/testimony.py). Candidates share terms or two
    heavy words of their first sentences: of the labelled duplicates of docs/labels 4 % have
    neither in common and are not found. The verdict is symmetric: the pair is put into the total
    order first.
    """

    name = "verified"

    def __init__(self, model: Model, window: Micros, *, threshold: float | None = None) -> None:
        self.model = model
        self.window = window
        self.threshold = model.threshold if threshold is None else threshold
        # Pure functions of frozen entries: remembering them changes nothing but time.
        self._testimony = lru_cache(maxsize=REMEMBERED)(testimony)
        self._weighed = lru_cache(maxsize=REMEMBERED)(self._weigh)

    @property
    def version(self) -> str:
        """Return the model and the threshold."""
        return f"verified-1/{self.model.version}/{self.threshold:g}"

    def filing(self, entry: Entry) -> Filing:
        """Return the prefix of the signature and the keys of the first sentence."""
        counted, sure = filing(entry, sure=EXACT, hoped=HOPED, short=EXACT)
        return Filing(counted, (*sure, *entry.marks[-1].keys))

    def against(self, one: Entry) -> Matching:
        """Return what weighs one entry with others."""
        at, version, window = one.effective_at, one.version, self.window

        def matching(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            if other.version == version:
                return IDENTICAL
            return self.weighed(one, other).match

        return matching

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return how the two entries are alike, or None."""
        return self.against(left)(right)

    def grounds(self, left: Entry, right: Entry) -> Grounds:
        """Return the keys in common and what each feature adds."""
        keys = left.marks[-1].keys
        head = (HEAD,) if set(keys).intersection(right.marks[-1].keys) else ()
        terms = (TERMS12,) if len(set(left.terms).intersection(right.terms)) >= HOPED else ()
        weighed = self.weighed(left, right)
        contributions = self.model.contributions(weighed.compared.features, shift=weighed.shift)
        return Grounds((*terms, *head), tuple(contributions))

    def weighed(self, left: Entry, right: Entry) -> Weighed:
        """Return what the model makes of two entries, in whatever order they come."""
        swapped = (right.effective_at, right.key, right.version) < (
            left.effective_at,
            left.key,
            left.version,
        )
        return self._weighed(right, left) if swapped else self._weighed(left, right)

    def _weigh(self, earlier: Entry, later: Entry) -> Weighed:
        one, other = self._testimony(earlier), self._testimony(later)
        own = earlier.key.source == later.key.source
        # The earlier item was counted in the bucket that was open when it came.
        repeated = own and other.taught > one.taught
        compared = compare(one.view, other.view, repeated=repeated)
        shift = _shift(one, other, own=own)
        by_text = self.model.logit(compared.features)
        score = probability(by_text + self.model.habit * shift)
        plain = plain_copy(compared, one.view, other.view)
        duplicate = plain or score >= self.threshold
        kind = relation(
            compared, one.view, other.view, duplicate=duplicate, by_text=probability(by_text)
        )
        score = max(score, self.threshold) if duplicate else score
        match = None if kind == "none" else Match(score, kind)
        return Weighed(compared, shift, by_text, plain, score, match)


def _shift(one: Testimony, other: Testimony, *, own: bool) -> float:
    """Return the mean of what both had been taught about pairs of this kind."""
    if own:
        return (one.shift.same + other.shift.same) / 2
    return (one.shift.other + other.shift.other) / 2
