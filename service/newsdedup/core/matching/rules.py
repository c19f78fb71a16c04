"""When two entries are duplicates: the protocol of all rules, and the rule `terms`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, Protocol

from newsdedup.core.facts.moves import Move
from newsdedup.core.matching.prefix import HITS, IndexKeys, prefix_keys
from newsdedup.core.model import Entry, Match, Micros

TERMS12 = "terms12"
"""The name of the signature where fingerprints are listed."""


class Contribution(NamedTuple):
    """What one feature of a pair adds to the log-odds of a duplicate."""

    feature: str
    value: float
    logit: float


class MatchDetails(NamedTuple):
    """What the match of a rule rests on."""

    fingerprints: tuple[str, ...]
    """Methods by which the two are alike."""
    contributions: tuple[Contribution, ...] = ()
    """The strongest first; none where no features are weighed."""
    moved: tuple[Move, ...] = ()
    """What both count differently: `was` on the left, `now` on the right."""


Matcher = Callable[[Entry], Match | None]


class Rule(Protocol):
    """How two entries are alike, and by which keys the index finds matching ones; all pure.

    Laws, checked for every rule by tests/laws/test_rules.py: `match` is symmetric; an entry
    matches itself; entries further apart in time than the window never match; duplicates are
    candidates by their keys (prefix.py), so that none is lost; merely similar entries may not be.
    Where the keys of a rule lose duplicates, it says so, and `lab score` measures how many.
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

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the keys under which the entry is filed and looked up."""
        ...

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return what the match of two entries rests on."""
        ...

    def matcher(self, one: Entry) -> Matcher:
        """Return the function that matches other entries with this one."""
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

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the prefix of the signature, or one key for a short one."""
        return prefix_keys(entry, sure=self.duplicate, hoped=self.similar, short=self.duplicate)

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return the signature: the only fingerprint of this rule."""
        del left, right
        return MatchDetails((TERMS12,))

    def matcher(self, one: Entry) -> Matcher:
        """Return the function that matches other entries by shared terms.

        The score is their share of the longer signature.
        """
        duplicate, similar, window = self.duplicate, self.similar, self.window
        at, count = one.effective_at, len(one.terms)
        shared_with = frozenset(one.terms).intersection

        def match(other: Entry) -> Match | None:
            if not -window <= other.effective_at - at <= window:
                return None
            terms = other.terms
            if count < duplicate or len(terms) < duplicate:
                return _EQUAL if _have_same_content(one, other) else None
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
        """Return how the two entries are alike, or None."""
        return self.matcher(left)(right)


_EQUAL = Match(1.0, "reprint")


def _have_same_content(left: Entry, right: Entry) -> bool:
    """Return whether two short entries hold the same terms and numbers."""
    if not left.terms:
        return left.version == right.version
    return left.terms == right.terms and left.numbers == right.numbers
