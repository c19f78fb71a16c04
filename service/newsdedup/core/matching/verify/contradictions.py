"""What contradicts a copy, in words."""

from newsdedup.core.facts.comparison import clock_codes, times_conflict
from newsdedup.core.facts.fact import FactKind
from newsdedup.core.facts.moves import find_moves
from newsdedup.core.matching.verify.relations import Contradiction
from newsdedup.core.matching.verify.view import View


def contradicted(apart: Contradiction, a: View, b: View) -> str:
    """Return in what two texts contradict each other."""
    match apart:
        case "days":
            return "they begin with different days"
        case "names":
            return "they say the same of other names"
        case "places":
            return "they begin with other places in one order"
        case "figures":
            return _figures(a, b)
        case "counts":
            return f"they say the same, but {_how(a, b)}"
        case "over":
            return "one says that the alert is over"


def _figures(a: View, b: View) -> str:
    """Return how figures contradict each other: times of day are among them (features.py)."""
    timed = clock_codes(a.opening) or clock_codes(b.opening)
    begins = "a figure or a time of day" if timed else "a figure"
    return f"each begins with {begins} the other lacks, and they {_how(a, b)}"


def _how(a: View, b: View) -> str:
    otherwise = any(move.kind < FactKind.ORDINAL for move in find_moves(a.facts, b.facts))
    said = ["count one thing differently"] if otherwise else []
    if times_conflict(a.facts, b.facts):
        said.append("name other times of day")
    # What else is counted as a conflict: one value of two measures.
    return " and ".join(said or ["count different things with one figure"])
