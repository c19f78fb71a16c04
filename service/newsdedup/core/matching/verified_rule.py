"""The rule `verified`: keys only find candidates, an explainable model decides about them."""

from functools import lru_cache, partial
from typing import Literal, NamedTuple

from newsdedup.core.matching.digest import (
    PassageMatch,
    candidate_passages,
    count_shared_messages,
    passage_entry,
    retells_passage,
)
from newsdedup.core.matching.index_keys import IndexKeys, are_candidates
from newsdedup.core.matching.rules import TERMS12, MatchDetails, Matcher
from newsdedup.core.matching.verified_filter import VerifiedFilter
from newsdedup.core.matching.verify.bounds import has_bounds
from newsdedup.core.matching.verify.contradictions import (
    ALERT_LEMMAS,
    find_contradiction,
    most_of_contradicted,
)
from newsdedup.core.matching.verify.copy_rates import (
    is_swapped,
    is_translated,
    kind_of_entries,
    pair_kind,
)
from newsdedup.core.matching.verify.entry_keys import own_keys, verified_keys
from newsdedup.core.matching.verify.features import ViewComparison, compare_views, find_view_moves
from newsdedup.core.matching.verify.model import Model, probability
from newsdedup.core.matching.verify.relations import (
    PLAIN_PHRASES,
    STALE,
    SURE,
    Contradiction,
    choose_relation,
    is_long_excerpt,
    is_plain_copy,
    shares_enough_phrases,
)
from newsdedup.core.matching.verify.sketches import (
    count_shared_phrases,
    counts_include,
    read_shifts,
    read_sketch,
)
from newsdedup.core.matching.verify.view import TextView
from newsdedup.core.model import Entry, Match, Micros

_CACHED_SKETCHES = 8_192
"""Unpacked sketches that are cached, of about 7 kB with their entries: leaders come back."""

_CACHED_PAIRS = 2_048
"""Verifications that are cached: those of a batch are read again to learn and to explain."""

_CACHED_KEYS = 1_024
"""Entries whose index keys are cached: those of a batch."""

_LEAD = "head"
"""The name of the keys of the first sentence in lists of fingerprints."""

PASSAGE = "passage"
"""The name of a passage of a digest in lists of fingerprints."""

_SELDOM = -1.0
"""The shift of pairs that seldom are copies: their odds are a third of those of all pairs.

A shift nearer to 0 comes about by chance, and texts of two words would hang on its sign
(docs/decisions/0013).
"""

_SOON = pair_kind(same=True, apart=0)

Anew = Literal["repeated", "seldom"]
"""Why an equal text tells of something new."""

IDENTICAL = Match(1.0, "reprint")


class Verification(NamedTuple):
    """The verdict of the model and the rules about two entries, with what it rests on."""

    comparison: ViewComparison
    shift: float
    """How much the copy rates of the stream move the log-odds."""
    text_logit: float
    """The log-odds by the texts alone."""
    is_plain: bool
    """Whether the texts are the same on their face."""
    is_excerpt: bool
    """Whether the later text is a long excerpt of the earlier one."""
    contradiction: Contradiction | None
    model_probability: float
    """Before a plain copy, an excerpt or a contradiction overrides it."""
    match: Match | None


