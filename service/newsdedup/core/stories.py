"""Who follows whom: the greedy assignment in the total order, kept up to date.

The final state of a window is defined without any order of arrival: going through the items by
(effective time, source, id), each joins the best earlier leader it matches (more score, then
earlier), else it leads. Joining asks the leader, so stories do not chain. An arrival, a
withdrawal or an edit changes what some later items saw; only those are judged again, in the total
order, so each at most once (tests/laws/test_stories.py holds it against the definition).
"""

import heapq
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field

from newsdedup.core.board import Board
from newsdedup.core.model import ItemKey, Match, Order
from newsdedup.core.records import Answer, Question, Record
from newsdedup.core.rules import Rule

Assigning = Generator[Question, Answer, None]


@dataclass(slots=True)
class Assignment:
    """The items of one decision that wait to be judged, and the bound on their number."""

    board: Board
    rule: Rule
    bound: int
    judged: int = 0
    cut_short: int = 0
    _waiting: list[tuple[Order, ItemKey]] = field(default_factory=list)
    _known: set[ItemKey] = field(default_factory=set)
    _heirs: dict[ItemKey, ItemKey] = field(default_factory=dict)
    """Past the bound, a follower goes where the first judged follower of its leader went."""

    def wait(self, records: Iterable[Record]) -> None:
        """Let records be judged; one that waits already waits once."""
        for record in records:
            if record.key not in self._known:
                self._known.add(record.key)
                heapq.heappush(self._waiting, (record.entry.order, record.key))

    def settle(self) -> Assigning:
        """Judge all who wait, and whom that concerns, in the total order."""
        while self._waiting:
            _, key = heapq.heappop(self._waiting)
            record = self.board.now(key)
            if record is None or record.retracted:
                continue
            if self.judged < self.bound:
                self.judged += 1
                yield from self._judge(record)
            else:
                self._move_along(record)

    def _judge(self, record: Record) -> Assigning:
        near = yield from self.board.leaders(record.entry)
        chosen = choice(record, near, self.rule)
        self.board.put(chosen)
        self._inherit(chosen)
        if chosen.leads and not record.leads:
            yield from self._attract(chosen, near)
        elif record.leads and not chosen.leads:
            self.wait((yield from self.board.followers(record.key)))

    def _attract(self, leader: Record, near: list[Record]) -> Assigning:
        """Let all whom a new leader may win be judged again."""
        order = leader.entry.order
        later = [other for other in near if other.entry.order > order]
        self.wait(other for other in later if self._duplicates(leader, other))
        members = yield from self.board.members(leader.entry)
        self.wait(member for member in members if self._wins(leader, member))

    def _duplicates(self, leader: Record, other: Record) -> bool:
        match = self.rule.match(leader.entry, other.entry)
        return match is not None and match.duplicate

    def _wins(self, leader: Record, member: Record) -> bool:
        """Return whether a later member may prefer the new leader to its own."""
        if member.entry.order < leader.entry.order:
            return False
        match = self.rule.match(leader.entry, member.entry)
        if match is None or not match.duplicate:
            return False
        return member.match is None or match.score >= member.match.score

    def _inherit(self, chosen: Record) -> None:
        """Remember where the followers of a leader that leads no more should go."""
        before = self.board.before(chosen.key)
        left = None if before is None else before.leader
        if left is None or chosen.leader is None or self._still_leads(left):
            return
        if left == chosen.key:
            self._heirs[left] = chosen.leader
        else:
            self._heirs.setdefault(left, chosen.leader)

    def _still_leads(self, key: ItemKey) -> bool:
        leader = self.board.now(key)
        return leader is None or leader.leads

    def _move_along(self, record: Record) -> None:
        """Give a record a place unjudged: its old one, its leader's heir, or its own story."""
        if record.leader is not None and self._still_leads(record.leader):
            return
        before = self.board.before(record.key)
        left = None if before is None else before.leader
        heir = None if left is None else self._heirs.get(left)
        if heir is None and left is not None:
            self._heirs[left] = record.key
        match = None if heir is None or before is None else before.match
        self.board.put(record._replace(leader=heir or record.key, match=match, similar=None))
        self.cut_short += 1


def choice(record: Record, near: Iterable[Record], rule: Rule) -> Record:
    """Return the record in the place that the leaders near it leave it."""
    order = record.entry.order
    best: tuple[float, Order, Record, Match] | None = None
    alike: tuple[float, Order, Record, Match] | None = None
    for leader in near:
        if leader.entry.order > order:
            continue
        match = rule.match(record.entry, leader.entry)
        if match is None:
            continue
        found = (-match.score, leader.entry.order, leader, match)
        if match.duplicate:
            best = found if best is None or found[:2] < best[:2] else best
        else:
            alike = found if alike is None or found[:2] < alike[:2] else alike
    alone = record.edit is not None and record.edit.alone_at is not None
    if best is not None and not alone:
        return record._replace(leader=best[2].key, match=best[3], similar=None)
    link = alike if best is None else best
    if link is None:
        return record._replace(leader=record.key, match=None, similar=None)
    similar = Match(link[3].score, "similar")
    return record._replace(leader=record.key, match=similar, similar=link[2].key)
