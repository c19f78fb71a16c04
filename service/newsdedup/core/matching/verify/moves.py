"""What moved from one text to the other: what it counts, and the day with which it begins."""

from newsdedup.core.facts.moves import Move, find_moves
from newsdedup.core.matching.verify.opening import Stated, moved_days
from newsdedup.core.matching.verify.view import View


def moves(was: View, now: View) -> tuple[Move, ...]:
    """Return the moves of figures, scores and times of day, then those of days."""
    days = moved_days(Stated(was.facts, was.opening), Stated(now.facts, now.opening))
    return find_moves(was.facts, now.facts) + days
