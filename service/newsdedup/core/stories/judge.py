"""Decide about one command: what it changes in the stories, under a rule that is passed in.

The final state of a window is defined without any order of arrival: going through the items by
(effective time, source, id), each joins the best earlier leader it matches (more score in tenths,
then earlier), else it leads. Items are compared with leaders alone, so stories do not chain. An
arrival, a withdrawal or an edit changes what some later items are compared with; only those are
judged again, in the total order, so each at most once (tests/laws/test_stories.py compares the
result with the definition).

Nearly all items of a stream are new and later than every leader they match. Such a plain arrival
changes nothing else: no overlay, no cascade, no regrouping. Law: the decision is the one that the
general way would reach (tests/laws/test_arrival.py).

A look-up in a full window returns hundreds of leaders, nearly all of another message. The rule's
filter bounds how well each could match (`CandidateFilter.prospects`); a leader is compared unless
it cannot match, or could not be chosen even so. Law: the choice is the one among all leaders that
match (tests/laws/test_search.py).
"""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.matching.rows import FEW, Flags, Prospects, near_records
from newsdedup.core.matching.rules import Matcher, Rule
from newsdedup.core.model import Entry, ItemKey, Match, Micros, Order
from newsdedup.core.stories.commands import Command, Publish, apply_command
from newsdedup.core.stories.groups import regroup, story_name
from newsdedup.core.stories.publication import Announcement, Decision, make_decision
from newsdedup.core.stories.records import Overlay, Record, RecordReader

Candidate = tuple[Match, Record]


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


def grade(score: float) -> int:
    """Return a score in tenths, by which leaders are preferred.

    By hundredths copies of two leaders that tell one event would be scattered over both stories.
    """
    return round(10 * score)


def find_matches(
    record: Record, near: Sequence[Record], rule: Rule
) -> tuple[list[Candidate], list[Record]]:
    """Return earlier leaders that match a record, and all later ones that duplicate it.

    Earlier ones that can be neither its leader nor the one it is linked to may be missing.
    """
    matching = rule.matcher(record.entry)
    order = record.entry.order
    filtered = _filter(record.entry, near, rule)
    if filtered is None:
        alike = [(match, leader) for leader in near if (match := matching(leader.entry))]
        earlier = [one for one in alike if one[1].entry.order < order]
        return earlier, [
            leader for match, leader in alike if match.duplicate and leader.entry.order >= order
        ]
    prospects, times = filtered
    precede = times < order.effective_at
    later: list[Record] = []
    # Of equal times the ids decide; few leaders are as late as an item that arrives.
    for each in np.flatnonzero(~precede):
        leader = near[prospects.indexes[each]]
        if leader.entry.order < order:
            precede[each] = True
        elif prospects.duplicates[each]:
            match = matching(leader.entry)
            if match is not None and match.duplicate:
                later.append(leader)
    return list(_compare_best_first(prospects, times, precede, near, matching)), later


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


def find_attracted(entry: Entry, members: Sequence[Record], rule: Rule) -> Iterator[Record]:
    """Yield the members that may prefer a new leader to their own: it matches at least as well."""
    matching = rule.matcher(entry)
    filtered = _filter(entry, members, rule)
    promising = members
    if filtered is not None:
        indexes, scores, duplicates = filtered[0]
        copies = zip(indexes[duplicates].tolist(), scores[duplicates].tolist(), strict=True)
        promising = [members[index] for index, score in copies if _may_win(score, members[index])]
    for member in promising:
        match = matching(member.entry)
        if match is not None and match.duplicate and _may_win(match.score, member):
            yield member


def _filter(
    entry: Entry, near: Sequence[Record], rule: Rule
) -> tuple[Prospects, NDArray[np.int64]] | None:
    """Return which of the records near an entry may match it, and their times.

    None where all must be compared, or are so few that it is as cheap.
    """
    by = rule.candidate_filter
    if len(near) <= FEW or by is None:
        return None
    rows = near_records(near, by).rows
    prospects = None if rows is None else by.prospects(entry, rows)
    if rows is None or prospects is None:
        return None
    return prospects, rows["effective_at"][prospects.indexes]


def _compare_best_first(
    prospects: Prospects,
    times: NDArray[np.int64],
    precede: Flags,
    near: Sequence[Record],
    matching: Matcher,
) -> Iterator[Candidate]:
    """Yield the matches among earlier leaders, without those that could not be chosen.

    Chosen is the duplicate of the best grade, of equal ones the earliest; without a duplicate the
    match of the best grade, of equal ones the latest.
    """
    grades = np.rint(10 * prospects.scores[precede]).astype(int)
    columns = (prospects.duplicates[precede], grades, times[precede], prospects.indexes[precede])
    # Possible duplicates come first, then those of the best possible grade, then the latest.
    ranked = np.lexsort((columns[2], grades, columns[0]))[::-1]
    best_copy: int | None = None
    best_link: tuple[int, Micros, ItemKey] | None = None
    ordered = zip(*[column[ranked].tolist() for column in columns], strict=True)
    for may_be_copy, most, at, index in ordered:
        if best_copy is not None and not (may_be_copy and most >= best_copy):
            return
        entry = near[index].entry
        if not may_be_copy and best_link and (most, at, entry.key) <= best_link:
            if (most, at) < best_link[:2]:
                return
            continue
        match = matching(entry)
        if match is None:
            continue
        yield match, near[index]
        if match.duplicate:
            best_copy = max(best_copy or 0, grade(match.score))
        else:
            link = (grade(match.score), at, entry.key)
            best_link = max(best_link, link) if best_link else link


def _may_win(score: float, member: Record) -> bool:
    """Return whether a score is at least as good as that with which a member follows its leader."""
    return member.match is None or grade(score) >= grade(member.match.score)
