"""Decide about one act: what it changes in the stories, under a rule that is passed in."""

from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.acts import Act, Publish, apply_act
from newsdedup.core.stories.arrival import decide_plain_arrival
from newsdedup.core.stories.assignment import Assignment
from newsdedup.core.stories.board import Board
from newsdedup.core.stories.groups import regroup
from newsdedup.core.stories.publication import Settlement, make_settlement
from newsdedup.core.stories.records import RecordReader

CASCADE_BOUND = 10_000
"""Items judged again for one arrival: a late leader of a hot event must not stop the stream."""


def decide(act: Act, rule: Rule, store: RecordReader, *, bound: int = CASCADE_BOUND) -> Settlement:
    """Return what an act changes in the stories that a store holds; nothing is written to it.

    Idempotent: a version that is known already changes nothing, in any order of delivery. Raise
    UnknownItem if an editor's act names an item that is not stored.
    """
    if isinstance(act, Publish):
        plain = decide_plain_arrival(act, rule, store)
        if plain is not None:
            return plain
    return decide_in_general(act, rule, store, bound=bound)


def decide_in_general(
    act: Act, rule: Rule, store: RecordReader, *, bound: int = CASCADE_BOUND
) -> Settlement:
    """Return what any act changes, by judging again all items that it may concern, up to `bound`.

    Raise UnknownItem if an editor's act names an item that is not stored.
    """
    board = Board(store)
    again = apply_act(act, board, rule)
    assignment = Assignment(board, rule, bound)
    assignment.wait(record for key in sorted(again) if (record := board.now(key)) is not None)
    assignment.settle()
    regroup(board)
    return make_settlement(act, board, cut_short=assignment.cut_short)
