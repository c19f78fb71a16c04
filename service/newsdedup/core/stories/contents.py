"""Which stories a digest contains, of those that the store holds when the digest is judged."""

from collections.abc import Iterable

from newsdedup.core.events import Contained, item_ref
from newsdedup.core.matching.method_rules import deciding_rule
from newsdedup.core.matching.passages import PassageMatch
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.model import Entry
from newsdedup.core.stories.records import Record


def contents(digest: Entry, near: Iterable[Record], rule: Rule) -> tuple[Contained, ...]:
    """Return for each message of a digest the story whose leader tells it best, in their order.

    `near` are the records of possible leaders. Of leaders that tell it as well the earliest counts.
    A message that no known leader tells is not listed: its story may come later, or never.
    """
    found: dict[int, tuple[tuple[object, ...], Contained]] = {}
    for record in near:
        match = retold_message(digest, record.entry, rule)
        if match is None:
            continue
        index = match.passage + 1
        worth = (-match.score, record.entry.order)
        if index not in found or worth < found[index][0]:
            listed = Contained(index, record.story, item_ref(record.key), match.score)
            found[index] = (worth, listed)
    return tuple([found[index][1] for index in sorted(found)])


def retold_message(digest: Entry, item: Entry, rule: Rule) -> PassageMatch | None:
    """Return the message of a digest that an item tells, None if there is none.

    Only the verified rule looks into digests.
    """
    base = deciding_rule(rule)
    apart = abs(digest.effective_at - item.effective_at)
    if not isinstance(base, VerifiedRule) or apart > base.window:
        return None
    return base.find_passage(digest, item)
