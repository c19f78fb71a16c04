"""Who follows whom: the greedy assignment in the total order, kept up to date.

The final state of a window is defined without any order of arrival: going through the items by
(effective time, source, id), each joins the best earlier leader it matches (more score in tenths,
then earlier), else it leads. Items are compared with leaders alone, so stories do not chain. An
arrival, a withdrawal or an edit changes what some later items are compared with; only those are
judged again, in the total order, so each at most once (tests/laws/test_stories.py compares the
result with the definition).
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import ItemKey, Match, Order
from newsdedup.core.stories.overlay import Overlay
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.search import Candidate, find_attracted, find_matches, grade


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
        """Queue records to be judged by this decision, each at most once in all."""
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
        """Choose the leader of a record, put it into the overlay, queue those whom this may move.

        These are, of a new leader, the later leaders and members that match it; of one that leads
        no more, its followers.
        """
        overlay, rule = self.overlay, self.rule
        earlier, later = find_matches(record, overlay.leaders(record.entry, rule), rule)
        chosen = choose_leader(record, earlier)
        overlay.put(chosen)
        overlay.remember([leader for _, leader in earlier if leader.key == chosen.leader])
        self._inherit(chosen)
        if chosen.leads and not record.leads:
            self.wait(overlay.remember(later))
            won = find_attracted(chosen.entry, overlay.members(chosen.entry), rule)
            self.wait(overlay.remember(list(won)))
        elif record.leads and not chosen.leads:
            self.wait(overlay.followers(record.key))

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


def choose_leader(record: Record, earlier: Sequence[Candidate]) -> Record:
    """Return the record as follower of the best duplicate among earlier leaders, else as leader.

    The best has the highest grade, of equal ones it is the earliest. As a leader the record keeps a
    link to the best leader that is only similar, of equal ones the latest: the latest state of a
    story. One that an editor split always leads.
    """
    if not earlier:
        return record._replace(leader=record.key, match=None, similar=None)
    duplicates = [alike for alike in earlier if alike[0].duplicate]
    if not duplicates:
        match, leader = max(earlier, key=lambda one: (grade(one[0].score), one[1].entry.order))
        return record._replace(leader=record.key, match=match, similar=leader.key)
    match, leader = min(duplicates, key=lambda one: (-grade(one[0].score), one[1].entry.order))
    if record.edit is None or record.edit.alone_at is None:
        return record._replace(leader=leader.key, match=match, similar=None)
    link = Match(match.score, "similar")
    return record._replace(leader=record.key, match=link, similar=leader.key)