class VerifiedRule:
    """Duplicate when the model says so, or when the texts are the same on their face.

    So is a long excerpt of an earlier text. Texts that contradict each other (contradictions.py)
    never are. The last sketch of an entry has its view (verify/sketches.py). Candidates share
    enough information in this stream (index_keys.py); duplicates that do not are not found. The
    verdict is symmetric: the pair is put into the total order first. A digest and any other item
    are either a copy on their face or whole and part, never one story (docs/decisions/0010).
    """

    name = "verified"

    def __init__(self, model: Model, window: Micros, *, threshold: float | None = None) -> None:
        self.model = model
        self.window = window
        self.threshold = model.threshold if threshold is None else threshold
        # Pure functions of frozen entries: the caches change nothing but time.
        self._read_sketch = lru_cache(maxsize=_CACHED_SKETCHES)(read_sketch)
        self._index_keys = lru_cache(maxsize=_CACHED_KEYS)(partial(verified_keys, window=window))
        self.candidate_filter = (
            VerifiedFilter(model, threshold=self.threshold, window=window, view=self.view)
            if has_bounds(model)
            else None
        )
        """None under a model that weighs what is not bounded."""
        self._verify_in_order = lru_cache(maxsize=_CACHED_PAIRS)(self._verify_uncached)

    @property
    def version(self) -> str:
        """Return the versions of the rule and the model, and the threshold, as text."""
        return f"verified-3/{self.model.version}/{self.threshold:g}"

    @property
    def pairs_compared(self) -> int:
        """Return how many pairs were compared in full so far, for benchmarks."""
        return self._verify_in_order.cache_info().misses

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the keys of an entry's signature, first sentence and passages."""
        return self._index_keys(entry)

    def matcher(self, one: Entry) -> Matcher:
        """Return `match` with the left entry fixed; it returns None outside the window."""
        at, version, window = one.effective_at, one.version, self.window

        def match(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            if other.version == version:
                return self.match_equal_texts(one, other)
            if one.passages or other.passages:
                return self._match_digests(one, other)
            return self.verify(one, other).match

        return match

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return score and relation of the two entries, or None if they do not match."""
        return self.matcher(left)(right)

    def match_equal_texts(self, left: Entry, right: Entry) -> Match:
        """Return how two entries of equal texts within the window match: mostly as a reprint."""
        if self.why_anew(left, right) is None:
            return IDENTICAL
        return Match(most_of_contradicted(self.threshold), "update")

    def why_anew(self, left: Entry, right: Entry) -> Anew | None:
        """Return why an equal short text, an alert or a rate, tells of something new; or None.

        - repeated: it is said again hours later, and its sources say it again and again.
        - seldom: copies seldom come so late in this stream, of one source or of two.
        """
        # Spaces do not count in a version: one of the two may be a digest, and one none.
        if left.key == right.key or left.passages or right.passages:
            return None
        apart = abs(left.effective_at - right.effective_at)
        late = pair_kind(same=True, apart=apart) != _SOON
        kinds = [pair_kind(same=same, apart=apart) for same in (True, False)]
        ours, theirs = read_shifts(left), read_shifts(right)
        shift = max([(ours[kind] + theirs[kind]) / 2 for kind in kinds])
        alert = late and self.view(left).size <= ALERT_LEMMAS
        if shift > _SELDOM and not alert:
            return None
        verification = self.verify(left, right)
        phrases = verification.comparison.phrases
        if shares_enough_phrases(verification.comparison):
            return None
        if alert and phrases.shared and phrases.freshness < STALE:
            return "repeated"
        likely = probability(verification.text_logit + self.model.habit * shift)
        return "seldom" if shift <= _SELDOM and likely < self.threshold else None

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the kinds of keys in common, what each feature adds, and the values that moved.

        If exactly one entry is a digest and the other one retells a passage of it, that passage is
        compared instead of the digest.
        """
        passage_match = self.find_passage(left, right)
        if passage_match is not None:
            index = passage_match.passage
            left = passage_entry(left, index) if left.passages else left
            right = passage_entry(right, index) if right.passages else right
            fingerprints: tuple[str, ...] = (PASSAGE,)
        else:
            one, other = own_keys(left, self.window), own_keys(right, self.window)
            found_by_terms = are_candidates(one._replace(near=()), other._replace(near=()))
            found_by_lead = not set(one.near).isdisjoint(other.near) and are_candidates(one, other)
            fingerprints = (TERMS12,) * found_by_terms + (_LEAD,) * found_by_lead
        verification = self.verify(left, right)
        # The shifts of a passage are not those of its pairs: no pair of it has been counted.
        shift = 0.0 if passage_match else verification.shift
        translated = is_translated(left, right) * self.model.translated
        contributions = self.model.contributions(
            verification.comparison.features, shift=shift, translated=translated
        )
        same_source = left.key.source == right.key.source
        moved = find_view_moves(self.view(left), self.view(right), same_source=same_source)
        return MatchDetails(fingerprints, tuple(contributions), moved)

    def view(self, entry: Entry) -> TextView:
        """Return the view of an entry, unpacked from its last sketch and cached."""
        return self._read_sketch(entry).view

    def find_passage(self, left: Entry, right: Entry) -> PassageMatch | None:
        """Return the passage of a digest that the other item retells best, or None.

        None if both or neither are digests, or if the item is a copy of the whole digest.
        """
        if bool(left.passages) == bool(right.passages):
            return None
        digest, item = (left, right) if left.passages else (right, left)
        # A copy of the whole is no part of it.
        if digest.version == item.version or self._is_plain(digest, item):
            return None
        matches = [self._match_passage(digest, at, item) for at in candidate_passages(digest, item)]
        retold = [match for match in matches if match is not None]
        return max(retold, key=lambda match: (match.score, -match.passage), default=None)

    def _is_plain(self, left: Entry, right: Entry) -> bool:
        """Return whether two texts are the same on their face."""
        # A digest meets hundreds of items; with hardly one of them it shares phrases.
        shared = count_shared_phrases(left.sketches[-1], right.sketches[-1])
        return shared >= PLAIN_PHRASES and self.verify(left, right).is_plain

    def _match_passage(self, digest: Entry, index: int, item: Entry) -> PassageMatch | None:
        """Return the match of an item with a passage of a digest; None if it is not retold."""
        passage = passage_entry(digest, index)
        verification = self.verify(passage, item)
        # A digest is old: a count that has moved since makes its message no other one.
        if verification.contradiction not in (None, "counts"):
            return None
        comparison, score = verification.comparison, probability(verification.text_logit)
        cover = comparison.cover_later if is_swapped(passage, item) else comparison.cover_earlier
        retold = retells_passage(
            comparison.features, cover=cover, text_probability=score, threshold=self.threshold
        )
        return PassageMatch(index, score) if retold else None

    def _match_digests(self, left: Entry, right: Entry) -> Match | None:
        """Return how two digests match, or a digest and another item: a copy, a part, or None."""
        if self._is_plain(left, right):
            return self.verify(left, right).match
        if not (left.passages and right.passages):
            passage = self.find_passage(left, right)
            return None if passage is None else Match(passage.score, "part")
        match = self.verify(left, right).match
        if match is None or not match.duplicate:
            return match
        # Two editions of a morning begin with the same message and go on with others: whole texts
        # seem alike by their beginnings.
        shared, total = count_shared_messages(left.passages, right.passages)
        return match if 2 * shared > total else Match(match.score, "similar")

    def verify(self, left: Entry, right: Entry) -> Verification:
        """Return the verdict of model and rules about two entries, cached, in any order."""
        if is_swapped(left, right):
            left, right = right, left
        return self._verify_in_order(left, right)

    def _verify_uncached(self, earlier: Entry, later: Entry) -> Verification:
        """Compare two entries in the total order, and return the verdict with what it rests on."""
        one, other = self._read_sketch(earlier), self._read_sketch(later)
        kind = kind_of_entries(earlier, later)
        own = earlier.key.source == later.key.source
        repeated = own and counts_include(one.bucket, other.bucket)
        comparison = compare_views(one.view, other.view, same_source=own, repeated=repeated)
        # The mean of the shifts that both entries froze for pairs of this kind.
        shift = (one.shifts[kind] + other.shifts[kind]) / 2
        translated = is_translated(earlier, later)
        logit = self.model.logit(comparison.features) + translated * self.model.translated
        by_model = score = probability(logit + self.model.habit * shift)
        contradiction = find_contradiction(
            comparison, one.view, other.view, same_source=own, translated=translated
        )
        plain = excerpt = likely = False
        if contradiction is None:
            plain = is_plain_copy(comparison, one.view, other.view)
            excerpt = is_long_excerpt(comparison, one.view, other.view, same_source=own)
            likely = score >= self.threshold
        duplicate = plain or excerpt or likely
        relation = choose_relation(
            comparison,
            one.view,
            other.view,
            same_source=own,
            duplicate=duplicate,
            contradiction=contradiction,
            text_probability=probability(logit),
        )
        if duplicate:
            score = max(score, self.threshold, SURE if plain or excerpt else 0)
        elif contradiction is not None:
            score = min(score, most_of_contradicted(self.threshold))
        match = None if relation == "none" else Match(score, relation)
        return Verification(
            comparison, shift, logit, plain, excerpt, contradiction, by_model, match
        )
