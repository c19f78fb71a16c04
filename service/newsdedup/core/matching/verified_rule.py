"""The rule that lets keys only find, and an explainable model decide."""

from functools import lru_cache
from typing import NamedTuple

from newsdedup.core.matching.digest import mostly_the_same
from newsdedup.core.matching.passages import Inside, as_entry, best, filed, near, tells
from newsdedup.core.matching.prefix import Filing, filing, meet
from newsdedup.core.matching.rules import TERMS12, Contribution, Grounds, Matching
from newsdedup.core.matching.verify.copy_rates import is_translated, kind_of, milder, swapped
from newsdedup.core.matching.verify.features import Comparison, compare
from newsdedup.core.matching.verify.marks import shift_in, testimony
from newsdedup.core.matching.verify.model import Model, probability
from newsdedup.core.matching.verify.opening import moves
from newsdedup.core.matching.verify.relations import (
    Contradiction,
    contradiction,
    plain_copy,
    relation,
    says_enough,
)
from newsdedup.core.matching.verify.view import View
from newsdedup.core.model import Entry, Match, Micros

REMEMBERED = 20_000
"""Testimonies and comparisons that are kept unpacked: those of the entries met lately."""

EXACT = 6
"""Pairs that share so many terms are always found."""

HOPED = 3
"""Pairs that share so many are mostly found (prefix.py), the others by their first sentences."""

HEAD = "head"
"""What the keys of the first sentence are called where fingerprints are listed."""

PASSAGE = "passage"
"""What a passage of a digest is called there."""

_BELOW = 0.01
"""How far below the threshold a score stays where the texts contradict each other."""

SELDOM = -1.0
"""The shift of pairs that seldom are copies: their odds are a third of those of all pairs.

Less is taught by chance, and then texts of two words would hang on its sign (docs/decisions/0013).
"""

IDENTICAL = Match(1.0, "reprint")


class Weighed(NamedTuple):
    """What the model makes of two entries."""

    compared: Comparison
    shift: float
    """How much the habits of the stream move the log-odds."""
    by_text: float
    """The log-odds by the texts alone."""
    plain: bool
    """Whether the texts are the same on their face."""
    apart: Contradiction | None
    """In what the texts contradict each other."""
    modelled: float
    """The probability by the model, before a plain copy or a contradiction overrides it."""
    score: float
    match: Match | None


