"""Why a rule says what it says about two items: the figures, and the reasoning in words.

The two items are A and B, in the order in which somebody named them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from newsdedup.core.events import Agreement, WeightedTerm
from newsdedup.core.facts.moves import describe_moves
from newsdedup.core.matching.evidence import HOUR, SHOWN, agreement
from newsdedup.core.matching.reasoning import reasoning
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, Match, Relation


@dataclass(frozen=True, slots=True)
class Side:
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
class Facts:
    """Facts of one kind in both items, and in only one of them; each list is bounded."""

    both: tuple[str, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counted:
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
    numbers: Facts
    names: Facts
    moved: tuple[Counted, ...]
    hours_apart: float | None
    """How much later B is; None when one of them has no time."""
    window_hours: float


def explanation(a: Side, b: Side, rule: Rule, *, dated: bool = True) -> Explanation:
    """Return why the rule says what it says; undated items count as of one time."""
    if not dated:
        b = replace(b, entry=b.entry._replace(effective_at=a.entry.effective_at))
    match = rule.match(a.entry, b.entry) or Match(0.0, "none")
    found = reasoning(a.entry, b.entry, rule, dated=dated)
    told_a, told_b = _in_words(a), _in_words(b)
    return Explanation(
        rule=rule.version,
        duplicate=match.duplicate,
        relation=match.relation,
        score=None if match.relation == "none" else match.score,
        why=found.why,
        otherwise=found.otherwise,
        shared=_shared(told_a, told_b),
        only_a=_heaviest_first([term for key, term in told_a.items() if key not in told_b]),
        only_b=_heaviest_first([term for key, term in told_b.items() if key not in told_a]),
        numbers=_facts(agreement(a.entry.numbers, b.entry.numbers)),
        names=_names(a, b),
        moved=_moved(a, b, rule),
        hours_apart=round((b.entry.effective_at - a.entry.effective_at) / HOUR, 2)
        if dated
        else None,
        window_hours=round(rule.window / HOUR, 2),
    )


def _moved(a: Side, b: Side, rule: Rule) -> tuple[Counted, ...]:
    moves = rule.grounds(a.entry, b.entry).moved[:SHOWN]
    lemmas = [term.term for term in (*a.terms, *b.terms)]
    found = describe_moves(moves, lemmas, was=a.entry.numbers, now=b.entry.numbers)
    return tuple([Counted(*each) for each in found])


def _in_words(side: Side) -> dict[int, WeightedTerm]:
    return dict(zip(side.entry.terms, side.terms, strict=True))


def _shared(a: dict[int, WeightedTerm], b: dict[int, WeightedTerm]) -> tuple[SharedTerm, ...]:
    """Return the shared terms, the heaviest in both together first."""
    shared = [
        SharedTerm(term.term, term.weight, b[key].weight) for key, term in a.items() if key in b
    ]
    return tuple(sorted(shared, key=lambda one: (-round(one.weight_a + one.weight_b, 4), one.term)))


def _heaviest_first(terms: Sequence[WeightedTerm]) -> tuple[WeightedTerm, ...]:
    return tuple(sorted(terms, key=lambda term: (-term.weight, term.term)))


def _names(a: Side, b: Side) -> Facts:
    said_a, said_b = [term.term for term in a.terms], [term.term for term in b.terms]
    return _facts(agreement(a.entry.names, b.entry.names, said_here=said_a, said_there=said_b))


def _facts(found: Agreement) -> Facts:
    return Facts(found.both, found.here, found.there)
