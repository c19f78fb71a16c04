"""Decide about one command: what it changes in the stories, under a rule that is passed in.

The final state of a window is defined without any order of arrival: going through the items by
(effective time, source, id), each joins the story of the best that it matches among earlier
leaders and, from .85 on, variants (more score in tenths, then leaders, then earlier), else it leads
(choice.py). Variants are members that match their leader in words of their own; no item joined
through one is one, so stories do not chain. An arrival, a withdrawal or an edit changes what some
later items are compared with; only those are judged again, in the total order, so each at most
once (tests/laws/test_stories.py compares the result with the definition).

Nearly all items of a stream are new and later than every leader they match. Such a plain arrival
changes nothing else: no overlay, no cascade, no regrouping. Law: the decision is the one that the
general way would reach (tests/laws/test_arrival.py).
"""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field

from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import ItemKey, Order
from newsdedup.core.stories.choice import Choice, find_moved
from newsdedup.core.stories.commands import Command, Publish, apply_command
from newsdedup.core.stories.groups import regroup, story_name
from newsdedup.core.stories.publication import Announcement, Decision, make_decision
from newsdedup.core.stories.records import Overlay, Record, RecordReader


@dataclass(slots=True)
class Assignment:
    """The queue of items that one decision must judge, and the bound on how many it may."""

    overlay: Overlay
    rule: Rule
    bound: int
    judged: int = 0
    cut_short: int = 0
    _waiting: list[tuple[Order, ItemKey]] = field(default_factory=list)
    _known: set[ItemKey] = field(default_factory=set)
    _heirs: dict[ItemKey, ItemKey] = field(default_factory=dict)
    """Past the bound, a follower goes where the first judged follower of its leader went."""

    def wait(self, records: Iterable[Record]) -> None:
        """Queue records to be judged; one that this decision has queued before is left out."""
        for record in records:
            if record.key not in self._known:
                self._known.add(record.key)
                heapq.heappush(self._waiting, (record.entry.order, record.key))

    def judge_all(self) -> None:
        """Judge the queued records in the total order, and those that are queued meanwhile.

        Past the bound, records get a leader without being judged.
        """
        while self._waiting:
            _, key = heapq.heappop(self._waiting)
            record = self.overlay.now(key)
            if record is None or record.retracted:
                continue
            if self.judged < self.bound:
                self.judged += 1
                self._judge(record)
            else:
                self._move_along(record)

    def _judge(self, record: Record) -> None:
        """Choose the story of a record, put it into the overlay, queue those whom this may move.

        Where it begins or ends to lead or to be a variant, or is one in another story, these are
        the later records that match it; where it leads no more, its followers.
        """
        overlay, rule = self.overlay, self.rule
        choice = Choice(record, overlay.leaders(record.entry, rule), rule, overlay.known)
        chosen = choice.choose()
        overlay.put(chosen)
        overlay.remember(choice.named)
        self._inherit(chosen)
        if self._changes_others(record, chosen):
            before = overlay.before(record.key)
            leads, bars = chosen.leads, chosen.is_variant or record.is_variant
            bars = bars or (before is not None and before.is_variant)
            members = overlay.members(chosen.entry)
            self.wait(overlay.remember(choice.moved(leads=leads, bars=bars)))
            moved = find_moved(chosen.entry, members, rule, leads=leads, bars=bars)
            self.wait(overlay.remember(list(moved)))
        if record.leads and not chosen.leads:
            self.wait(overlay.followers(record.key))

    def _changes_others(self, record: Record, chosen: Record) -> bool:
        """Return whether later records may choose otherwise, now that a record was judged."""
        if record.leader is not None:
            same = record.leader == chosen.leader and record.is_compared == chosen.is_compared
            return not same and (record.is_compared or chosen.is_compared)
        # It is new, or it has lost its leader in this decision.
        before = self.overlay.before(record.key)
        return chosen.is_compared or (before is not None and before.is_compared)

    def _inherit(self, chosen: Record) -> None:
        """Remember which leader the followers of a former leader should move to past the bound.

        That is the one it follows now itself, else that of its first judged follower.
        """
        before = self.overlay.before(chosen.key)
        left = None if before is None else before.leader
        if left is None or chosen.leader is None or self._still_leads(left):
            return
        if left == chosen.key:
            self._heirs[left] = chosen.leader
        else:
            self._heirs.setdefault(left, chosen.leader)

    def _still_leads(self, key: ItemKey) -> bool:
        """Return whether an item leads, as decided so far; True if its record was not read."""
        leader = self.overlay.now(key)
        return leader is None or leader.leads

    def _move_along(self, record: Record) -> None:
        """Give a record a leader without judging it: as before, or the heir of its former leader.

        If there is no heir, the record becomes a leader and the heir.
        """
        if record.leader is not None and self._still_leads(record.leader):
            return
        before, heir, match = self.overlay.before(record.key), None, None
        if before is not None and before.leader is not None:
            heir = self._heirs.get(before.leader)
            match = before.match if heir else None
            self._heirs.setdefault(before.leader, record.key)
        self.overlay.put(record._replace(leader=heir or record.key, match=match, similar=None))
        self.cut_short += 1


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

    That is so if the item is known, if it moves a later one, or if an editor marked its leader's
    story. The store is only read.
    """
    entry = command.entry
    if store.known(entry.key) is not None:
        return None
    choice = Choice(Record(entry, life=command.life), store.leaders(entry), rule, store.known)
    record = choice.choose()
    if record.is_compared:
        leads, bars = record.leads, record.is_variant
        if choice.moved(leads=leads, bars=bars):
            return None
        if any(find_moved(entry, store.members(entry), rule, leads=leads, bars=bars)):
            return None
    if record.leads:
        name = story_name(record)
    else:
        leader = next(one for one in choice.named if one.key == record.leader)
        if leader.edited:
            return None
        name = leader.name
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
