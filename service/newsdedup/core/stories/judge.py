"""Decide about one act: what it changes in the stories, under a rule that is passed in."""

from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.arrival import decide_plain_arrival
from newsdedup.core.stories.assignment import Assignment
from newsdedup.core.stories.commands import Command, Publish, apply_command
from newsdedup.core.stories.groups import regroup
from newsdedup.core.stories.overlay import Overlay
from newsdedup.core.stories.publication import Decision, make_decision
from newsdedup.core.stories.records import RecordReader

CASCADE_BOUND = 10_000
"""Items judged again for one arrival: a late leader of a hot event must not stop the stream."""


def decide(
    command: Command, rule: Rule, store: RecordReader, *, bound: int = CASCADE_BOUND
) -> Decision:
    """Return what a command changes in the stories that a store holds; nothing is written to it.

    Idempotent: a version that is known already changes nothing, in any order of delivery. Raise
    UnknownItem if an editor's command names an item that is not stored.
    """
    if isinstance(command, Publish):
        plain = decide_plain_arrival(command, rule, store)
        if plain is not None:
            return plain
    return decide_in_general(command, rule, store, bound=bound)


def decide_in_general(
    command: Command, rule: Rule, store: RecordReader, *, bound: int = CASCADE_BOUND
) -> Decision:
    """Return what any act changes, by judging again all items that it may concern, up to `bound`.

    Raise UnknownItem if an editor's command names an item that is not stored.
    """
    overlay = Overlay(store)
    again = apply_command(command, overlay, rule)
    assignment = Assignment(overlay, rule, bound)
    assignment.wait(record for key in sorted(again) if (record := overlay.now(key)) is not None)
    assignment.settle()
    regroup(overlay)
    return make_decision(command, overlay, cut_short=assignment.cut_short)