class VerifiedRule:
    """Duplicate when the model says so, or when the texts are the same on their face.

    Texts that contradict each other (relations.py) never are. An entry's last mark is its
    testimony (verify/testimony.py). Candidates share terms or two heavy words of their first
    sentences: of the labelled duplicates of docs/labels 4 % have neither in common and are not
    found. The verdict is symmetric: the pair is put into the total order first. A digest and an
    item that is none are a copy on their face or whole and part, never one story
    (docs/decisions/0010).
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
        return f"verified-3/{self.model.version}/{self.threshold:g}"

    def filing(self, entry: Entry) -> Filing:
        """Return the prefix of the signature and the keys of the first sentence."""
        counted, sure = _by_terms(entry)
        own = Filing(counted, (*sure, *entry.marks[-1].keys))
        return filed(own, entry.passages) if entry.passages else own

    def against(self, one: Entry) -> Matching:
        """Return what weighs one entry with others."""
        at, version, window = one.effective_at, one.version, self.window

        def matching(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            if other.version == version:
                return self.of_equals(one, other)
            if one.passages or other.passages:
                return self._of_digests(one, other)
            return self.weighed(one, other).match

        return matching

    def of_equals(self, left: Entry, right: Entry) -> Match | None:
        """Return how entries of equal texts are alike, within the window: mostly they are one.

        A text that says enough is. A shorter one, an alert or a rate, can be said again of
        something new: the model decides where the stream has clearly taught that copies seldom
        come so late, those of one source and those of two.
        """
        # Spaces do not count in a version: one of the two may be a digest, and one none.
        if left.key == right.key or left.passages or right.passages:
            return IDENTICAL
        shift = milder(left, right, shift_in(left), shift_in(right))
        if shift > SELDOM:
            return IDENTICAL
        weighed = self.weighed(left, right)
        if says_enough(weighed.compared):
            return IDENTICAL
        likely = probability(weighed.by_text + self.model.habit * shift)
        return Match(likely, "reprint") if likely >= self.threshold else weighed.match

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return how the two entries are alike, or None."""
        return self.against(left)(right)

    def grounds(self, left: Entry, right: Entry) -> Grounds:
        """Return the keys in common and what each feature adds; of a digest, for its passage."""
        inside = self.inside(left, right)
        if inside is not None:
            digest, item = (left, right) if left.passages else (right, left)
            passage = as_entry(digest, inside.passage)
            weighed = self.weighed(passage, item)
            contributions = self._contributions(weighed, passage, item)
            sides = (passage, item) if left.passages else (item, passage)
            return Grounds((PASSAGE,), contributions, moves(*map(self.view, sides)))
        keys = left.marks[-1].keys
        head = (HEAD,) if set(keys).intersection(right.marks[-1].keys) else ()
        terms = (TERMS12,) if meet(_by_terms(left), _by_terms(right)) else ()
        weighed = self.weighed(left, right)
        contributions = self._contributions(weighed, left, right, shift=weighed.shift)
        return Grounds((*terms, *head), contributions, moves(self.view(left), self.view(right)))

    def _contributions(
        self, weighed: Weighed, left: Entry, right: Entry, *, shift: float = 0.0
    ) -> tuple[Contribution, ...]:
        translated = is_translated(left, right) * self.model.translated
        features = weighed.compared.features
        return tuple(self.model.contributions(features, shift=shift, translated=translated))

    def view(self, entry: Entry) -> View:
        """Return what the verifier keeps of a text."""
        return self._testimony(entry).view

    def inside(self, left: Entry, right: Entry) -> Inside | None:
        """Return which message of a digest the other item tells best, if just one is a digest."""
        if bool(left.passages) == bool(right.passages):
            return None
        digest, item = (left, right) if left.passages else (right, left)
        # A copy of the whole is no part of it.
        if digest.version == item.version or self.weighed(digest, item).plain:
            return None
        found = [self._told(digest, place, item) for place in near(digest, item)]
        return best([inside for inside in found if inside is not None])

    def _told(self, digest: Entry, place: int, item: Entry) -> Inside | None:
        passage = as_entry(digest, place)
        weighed = self.weighed(passage, item)
        # A round-up is old: that a count has moved since makes its message no other one.
        if weighed.apart not in (None, "counts"):
            return None
        compared, by_text = weighed.compared, weighed.by_text
        earlier, later = compared.cover_earlier, compared.cover_later
        held = later if swapped(passage, item) else earlier
        score = probability(by_text)
        told = tells(compared, held=held, by_text=score, threshold=self.threshold)
        return Inside(place, score) if told else None

    def _of_digests(self, left: Entry, right: Entry) -> Match | None:
        """Return how two digests are alike, or a digest and an item that is none."""
        weighed = self.weighed(left, right)
        if weighed.plain:
            return weighed.match
        if not (left.passages and right.passages):
            inside = self.inside(left, right)
            return None if inside is None else Match(inside.score, "part")
        match = weighed.match
        if match is not None and match.duplicate:
            same = mostly_the_same(left.passages, right.passages)
            return match if same else Match(match.score, "similar")
        return match

    def weighed(self, left: Entry, right: Entry) -> Weighed:
        """Return what the model makes of two entries, in whatever order they come."""
        return self._weighed(right, left) if swapped(left, right) else self._weighed(left, right)

    def _weigh(self, earlier: Entry, later: Entry) -> Weighed:
        one, other = self._testimony(earlier), self._testimony(later)
        pair = kind_of(earlier, later)
        own = earlier.key.source == later.key.source
        # The earlier item was counted in the bucket that was open when it came.
        repeated = own and other.taught > one.taught
        compared = compare(one.view, other.view, repeated=repeated)
        # The mean of what both had been taught about pairs of this kind.
        shift = (one.shift[pair] + other.shift[pair]) / 2
        translated = is_translated(earlier, later)
        by_text = self.model.logit(compared.features) + translated * self.model.translated
        modelled = score = probability(by_text + self.model.habit * shift)
        apart = contradiction(compared, one.view, other.view, translated=translated)
        plain = apart is None and plain_copy(compared, one.view, other.view)
        duplicate = plain or (apart is None and score >= self.threshold)
        kind = relation(
            compared,
            one.view,
            other.view,
            duplicate=duplicate,
            apart=apart,
            by_text=probability(by_text),
        )
        if duplicate:
            score = max(score, self.threshold)
        elif apart is not None:
            score = min(score, round(self.threshold - _BELOW, 4))
        match = None if kind == "none" else Match(score, kind)
        return Weighed(compared, shift, by_text, plain, apart, modelled, score, match)


def _by_terms(entry: Entry) -> Filing:
    return filing(entry, sure=EXACT, hoped=HOPED, short=EXACT)
