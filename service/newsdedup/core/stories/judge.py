"""One act in, what it changes out: the judge takes the rule as a value."""

from collections.abc import Generator

from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.acts import Act, Publish, enter
from newsdedup.core.stories.arrival import arrive
from newsdedup.core.stories.assignment import Assignment
from newsdedup.core.stories.board import Board
from newsdedup.core.stories.groups import regroup
from newsdedup.core.stories.publication import Settlement, settlement
from newsdedup.core.stories.records import Answer, Question

Deciding = Generator[Question, Answer, Settlement]

CASCADE_BOUND = 10_000
"""Items judged again for one arrival: a late leader of a hot event must not stop the stream."""


def decide(act: Act, rule: Rule, *, bound: int = CASCADE_BOUND) -> Deciding:
    """Ask what must be known about an act and return what it changes.

    Idempotent: a version that is known already changes nothing, in any order of delivery.
    """
    if isinstance(act, Publish):
        arrived = yield from arrive(act, rule)
        if arrived is not None:
            return arrived
    return (yield from decide_at_large(act, rule, bound=bound))


def decide_at_large(act: Act, rule: Rule, *, bound: int = CASCADE_BOUND) -> Deciding:
    """Decide about any act: whoever it concerns is judged again."""
    board = Board()
    again = yield from enter(act, board, rule)
    assignment = Assignment(board, rule, bound)
    assignment.wait(record for key in sorted(again) if (record := board.now(key)) is not None)
    yield from assignment.settle()
    yield from regroup(board)
    return settlement(act, board, cut_short=assignment.cut_short)
