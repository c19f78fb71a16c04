"""Rules that use the methods of the papers: alongside a rule that decides, or alone."""

from dataclasses import dataclass

from newsdedup.core.fingerprints.method import Method
from newsdedup.core.matching.prefix import IndexKeys, text_key
from newsdedup.core.matching.rows import CandidateFilter
from newsdedup.core.matching.rules import MatchDetails, Matcher, Rule
from newsdedup.core.model import Entry, Fingerprint, Match, Micros


@dataclass(frozen=True, slots=True)
class SketchRule:
    """A rule that decides, and methods whose keys find it more candidates.

    Law: it finds every candidate of the base rule and gives the same verdicts
    (tests/laws/test_rules.py).
    """

    base: Rule
    methods: tuple[Method, ...]
    """In the order of the entries' sketches; one of the rule that decides may stand behind them."""

    @property
    def name(self) -> str:
        """Return the name of the rule that decides."""
        return self.base.name

    @property
    def version(self) -> str:
        """Return the version of the deciding rule, then the name and version of each method."""
        sketches = ",".join(f"{method.name}-{method.version}" for method in self.methods)
        return f"{self.base.version}+{sketches}"

    @property
    def window(self) -> Micros:
        """Return the window of the rule that decides."""
        return self.base.window

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the keys of the deciding rule, and those of the sketches as sure ones."""
        counted, sure = self.base.index_keys(entry)
        sketches = entry.sketches[: len(self.methods)]
        return IndexKeys(counted, (*sure, *[key for sketch in sketches for key in sketch.keys]))

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the deciding rule's evidence, and the methods that would call them duplicates."""
        details = self.base.details(left, right)
        sketches = zip(self.methods, left.sketches, right.sketches, strict=False)
        alike = [method.name for method, a, b in sketches if method.match(a, b) >= method.threshold]
        return details._replace(fingerprints=(*details.fingerprints, *alike))

    def matcher(self, one: Entry) -> Matcher:
        """Return the matcher of the deciding rule; the methods do not change the verdict."""
        return self.base.matcher(one)

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return the match by the deciding rule; the methods do not change it."""
        return self.base.match(left, right)

    @property
    def candidate_filter(self) -> CandidateFilter | None:
        """Return the filter of the rule that decides."""
        return self.base.candidate_filter


def deciding_rule(rule: Rule) -> Rule:
    """Return the base rule of a MarkedRule, which decides alone; any other rule as it is."""
    return rule.base if isinstance(rule, SketchRule) else rule


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
        """Return the name of the method with its version."""
        return f"{self.method.name}-{self.method.version}"

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the keys of the fingerprint as sure ones; without any, one key for the text."""
        return IndexKeys((), _sketch(entry).keys or (text_key(entry),))

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the name of the method, the only evidence of this rule."""
        del left, right
        return MatchDetails((self.method.name,))

    def matcher(self, one: Entry) -> Matcher:
        """Return the function that matches other entries with this one by their fingerprints.

        It returns None below the threshold and outside the window. An entry without a fingerprint
        matches only the same text without one.
        """
        at, sketch, window = one.effective_at, _sketch(one), self.window
        alike, threshold = self.method.match, self.method.threshold

        def match(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            theirs = _sketch(other)
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

    @property
    def candidate_filter(self) -> None:
        """Return None: most methods compare two fingerprints faster than any bound."""


def _sketch(entry: Entry) -> Fingerprint:
    return entry.sketches[0]
