"""When two entries are duplicates: the protocol of all rules, rule `terms`, and rules of methods.

The methods of the papers are used alongside a rule that decides, or alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

from newsdedup.core.facts.moves import Move
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.matching.index_keys import HITS, IndexKeys, prefix_keys, text_key
from newsdedup.core.matching.rows import CandidateFilter
from newsdedup.core.model import Entry, Match, Micros
from newsdedup.core.moments import HOUR

TERMS12 = "terms12"
"""The name of the signature in lists of fingerprints."""


class Contribution(NamedTuple):
    """How much one feature of a pair adds to the log-odds that it is a duplicate."""

    feature: str
    value: float
    logit: float


class MatchDetails(NamedTuple):
    """The evidence for a match by a rule."""

    fingerprints: tuple[str, ...]
    """Names of the methods whose fingerprints match."""
    contributions: tuple[Contribution, ...] = ()
    """The strongest first; empty for a rule that weighs no features."""
    moved: tuple[Move, ...] = ()
    """Quantities that differ between the two: `was` on the left, `now` on the right."""


Matcher = Callable[[Entry], Match | None]


class Rule(Protocol):
    """Decides whether two entries match, and gives the index keys of candidates; all pure.

    Laws, checked for every rule by tests/laws/test_rules.py: `match` is symmetric; an entry
    matches itself; entries further apart in time than the window never match; duplicates are
    candidates by their keys, so that none is lost; merely similar entries may not be. A rule whose
    keys miss duplicates states it, and `lab score` measures how many.
    """

    @property
    def name(self) -> str:
        """Return the name of the rule in settings and events."""

    @property
    def version(self) -> str:
        """Return a text that changes when the result for two entries in the window could change.

        The window is not part of it; callers compare windows separately.
        """

    @property
    def window(self) -> Micros:
        """Return how many microseconds apart two matching entries may be."""

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the keys under which the index stores the entry and looks it up."""

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the evidence for a match of two entries, without deciding whether they match."""

    def matcher(self, one: Entry) -> Matcher:
        """Return `match` with the left entry fixed, faster for many comparisons."""

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return score and relation of the two entries, or None if they do not match."""

    @property
    def candidate_filter(self) -> CandidateFilter | None:
        """Return what rules out most of many candidates; None if comparing them is as cheap."""


@dataclass(frozen=True, slots=True)
class TermsRule:
    """Duplicate when enough of the weightiest terms are shared (Lande et al. 2006).

    With the 12 terms of the paper: 6 shared terms make a duplicate, 3 to 5 are similar. A pair
    of n and m terms needs max(duplicate, ceil(max(n, m) / 2)). Signatures of fewer terms than
    `duplicate` match only when their terms and numbers are equal; without any term, the text.
    """

    duplicate: int = 6
    similar: int = 3
    window: Micros = 72 * HOUR
    name: ClassVar[str] = "terms"
    candidate_filter: ClassVar[None] = None
    """A comparison is no more than the intersection of two small sets."""

    def __post_init__(self) -> None:
        """Raise ValueError if the thresholds contradict each other."""
        if not HITS <= self.similar <= self.duplicate:
            raise ValueError(f"rule terms needs {HITS} <= similar <= duplicate")

    @property
    def version(self) -> str:
        """Return the thresholds `duplicate` and `similar` as text."""
        return f"terms-1/{self.duplicate}/{self.similar}"

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the keys of the signature's prefix, or one key of a short signature as a whole."""
        return prefix_keys(entry, sure=self.duplicate, hoped=self.similar)

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the name of the signature, the only evidence of this rule."""
        del left, right
        return MatchDetails((TERMS12,))

    def matcher(self, one: Entry) -> Matcher:
        """Return the function that matches other entries with this one by shared terms.

        It returns None outside the window or below `similar` shared terms. The score is the number
        of shared terms over the length of the longer signature.
        """
        duplicate, similar, window = self.duplicate, self.similar, self.window
        at, count = one.effective_at, len(one.terms)
        shared_with = frozenset(one.terms).intersection

        def match(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            terms = other.terms
            if count < duplicate or len(terms) < duplicate:
                same = one.terms == terms and one.numbers == other.numbers
                same = same if count else one.version == other.version
                return Match(1.0, "reprint") if same else None
            shared = len(shared_with(terms))
            if shared < similar:
                return None
            longer = max(count, len(terms))
            score = round(shared / longer, 4)
            if shared < duplicate or 2 * shared < longer:
                return Match(score, "similar")
            return Match(score, "reprint" if shared == longer else "rewrite")

        return match

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return score and relation of the two entries, or None if they do not match."""
        return self.matcher(left)(right)


