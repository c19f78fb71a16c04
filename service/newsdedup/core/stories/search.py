"""Which of the records near an entry match it: those that can still win are compared, best first.

A look-up in a full window returns hundreds of leaders, nearly all of another message. The rule's
filter bounds how well each could match (`CandidateFilter.prospects`); a leader is compared unless
it cannot match, or could not be chosen even so. Law: the choice is the one among all leaders that
match (tests/laws/test_search.py).
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.matching.rows import FEW, Flags, Prospects, near_records
from newsdedup.core.matching.rules import Matcher, Rule
from newsdedup.core.model import Entry, ItemKey, Match, Micros
from newsdedup.core.stories.records import Record

Candidate = tuple[Match, Record]


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
