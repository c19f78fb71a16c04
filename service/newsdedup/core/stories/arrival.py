"""The plain arrival: an item of which nothing was known, later than every leader it matches.

So it is for nearly all items of a stream, and nothing else changes then: no overlay, no cascade, no
regrouping. Law: the decision is the one that the general way would reach
(tests/laws/test_arrival.py).
"""

from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.assignment import choose_leader
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.groups import story_name
from newsdedup.core.stories.publication import Announcement, Decision
from newsdedup.core.stories.records import Record, RecordReader
from newsdedup.core.stories.search import Candidate, find_attracted, find_matches


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
    if earlier:
        record = choose_leader(record, earlier)
        if not record.leads and record.leader is not None:
            return _followed(record, earlier)
    if any(find_attracted(entry, store.members(entry), rule)):
        return None
    key = entry.key
    name = story_name(record)
    return _plain_decision(record._replace(leader=key, name=name, story=name, original=key))


def _followed(record: Record, earlier: list[Candidate]) -> Decision | None:
    """Return the decision of a new follower; None if an editor has marked its leader's story.

    `earlier` are the matches with earlier leaders, its own among them.
    """
    leader = next(leader for _, leader in earlier if leader.entry.key == record.leader)
    if leader.edited:
        return None
    name = leader.name
    return _plain_decision(record._replace(name=name, story=name, original=record.leader))


def _plain_decision(record: Record) -> Decision:
    """Return the decision that stores one new record and announces its first judgement."""
    key, version = record.entry.key, record.entry.version
    judged = Announcement("item.judged", key, version, 0, record)
    return Decision((record._replace(revision=1),), (judged,), ())
