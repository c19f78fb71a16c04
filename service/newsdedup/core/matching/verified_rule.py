"""The rule that lets keys only find, and an explainable model decide."""

from functools import lru_cache
from typing import NamedTuple

from newsdedup.core.matching.digest import share_most_messages
from newsdedup.core.matching.passages import (
    PassageMatch,
    add_passage_keys,
    best_passage,
    candidate_passages,
    passage_entry,
    retells_passage,
)
from newsdedup.core.matching.prefix import IndexKeys, are_candidates, prefix_keys
from newsdedup.core.matching.rules import TERMS12, Contribution, MatchDetails, Matcher
from newsdedup.core.matching.verify.copy_rates import (
    greater_shift,
    is_swapped,
    is_translated,
    kind_of_entries,
)
from newsdedup.core.matching.verify.features import ViewComparison, compare_views
from newsdedup.core.matching.verify.marks import read_mark, read_shifts
from newsdedup.core.matching.verify.model import Model, probability
from newsdedup.core.matching.verify.opening import find_moves
from newsdedup.core.matching.verify.relations import (
    Contradiction,
    choose_relation,
    find_contradiction,
    is_plain_copy,
    shares_enough_phrases,
)
from newsdedup.core.matching.verify.view import TextView
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


class Verification(NamedTuple):
    """What the model makes of two entries."""

    compared: ViewComparison
    shift: float
    """How much the habits of the stream move the log-odds."""
    text_logit: float
    """The log-odds by the texts alone."""
    plain: bool
    """Whether the texts are the same on their face."""
    contradiction: Contradiction | None
    """In what the texts contradict each other."""
    model_probability: float
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
        self._testimony = lru_cache(maxsize=REMEMBERED)(read_mark)
        self._weighed = lru_cache(maxsize=REMEMBERED)(self._weigh)

    @property
    def version(self) -> str:
        """Return the model and the threshold."""
        return f"verified-3/{self.model.version}/{self.threshold:g}"

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the prefix of the signature and the keys of the first sentence."""
        counted, sure = _by_terms(entry)
        own = IndexKeys(counted, (*sure, *entry.marks[-1].keys))
        return add_passage_keys(own, entry.passages) if entry.passages else own

    def matcher(self, one: Entry) -> Matcher:
        """Return what weighs one entry with others."""
        at, version, window = one.effective_at, one.version, self.window

        def matching(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            if other.version == version:
                return self.match_equal_texts(one, other)
            if one.passages or other.passages:
                return self._of_digests(one, other)
            return self.verify(one, other).match

        return matching

    def match_equal_texts(self, left: Entry, right: Entry) -> Match | None:
        """Return how entries of equal texts are alike, within the window: mostly they are one.

        A text that says enough is. A shorter one, an alert or a rate, can be said again of
        something new: the model decides where the stream has clearly taught that copies seldom
        come so late, those of one source and those of two.
        """
        # Spaces do not count in a version: one of the two may be a digest, and one none.
        if left.key == right.key or left.passages or right.passages:
            return IDENTICAL
        shift = greater_shift(left, right, read_shifts(left), read_shifts(right))
        if shift > SELDOM:
            return IDENTICAL
        weighed = self.verify(left, right)
        if shares_enough_phrases(weighed.compared):
            return IDENTICAL
        likely = probability(weighed.text_logit + self.model.habit * shift)
        return Match(likely, "reprint") if likely >= self.threshold else weighed.match

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return how the two entries are alike, or None."""
        return self.matcher(left)(right)

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the keys in common and what each feature adds; of a digest, for its passage."""
        inside = self.find_passage(left, right)
        if inside is not None:
            digest, item = (left, right) if left.passages else (right, left)
            passage = passage_entry(digest, inside.passage)
            weighed = self.verify(passage, item)
            contributions = self._contributions(weighed, passage, item)
            sides = (passage, item) if left.passages else (item, passage)
            return MatchDetails((PASSAGE,), contributions, find_moves(*map(self.view, sides)))
        keys = left.marks[-1].keys
        head = (HEAD,) if set(keys).intersection(right.marks[-1].keys) else ()
        terms = (TERMS12,) if are_candidates(_by_terms(left), _by_terms(right)) else ()
        weighed = self.verify(left, right)
        contributions = self._contributions(weighed, left, right, shift=weighed.shift)
        return MatchDetails(
            (*terms, *head), contributions, find_moves(self.view(left), self.view(right))
        )

    def _contributions(
        self, weighed: Verification, left: Entry, right: Entry, *, shift: float = 0.0
    ) -> tuple[Contribution, ...]:
        translated = is_translated(left, right) * self.model.translated
        features = weighed.compared.features
        return tuple(self.model.contributions(features, shift=shift, translated=translated))

    def view(self, entry: Entry) -> TextView:
        """Return what the verifier keeps of a text."""
        return self._testimony(entry).view

    def find_passage(self, left: Entry, right: Entry) -> PassageMatch | None:
        """Return which message of a digest the other item tells best, if just one is a digest."""
        if bool(left.passages) == bool(right.passages):
            return None
        digest, item = (left, right) if left.passages else (right, left)
        # A copy of the whole is no part of it.
        if digest.version == item.version or self.verify(digest, item).plain:
            return None
        found = [self._told(digest, place, item) for place in candidate_passages(digest, item)]
        return best_passage([inside for inside in found if inside is not None])

    def _told(self, digest: Entry, place: int, item: Entry) -> PassageMatch | None:
        passage = passage_entry(digest, place)
        weighed = self.verify(passage, item)
        # A round-up is old: that a count has moved since makes its message no other one.
        if weighed.contradiction not in (None, "counts"):
            return None
        compared, by_text = weighed.compared, weighed.text_logit
        earlier, later = compared.cover_earlier, compared.cover_later
        held = later if is_swapped(passage, item) else earlier
        score = probability(by_text)
        told = retells_passage(compared, held=held, by_text=score, threshold=self.threshold)
        return PassageMatch(place, score) if told else None

    def _of_digests(self, left: Entry, right: Entry) -> Match | None:
        """Return how two digests are alike, or a digest and an item that is none."""
        weighed = self.verify(left, right)
        if weighed.plain:
            return weighed.match
        if not (left.passages and right.passages):
            inside = self.find_passage(left, right)
            return None if inside is None else Match(inside.score, "part")
        match = weighed.match
        if match is not None and match.duplicate:
            same = share_most_messages(left.passages, right.passages)
            return match if same else Match(match.score, "similar")
        return match

    def verify(self, left: Entry, right: Entry) -> Verification:
        """Return what the model makes of two entries, in whatever order they come."""
        return self._weighed(right, left) if is_swapped(left, right) else self._weighed(left, right)

    def _weigh(self, earlier: Entry, later: Entry) -> Verification:
        one, other = self._testimony(earlier), self._testimony(later)
        pair = kind_of_entries(earlier, later)
        own = earlier.key.source == later.key.source
        # The earlier item was counted in the bucket that was open when it came.
        repeated = own and other.bucket > one.bucket
        compared = compare_views(one.view, other.view, repeated=repeated)
        # The mean of what both had been taught about pairs of this kind.
        shift = (one.shifts[pair] + other.shifts[pair]) / 2
        translated = is_translated(earlier, later)
        by_text = self.model.logit(compared.features) + translated * self.model.translated
        modelled = score = probability(by_text + self.model.habit * shift)
        apart = find_contradiction(compared, one.view, other.view, translated=translated)
        plain = apart is None and is_plain_copy(compared, one.view, other.view)
        duplicate = plain or (apart is None and score >= self.threshold)
        kind = choose_relation(
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
        return Verification(compared, shift, by_text, plain, apart, modelled, score, match)


def _by_terms(entry: Entry) -> IndexKeys:
    return prefix_keys(entry, sure=EXACT, hoped=HOPED, short=EXACT)
