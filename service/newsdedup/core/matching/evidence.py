"""What two entries share and where they differ, for the reader of a verdict."""

from collections.abc import Collection, Sequence

from msgspec import UNSET

from newsdedup.core.events import Agreement, Counted, Evidence, Reason, WeightedTerm
from newsdedup.core.facts.moves import describe_moves
from newsdedup.core.matching.rules import Grounds
from newsdedup.core.model import Entry

SHOWN = 12
"""Facts listed of each kind and side: enough to judge by, bounded for a hostile text."""
HOUR = 3_600_000_000


def evidence(own: Entry, terms: Sequence[WeightedTerm], other: Entry, grounds: Grounds) -> Evidence:
    """Return the evidence about two entries, the own terms in words, and the rule's grounds."""
    there = set(other.terms)
    shared = tuple(term for key, term in zip(own.terms, terms, strict=True) if key in there)
    lemmas = [term.term for term in terms]
    moved = describe_moves(grounds.moved[:SHOWN], lemmas, was=own.numbers, now=other.numbers)
    return Evidence(
        shared=tuple(sorted(shared, key=lambda term: (-term.weight, term.term))),
        terms_here=len(own.terms),
        terms_there=len(other.terms),
        numbers=agreement(own.numbers, other.numbers),
        names=agreement(
            own.names,
            other.names,
            said_here=lemmas,
            said_there=[term.term for term in shared],
        ),
        fingerprints=grounds.fingerprints,
        hours_apart=round((own.effective_at - other.effective_at) / HOUR, 2),
        reasons=tuple([Reason(*each) for each in grounds.contributions]),
        moved=tuple([Counted(*each) for each in moved]) or UNSET,
    )


def agreement(
    here: Sequence[str],
    there: Sequence[str],
    *,
    said_here: Collection[str] = (),
    said_there: Collection[str] = (),
) -> Agreement:
    """Return which facts both hold and which only one, in the order of the holder.

    `said_here` and `said_there` are what else each text is known to say. A name that begins a
    sentence is no name to named.py, but may be a term.
    """
    ours, theirs = {*here, *said_here}, {*there, *said_there}
    both = [fact for fact in here if fact in theirs]
    both += [fact for fact in there if fact in ours and fact not in both]
    return Agreement(
        both=tuple(both[:SHOWN]),
        here=tuple([fact for fact in here if fact not in theirs][:SHOWN]),
        there=tuple([fact for fact in there if fact not in ours][:SHOWN]),
    )
