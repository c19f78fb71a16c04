"""Which stories a digest contains, of those that the store holds when the digest is judged."""

from collections.abc import Iterable

from newsdedup.core.events import Contained, item_ref
from newsdedup.core.matching.method_rules import deciding_rule
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.model import Entry, Order
from newsdedup.core.stories.records import Record


def contents(digest: Entry, near: Iterable[Record], rule: Rule) -> tuple[Contained, ...]:
    """Return for each message of a digest the story whose leader tells it best, in their order.

    `near` are the records of possible leaders. Of leaders that tell it as well the earliest counts.
    A message that no known leader tells is not listed: its story may come later, or never. Only the
    verified rule looks into digests.
    """
    base = deciding_rule(rule)
    if not isinstance(base, VerifiedRule):
        return ()
    best: dict[int, tuple[tuple[float, Order], Contained]] = {}
    for record in near:
        item = record.entry
        within = abs(digest.effective_at - item.effective_at) <= base.window
        match = base.find_passage(digest, item) if within else None
        if match is None:
            continue
        index, worth = match.passage + 1, (-match.score, item.order)
        if index not in best or worth < best[index][0]:
            listed = Contained(index, record.story, item_ref(record.key), match.score)
            best[index] = (worth, listed)
    return tuple([best[index][1] for index in sorted(best)])
