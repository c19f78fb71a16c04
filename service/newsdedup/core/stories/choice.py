"""Which story an item joins, among the leaders and variants that a look-up has found near it.

A look-up in a full window returns hundreds of records, nearly all of other messages. The rule's
filter bounds how well each could match (`CandidateFilter.prospects`); one is compared unless it
cannot match, or could not be chosen even so. Law: the choice is the one among all that match
(tests/laws/test_search.py).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.matching.rows import (
    FEW,
    Flags,
    Indexes,
    Prospects,
    hash_text,
    near_records,
)
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey, Match, Micros, Order
from newsdedup.core.stories.records import HIGHEST, Record, grade

Candidate = tuple[Match, Record]
Times = NDArray[np.int64]

STANDS_IN = 0.85
"""Least score of a match with a variant by which an item joins its story."""


class Choice:
    """The choice of one record among those near it."""

    def __init__(
        self,
        record: Record,
        near: Sequence[Record],
        rule: Rule,
        find: Callable[[ItemKey], Record | None],
    ) -> None:
        """Compare a record with those near it; `find` returns any other one, None if unknown."""
        self.named: list[Record] = []
        """The leader that was chosen and the record that the match is with; one if they are one."""
        self._record = record
        self._near = near
        self._find = find
        self._window = rule.window
        self._matching = rule.matcher(record.entry)
        self._leaders: list[Candidate] = []
        """Earlier leaders that match it; those that cannot be chosen may be missing."""
        self._variants: list[tuple[int, Record]] = []
        """Earlier variants that may be copies, with the highest grade they may have."""
        self._later: list[Record] = []
        """Later ones that may duplicate it, or be of its source and match it."""
        self._own: Indexes | None = None
        """Where those of its source are that may match it; None if all were compared."""
        found = filter_near(record.entry, near, rule)
        if found is None:
            self._compare_all()
        else:
            self._compare_best_first(*found)

    def choose(self) -> Record:
        """Return the record as a follower of the best duplicate among earlier leaders and variants.

        The best has the highest grade, of equal ones it is a leader, then the earliest. A variant
        stands in for its own leader if it matches by .85. A story is barred in which the record's
        own source has said what the record updates. Without a duplicate the record leads. It keeps
        a link then to what it updates in a barred story, or to the best leader that is only
        similar, of equal ones the latest: the latest state of a story. One that an editor split
        always leads.
        """
        record, barring = self._record, list[Candidate]()
        copy = self._best_leader(barring)
        leader = None if copy is None else copy[1]
        alike = self._alike_variants(copy)
        via = self._best_variant(alike, barring, above=0 if copy is None else grade(copy[0].score))
        if via is not None:
            leader = self._leader_of(via[1])
        elif leader is not None:
            via = next((one for one in alike if one[1].leader == leader.key), None)
        chosen = via or copy or self._best_link(barring)
        if chosen is None:
            return record._replace(leader=record.key, match=None, similar=None)
        match, matched = chosen
        self.named = [matched] if leader is None or leader is matched else [leader, matched]
        if leader is None:
            return record._replace(leader=record.key, match=match, similar=matched.key)
        if record.edit is not None and record.edit.alone_at is not None:
            link = Match(match.score, "similar")
            return record._replace(leader=record.key, match=link, similar=matched.key)
        similar = None if matched is leader else matched.key
        return record._replace(leader=leader.key, match=match, similar=similar)

    def moved(self, *, leads: bool, bars: bool) -> list[Record]:
        """Return the later leaders and variants that may choose otherwise because of the record.

        It begins or ends to be compared with them; `leads` says whether it leads now, `bars`
        whether it is or was a variant, which bars its story for updates of its source.
        """
        entry = self._record.entry
        return [
            other
            for other in self._later
            if may_move(self._matching(other.entry), entry, other, leads=leads, bars=bars)
        ]

    def _compare_all(self) -> None:
        """Compare the record with all earlier leaders near it."""
        order = self._record.entry.order
        self._leaders, self._variants, self._later, self._own = [], [], [], None
        for other in self._near:
            if other.entry.order >= order:
                self._later.append(other)
            elif not other.leads:
                self._variants.append((HIGHEST, other))
            elif match := self._matching(other.entry):
                self._leaders.append((match, other))

    def _compare_best_first(self, prospects: Prospects, times: Times, own: Flags) -> None:
        """Compare the record with those that could be chosen, by their prospects and times."""
        entry, near = self._record.entry, self._near
        precede = times < entry.effective_at
        # Of equal times the ids decide; few records are as late as an item that arrives.
        for each in np.flatnonzero(~precede):
            other = near[prospects.indexes[each]]
            if other.entry.order < entry.order:
                precede[each] = True
            elif prospects.duplicates[each] or own[each]:
                self._later.append(other)
        self._own = prospects.indexes[precede & own]
        self._leaders = list(self._earlier_leaders(prospects, times, precede))

    def _earlier_leaders(
        self, prospects: Prospects, times: Times, precede: Flags
    ) -> Iterator[Candidate]:
        """Yield the matches among earlier leaders, without those that could not be chosen.

        Chosen is the duplicate of the best grade, of equal ones the earliest; without a duplicate
        the match of the best grade, of equal ones the latest. Variants are noted on the way.
        """
        grades = np.rint(10 * prospects.scores[precede]).astype(int)
        columns = (
            prospects.duplicates[precede],
            grades,
            times[precede],
            prospects.indexes[precede],
        )
        # Possible duplicates come first, then those of the best possible grade, then the latest.
        ranked = np.lexsort((columns[2], grades, columns[0]))[::-1]
        best_copy: int | None = None
        best_link: tuple[int, Micros, ItemKey] | None = None
        ordered = zip(*[column[ranked].tolist() for column in columns], strict=True)
        for may_be_copy, most, at, index in ordered:
            if best_copy is not None and not (may_be_copy and most >= best_copy):
                return
            other = self._near[index]
            entry = other.entry
            if not other.leads:
                if may_be_copy:
                    self._variants.append((most, other))
                continue
            if not may_be_copy and best_link and (most, at, entry.key) <= best_link:
                if (most, at) < best_link[:2]:
                    return
                continue
            match = self._matching(entry)
            if match is None:
                continue
            yield match, other
            if match.duplicate:
                best_copy = max(best_copy or 0, grade(match.score))
            else:
                link = (grade(match.score), at, entry.key)
                best_link = max(best_link, link) if best_link else link

    def _best_leader(self, barring: list[Candidate]) -> Candidate | None:
        """Return the best duplicate among earlier leaders whose story is not barred.

        What bars the stories that would be better is added to `barring`.
        """
        barred: set[ItemKey] = set()
        while True:
            copies = [one for one in self._leaders if one[0].duplicate and one[1].key not in barred]
            if not copies:
                return None
            best = min(copies, key=_preference)
            before = self._find_update(best[1].key)
            if before is None:
                return best
            barring.append(before)
            if not barred and self._own is not None:
                # Leaders that are less good than this one were not compared.
                self._compare_all()
            barred.add(best[1].key)

    def _alike_variants(self, copy: Candidate | None) -> list[Candidate]:
        """Return the variants that the record matches no worse than the best leader, best first.

        Of other stories than that leader's, those that match worse than .85 may be missing.
        """
        least = 0 if copy is None else grade(copy[0].score)
        if least >= HIGHEST:
            return []
        leader = None if copy is None else copy[1].key
        elsewhere = max(least + 1, grade(STANDS_IN))
        alike = [
            (match, variant)
            for most, variant in self._variants
            if most >= (least if variant.leader == leader else elsewhere)
            if (match := self._matching(variant.entry)) is not None
            if match.duplicate and grade(match.score) >= least
        ]
        return sorted(alike, key=_preference)

    def _best_variant(
        self, alike: Sequence[Candidate], barring: list[Candidate], *, above: int
    ) -> Candidate | None:
        """Return the best variant whose story the record may join, better than the best leader.

        `above` is the grade of that leader. What bars the stories of better ones is added to
        `barring`.
        """
        for match, variant in alike:
            if match.score < STANDS_IN or grade(match.score) <= above:
                continue
            leader = self._leader_of(variant)
            if leader is None:
                continue
            before = self._find_update(leader.key)
            if before is None:
                return match, variant
            barring.append(before)
        return None

    def _best_link(self, barring: Sequence[Candidate]) -> Candidate | None:
        """Return the item to which the record is linked as a leader, and how they match.

        It is one of those that bar a better story, else a leader that is only similar.
        """
        links = barring or [one for one in self._leaders if not one[0].duplicate]
        return max(links, key=_rank_of_link, default=None)

    def _leader_of(self, variant: Record) -> Record | None:
        """Return the leader of a variant, near the record or not; None if it left the window."""
        if variant.leader is None:
            return None
        leader = self._near_leaders.get(variant.leader) or self._find(variant.leader)
        at = self._record.entry.effective_at
        if leader is None or at - leader.entry.effective_at > self._window:
            return None
        return leader

    @cached_property
    def _near_leaders(self) -> dict[ItemKey, Record]:
        """The leaders near the record by their keys; read only where a variant is like it."""
        return {other.key: other for other in self._near if other.leads}

    def _find_update(self, leader: ItemKey) -> Candidate | None:
        """Return the latest that its own source said in a story and that the record updates."""
        updated = [
            (match, other)
            for other in self._own_earlier
            if other.leader == leader
            if (match := self._matching(other.entry)) is not None and match.relation == "update"
        ]
        return max(updated, key=_rank_of_link, default=None)

    @cached_property
    def _own_earlier(self) -> list[Record]:
        """The earlier records near it of its own source that may match it."""
        source, order = self._record.key.source, self._record.entry.order
        if self._own is not None:
            return [self._near[index] for index in self._own.tolist()]
        return [
            other
            for other in self._near
            if other.key.source == source and other.entry.order < order
        ]


def _preference(one: Candidate) -> tuple[int, Order]:
    """Return what orders candidates, the best first: grade, of equal ones the earliest."""
    return -grade(one[0].score), one[1].entry.order


def _rank_of_link(one: Candidate) -> tuple[int, Order]:
    """Return what orders links, the best last: grade, of equal ones the latest."""
    return grade(one[0].score), one[1].entry.order


def find_moved(
    entry: Entry, members: Sequence[Record], rule: Rule, *, leads: bool, bars: bool
) -> Iterator[Record]:
    """Yield the later members that may choose otherwise because of an earlier entry.

    It begins or ends to be compared with them; `leads` says whether it leads now,
    `bars` whether it is or was a variant, which bars its story for updates of its source.
    """
    matching = rule.matcher(entry)
    found = filter_near(entry, members, rule)
    promising: Iterable[Record] = members
    if found is not None:
        prospects, _, own = found
        promising = _promising_members(members, prospects, own)
    for member in promising:
        if may_move(matching(member.entry), entry, member, leads=leads, bars=bars):
            yield member


def may_move(match: Match | None, mover: Entry, other: Record, *, leads: bool, bars: bool) -> bool:
    """Return whether a later record may choose otherwise because of an earlier one.

    The earlier one begins or ends to be compared with it; `leads` says whether it leads now,
    `bars` whether it is or was a variant, which bars its story for updates of its source.
    """
    if match is None:
        return False
    if match.relation == "update":
        return bars and mover.key.source == other.key.source
    if not match.duplicate:
        return False
    if other.leads:
        return leads or match.score >= STANDS_IN
    if leads and other.similar is not None:
        return True
    return _may_win(match.score, other)


def filter_near(
    entry: Entry, near: Sequence[Record], rule: Rule
) -> tuple[Prospects, Times, Flags] | None:
    """Return which of the records near an entry may match, their times, and who is of its source.

    None where all must be compared, or are so few that it is as cheap.
    """
    by = rule.candidate_filter
    if len(near) <= FEW or by is None:
        return None
    rows = near_records(near, by).rows
    prospects = None if rows is None else by.prospects(entry, rows)
    if rows is None or prospects is None:
        return None
    found = rows[prospects.indexes]
    return prospects, found["effective_at"], found["source"] == hash_text(entry.key.source)


def _promising_members(
    members: Sequence[Record], prospects: Prospects, own: Flags
) -> Iterator[Record]:
    """Yield the members that may choose otherwise, as far as bounds tell."""
    for index, score, may_be_copy, same in zip(*prospects, own, strict=True):
        if not (may_be_copy or same):
            continue
        member = members[index]
        if same or member.similar is not None or _may_win(score, member):
            yield member


def _may_win(score: float, member: Record) -> bool:
    """Return whether a score is at least as good as that with which a member follows its leader."""
    return member.match is None or grade(score) >= grade(member.match.score)
