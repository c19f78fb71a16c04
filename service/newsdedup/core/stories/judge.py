"""Decide about one command: what it changes in the stories, under a rule that is passed in.

Nearly all items of a stream are new and later than every leader they match. Such a plain arrival
changes nothing else: no overlay, no cascade, no regrouping. Law: the decision is the one that the
general way would reach (tests/laws/test_arrival.py).
"""

from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.assignment import Assignment, choose_leader
from newsdedup.core.stories.commands import Command, Publish, apply_command
from newsdedup.core.stories.groups import regroup, story_name
from newsdedup.core.stories.overlay import Overlay
from newsdedup.core.stories.publication import Announcement, Decision, make_decision
from newsdedup.core.stories.records import Record, RecordReader
from newsdedup.core.stories.search import find_attracted, find_matches

CASCADE_BOUND = 10_000
"""Items judged again for one arrival: a late leader of a hot event must not stop the stream."""


def decide(
    command: Command, rule: Rule, store: RecordReader, *, bound: int = CASCADE_BOUND
) -> Decision:
    """Return what a command changes in the stories that a store contains; nothing is written to it.

    Idempotent: a version that is known already changes nothing, in any order of delivery. Raise
    UnknownItem if an editor's command names an item that is not stored.
    """
    if isinstance(command, Publish):
        plain = decide_plain_arrival(command, rule, store)
        if plain is not None:
            return plain
    return decide_in_general(command, rule, store, bound=bound)


def decide_plain_arrival(command: Publish, rule: Rule, store: RecordReader) -> Decision | None:
    """Return what the arrival of a new item changes, or None if the general way must decide.

    That is so if the item is known, if a later leader or a later follower of another matches it, or
    if an editor marked its leader's story. The store is only read.
    """
    entry = command.entry
    if store.known(entry.key) is not None:
        return None
    record = Record(entry, life=command.life)
    earlier, later = find_matches(record, store.leaders(entry), rule)
    if later:
        return None
    record = choose_leader(record, earlier)
    if not record.leads:
        leader = next(leader for _, leader in earlier if leader.entry.key == record.leader)
        if leader.edited:
            return None
        name = leader.name
    else:
        if any(find_attracted(entry, store.members(entry), rule)):
            return None
        name = story_name(record)
    record = record._replace(name=name, story=name, original=record.leader)
    judged = Announcement("item.judged", entry.key, entry.version, 0, record)
    return Decision((record._replace(revision=1),), (judged,), ())


def decide_in_general(
    command: Command, rule: Rule, store: RecordReader, *, bound: int = CASCADE_BOUND
) -> Decision:
    """Return what any command changes, by judging again up to `bound` items that it may concern.

    Raise UnknownItem if an editor's command names an item that is not stored.
    """
    overlay = Overlay(store)
    again = apply_command(command, overlay, rule)
    assignment = Assignment(overlay, rule, bound)
    assignment.wait(record for key in sorted(again) if (record := overlay.now(key)) is not None)
    assignment.judge_all()
    regroup(overlay)
    return make_decision(command, overlay, cut_short=assignment.cut_short)
