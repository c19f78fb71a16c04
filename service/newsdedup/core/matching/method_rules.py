"""Rules that use the methods of the papers: alongside a rule that decides, or alone."""

from newsdedup.core.fingerprints.method import Method
from newsdedup.core.matching.index_keys import IndexKeys, text_key
from newsdedup.core.matching.rules import MatchDetails, Matcher, Rule
from newsdedup.core.model import Entry, Match, Micros


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