class SketchRule:
    """A rule that decides, and methods whose keys find it more candidates.

    Law: it finds every candidate of the base rule and gives the same verdicts
    (tests/laws/test_rules.py).
    """

    def __init__(self, base: Rule, methods: tuple[Method, ...]) -> None:
        """`methods` are in the order of the entries' sketches; that of `base` may come behind."""
        self.base = base
        self.methods = methods
        self.name = base.name
        self.window = base.window
        self.candidate_filter = base.candidate_filter
        self.matcher = base.matcher
        self.match = base.match

    @property
    def version(self) -> str:
        """Return the version of the deciding rule, then the name and version of each method."""
        sketches = ",".join(f"{method.name}-{method.version}" for method in self.methods)
        return f"{self.base.version}+{sketches}"

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the keys of the deciding rule, and those of the sketches as sure ones."""
        keys = self.base.index_keys(entry)
        sketches = entry.sketches[: len(self.methods)]
        return keys._replace(sure=(*keys.sure, *[key for one in sketches for key in one.keys]))

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the deciding rule's evidence, and the methods that would call them duplicates."""
        details = self.base.details(left, right)
        sketches = zip(self.methods, left.sketches, right.sketches, strict=False)
        alike = [method.name for method, a, b in sketches if method.match(a, b) >= method.threshold]
        return details._replace(fingerprints=(*details.fingerprints, *alike))


def deciding_rule(rule: Rule) -> Rule:
    """Return the base rule of a SketchRule, which decides alone; any other rule as it is."""
    return rule.base if isinstance(rule, SketchRule) else rule


class MethodRule:
    """Duplicate when a method says so; there is nothing between duplicate and different.

    Candidates are the entries that share a key, as in the method's paper: of a method that is not
    exact (docs/methods.md), some matching pairs are not found. Items in which the method finds
    nothing to sign match only the same text.
    """

    candidate_filter = None
    """Most methods compare two fingerprints faster than any bound."""

    def __init__(self, method: Method, window: Micros) -> None:
        self.method = method
        self.window = window
        self.name = method.name
        self.version = f"{method.name}-{method.version}"

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the keys of the fingerprint as sure ones; without any, one key for the text."""
        return IndexKeys((), entry.sketches[0].keys or (text_key(entry),))

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the name of the method, the only evidence of this rule."""
        del left, right
        return MatchDetails((self.method.name,))

    def matcher(self, one: Entry) -> Matcher:
        """Return the function that matches other entries with this one by their fingerprints.

        It returns None below the threshold and outside the window. An entry without a fingerprint
        matches only the same text without one.
        """
        at, sketch, window = one.effective_at, one.sketches[0], self.window
        alike, threshold = self.method.match, self.method.threshold

        def match(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            theirs = other.sketches[0]
            if not sketch.keys and not theirs.keys:
                return Match(1.0, "reprint") if one.version == other.version else None
            # Rounded only after the comparison: a third is not 0.3333.
            similarity = alike(sketch, theirs)
            if similarity < threshold:
                return None
            score = round(similarity, 4)
            return Match(score, "reprint" if score == 1 else "rewrite")

        return match

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return score and relation of the two entries, or None if they do not match."""
        return self.matcher(left)(right)
