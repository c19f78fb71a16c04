"""Why a rule says what it says about two items: the evidence, and the reasons in words.

Of an explanation the two items are A and B, in the order in which the user named them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from msgspec import UNSET

from newsdedup.core.events import Agreement, Counted, Evidence, Reason, WeightedTerm
from newsdedup.core.facts.moves import describe_moves
from newsdedup.core.matching.reasons import (
    terms_otherwise,
    terms_reasons,
    verified_reasons,
    within_window,
)
from newsdedup.core.matching.rules import MatchDetails, MethodRule, Rule, SketchRule, TermsRule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.model import Entry, Match, Relation
from newsdedup.core.moments import HOUR


@dataclass(frozen=True, slots=True)
class ExplainedItem:
    """One of two compared items: what the rule sees of it, and its terms in words."""

    entry: Entry
    terms: tuple[WeightedTerm, ...]
    """In the order of the entry's terms."""


@dataclass(frozen=True, slots=True)
class SharedTerm:
    """A term of both signatures; its weight depends on how often each text uses it."""

    term: str
    weight_a: float
    weight_b: float


@dataclass(frozen=True, slots=True)
class FactsOfBoth:
    """Facts of one kind in both items, and in only one of them; each list is bounded."""

    both: tuple[str, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MovedValue:
    """What both items count, and each otherwise."""

    what: str | None
    """None where the word for it is not known."""
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a rule says about two items, and why."""

    rule: str
    duplicate: bool
    relation: Relation
    score: float | None
    """None when the items do not match at all."""
    why: tuple[str, ...]
    otherwise: tuple[str, ...]
    """What would have to change for another verdict."""
    shared: tuple[SharedTerm, ...]
    only_a: tuple[WeightedTerm, ...]
    only_b: tuple[WeightedTerm, ...]
    numbers: FactsOfBoth
    names: FactsOfBoth
    moved: tuple[MovedValue, ...]
    hours_apart: float | None
    """How much later B is; None when one of them has no time."""
    window_hours: float


class Reasons(NamedTuple):
    """Why the verdict is what it is, and what would have to change for another."""

    why: tuple[str, ...]
    otherwise: tuple[str, ...] = ()


def give_reasons(a: Entry, b: Entry, rule: Rule, *, dated: bool = True) -> Reasons:
    """Return the reasons of any rule for its verdict on A and B, in English sentences.

    `dated` is False if an item has no time; both then count as of one time. A rule of an unknown
    class gets one sentence which says that it gives no reasons.
    """
    match rule:
        case SketchRule():
            reasons = give_reasons(a, b, rule.base, dated=dated)
            known = rule.base.details(a, b).fingerprints
            alike = [name for name in rule.details(a, b).fingerprints if name not in known]
            further = "No further fingerprint would call them duplicates."
            if alike:
                further = f"Fingerprints that would call them duplicates: {', '.join(alike)}."
            return reasons._replace(why=(*reasons.why, further))
        case TermsRule():
            return Reasons(terms_reasons(a, b, rule, dated=dated), terms_otherwise(a, b, rule))
        case VerifiedRule():
            return Reasons(verified_reasons(a, b, rule))
        case MethodRule():
            return Reasons(_method_reasons(a, b, rule))
        case _:
            return Reasons((f"Rule {rule.name} gives no reasons.",))


def _method_reasons(a: Entry, b: Entry, rule: MethodRule) -> tuple[str, ...]:
    """Return sentences on the similarity, the threshold and the shared keys, or on the window."""
    left, right, method = a.sketches[0], b.sketches[0], rule.method
    if not within_window(a, b, rule):
        return (f"They are further apart than the window of {rule.window / HOUR:g} h.",)
    if bool(left.keys) != bool(right.keys):
        return (f"{method.name} finds nothing to sign in one of them: the two cannot match.",)
    if not left.keys:
        return (f"{method.name} finds nothing to sign: only the same text matches.",)
    score, threshold = round(method.match(left, right), 4), round(method.threshold, 4)
    keys = len(set(left.keys).intersection(right.keys))
    met = "and a stream compares them" if keys else "so a stream never compares them"
    return (
        f"{method.name} gives them {score:g}; from {threshold:g} on they are duplicates.",
        f"Of {len(left.keys)} and {len(right.keys)} keys {keys} are shared, {met}.",
    )


def explain_match(
    a: ExplainedItem, b: ExplainedItem, rule: Rule, *, dated: bool = True
) -> Explanation:
    """Return the rule's verdict on A and B with all that explains it.

    If one of them has no time, `dated` is False, and B counts as of the time of A.
    """
    if not dated:
        b = replace(b, entry=b.entry._replace(effective_at=a.entry.effective_at))
    match = rule.match(a.entry, b.entry) or Match(0.0, "none")
    reasons = give_reasons(a.entry, b.entry, rule, dated=dated)
    terms_a, terms_b = (dict(zip(one.entry.terms, one.terms, strict=True)) for one in (a, b))
    shared = [
        SharedTerm(term.term, term.weight, terms_b[key].weight)
        for key, term in terms_a.items()
        if key in terms_b
    ]
    # The heaviest in both together come first.
    shared.sort(key=lambda one: (-round(one.weight_a + one.weight_b, 4), one.term))
    lemmas_a, lemmas_b = ([term.term for term in one.terms] for one in (a, b))
    names = compare_fact_lists(
        a.entry.names, b.entry.names, words_here=lemmas_a, words_there=lemmas_b
    )
    numbers = compare_fact_lists(a.entry.numbers, b.entry.numbers)
    moved = describe_moves(
        rule.details(a.entry, b.entry).moved[:MOST_FACTS],
        [*lemmas_a, *lemmas_b],
        was=a.entry.numbers,
        now=b.entry.numbers,
    )
    apart = b.entry.effective_at - a.entry.effective_at
    return Explanation(
        rule=rule.version,
        duplicate=match.duplicate,
        relation=match.relation,
        score=None if match.relation == "none" else match.score,
        why=reasons.why,
        otherwise=reasons.otherwise,
        shared=tuple(shared),
        only_a=heaviest_first([term for key, term in terms_a.items() if key not in terms_b]),
        only_b=heaviest_first([term for key, term in terms_b.items() if key not in terms_a]),
        numbers=FactsOfBoth(numbers.both, numbers.here, numbers.there),
        names=FactsOfBoth(names.both, names.here, names.there),
        moved=tuple([MovedValue(*each) for each in moved]),
        hours_apart=round(apart / HOUR, 2) if dated else None,
        window_hours=round(rule.window / HOUR, 2),
    )


MOST_FACTS = 12
"""Facts listed of each kind and side: enough to judge by, bounded for a hostile text."""


def build_evidence(
    own: Entry, terms: Sequence[WeightedTerm], other: Entry, details: MatchDetails
) -> Evidence:
    """Return the evidence about the entry `own` and the entry it matches, as events publish it.

    `terms` are the signature of `own` in words, one for each of `own.terms` in their order (else
    ValueError), `details` the rule's evidence with `own` on the left. Numbers, names and moved
    values are cut to MOST_FACTS a list; shared terms, fingerprints and reasons are not cut.
    """
    there = set(other.terms)
    shared = tuple(term for key, term in zip(own.terms, terms, strict=True) if key in there)
    lemmas = [term.term for term in terms]
    moved = describe_moves(details.moved[:MOST_FACTS], lemmas, was=own.numbers, now=other.numbers)
    return Evidence(
        shared=heaviest_first(shared),
        terms_here=len(own.terms),
        terms_there=len(other.terms),
        numbers=compare_fact_lists(own.numbers, other.numbers),
        names=compare_fact_lists(
            own.names, other.names, words_here=lemmas, words_there=[term.term for term in shared]
        ),
        fingerprints=details.fingerprints,
        hours_apart=round((own.effective_at - other.effective_at) / HOUR, 2),
        reasons=tuple([Reason(*each) for each in details.contributions]),
        moved=tuple([Counted(*each) for each in moved]) or UNSET,
    )


def heaviest_first(terms: Iterable[WeightedTerm]) -> tuple[WeightedTerm, ...]:
    """Return terms by falling weight, those of one weight by the alphabet."""
    return tuple(sorted(terms, key=lambda term: (-term.weight, term.term)))


def compare_fact_lists(
    here: Sequence[str],
    there: Sequence[str],
    *,
    words_here: Collection[str] = (),
    words_there: Collection[str] = (),
) -> Agreement:
    """Return which facts both texts have and which only one, in its order, 12 of each at most.

    `words_here` and `words_there` are other words of each text: a name that begins a sentence is
    not recognized as a name, but may be a term.
    """
    ours, theirs = {*here, *words_here}, {*there, *words_there}
    both = [fact for fact in here if fact in theirs]
    both += [fact for fact in there if fact in ours and fact not in both]
    return Agreement(
        both=tuple(both[:MOST_FACTS]),
        here=tuple([fact for fact in here if fact not in theirs][:MOST_FACTS]),
        there=tuple([fact for fact in there if fact not in ours][:MOST_FACTS]),
    )
