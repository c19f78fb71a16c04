"""Which of the records near an entry match it: those that can still win are compared, best first.

A look-up in a full window returns hundreds of leaders, nearly all of another message. The rule
bounds what each could reach (`Rule.prospects`); a leader is compared unless it cannot match, or
could not be chosen even so. Law: the choice is the one among all leaders that match
(tests/laws/test_search.py).
"""

from collections.abc import Iterator, Sequence
from operator import itemgetter

from newsdedup.core.matching.rules import Matcher, Prospect, Rule
from newsdedup.core.model import Entry, ItemKey, Match, Micros
from newsdedup.core.stories.records import Record

Candidate = tuple[Match, Record]


def grade(score: float) -> int:
    """Return a score in tenths, rounded, by which leaders are preferred.

    Copies of two leaders that tell one event match both about equally; by hundredths they would be
    scattered over two stories.
    """
    return round(10 * score)


def find_matches(
    record: Record, near: Sequence[Record], rule: Rule
) -> tuple[list[Candidate], list[Record]]:
    """Return earlier leaders that match a record, and all later ones that duplicate it.

    Of the earlier ones those are left out that cannot be its leader, nor the one it is linked to.
    """
    matching = rule.matcher(record.entry)
    prospects = rule.prospects(record.entry, [leader.entry for leader in near])
    if prospects is None:
        alike = [(match, leader) for leader in near if (match := matching(leader.entry))]
        earlier = [one for one in alike if _precedes(one[1], record)]
        return earlier, [
            leader for match, leader in alike if match.duplicate and not _precedes(leader, record)
        ]
    before: list[tuple[Prospect, Record]] = []
    later: list[Record] = []
    for prospect in prospects:
        leader = near[prospect.place]
        if _precedes(leader, record):
            before.append((prospect, leader))
        elif prospect.duplicate and _is_duplicate(matching(leader.entry)):
            later.append(leader)
    return _compare_best_first(before, matching), later


def find_attracted(entry: Entry, members: Sequence[Record], rule: Rule) -> Iterator[Record]:
    """Yield the members that may prefer a new leader to their own: it matches at least as well."""
    matching = rule.matcher(entry)
    prospects = rule.prospects(entry, [member.entry for member in members])
    promising = members
    if prospects is not None:
        copies = [(one.score, members[one.place]) for one in prospects if one.duplicate]
        promising = [member for score, member in copies if _may_win(score, member)]
    for member in promising:
        match = matching(member.entry)
        if match is not None and match.duplicate and _may_win(match.score, member):
            yield member


def _compare_best_first(
    prospects: list[tuple[Prospect, Record]], matching: Matcher
) -> list[Candidate]:
    """Return the matches among earlier leaders, without those that could not be chosen.

    Chosen is the duplicate of the best grade, of equal ones the earliest; without a duplicate the
    match of the best grade, of equal ones the latest.
    """
    ranked = [(_promise(prospect, leader), leader) for prospect, leader in prospects]
    ranked.sort(key=_first, reverse=True)
    matches: list[Candidate] = []
    best_copy: int | None = None
    best_link: tuple[int, Micros, ItemKey] | None = None
    for (may_be_copy, most, at, key), leader in ranked:
        if best_copy is not None and not (may_be_copy and most >= best_copy):
            continue
        if not may_be_copy and best_link and (most, at, key) <= best_link:
            continue
        match = matching(leader.entry)
        if match is None:
            continue
        matches.append((match, leader))
        if match.duplicate:
            best_copy = max(best_copy or 0, grade(match.score))
        else:
            link = (grade(match.score), at, key)
            best_link = max(best_link, link) if best_link else link
    return matches


_Promise = tuple[bool, int, Micros, ItemKey]
_first = itemgetter(0)


def _promise(prospect: Prospect, leader: Record) -> _Promise:
    """Return what a candidate promises: the greater, the sooner it is compared.

    Whether it may be a duplicate, its best possible grade, and its place in the total order.
    """
    entry = leader.entry
    return prospect.duplicate, grade(prospect.score), entry.effective_at, entry.key


def _precedes(leader: Record, record: Record) -> bool:
    """Return whether a leader is earlier in the total order; mostly the times alone say so."""
    entry, own = leader.entry, record.entry
    return entry.effective_at < own.effective_at or entry.order < own.order


def _is_duplicate(match: Match | None) -> bool:
    return match is not None and match.duplicate


def _may_win(score: float, member: Record) -> bool:
    """Return whether a score is at least as good as that with which a member follows its leader."""
    return member.match is None or grade(score) >= grade(member.match.score)
