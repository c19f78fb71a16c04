"""What two entries share and where they differ, for the reader of a verdict."""

from collections.abc import Collection, Iterable, Sequence

from msgspec import UNSET

from newsdedup.core.events import Agreement, Counted, Evidence, Reason, WeightedTerm
from newsdedup.core.facts.moves import describe_moves
from newsdedup.core.matching.rules import MatchDetails
from newsdedup.core.model import Entry
from newsdedup.core.moments import HOUR

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
            own.names,
            other.names,
            words_here=lemmas,
            words_there=[term.term for term in shared],
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
