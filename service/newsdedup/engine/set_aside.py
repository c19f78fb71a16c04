"""Stored entries that raise when compared with others: they are left out until an upgrade.

An entry was sound when it was stored, by another release or on another path through the rule. If a
comparison raises now, the entry or the item that has just arrived may be to blame; `SetAside.find`
decides which (docs/decisions/0035-isolation.md).
"""

import logging
from collections.abc import Sequence
from typing import Final

from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, ItemKey
from newsdedup.core.stories.records import Record
from newsdedup.ports.errors import is_bug

LOG: Final = logging.getLogger("newsdedup.isolation")
_REMEMBERED: Final = 10_000
"""Entries set aside or under suspicion that are remembered; the oldest are forgotten first."""
_PROBES: Final = 32
"""Sound entries with which a doubtful one is compared."""


class SetAside:
    """The entries that are set aside in this process, by the keys of their items."""

    def __init__(self) -> None:
        self.keys: dict[ItemKey, None] = {}
        self._new = 0
        self._suspects: dict[ItemKey, ItemKey] = {}
        """Entries that raised with one item only, each with that item."""

    def find(self, entry: Entry, near: Sequence[Record], rule: Rule) -> bool:
        """Set aside the records near an arrived entry that are to blame for a comparison raising.

        Return whether there are any. A record is to blame if its entry raises with itself, with a
        sound entry near it, or with a second arrived item. The arrived entry is to blame if it
        raises with itself or with several entries; where a pair shows neither, the arrived one is.
        """
        others = {one.key: one.entry for one in near if one.key != entry.key}
        failing = {key for key, other in others.items() if _raises(rule, entry, other)}
        if not failing or _raises(rule, entry, entry):
            return False
        broken = {key for key in failing if _raises(rule, others[key], others[key])}
        doubtful = failing - broken
        if len(doubtful) == 1:
            (key,) = doubtful
            sound = [other for name, other in others.items() if name not in failing]
            if self._is_to_blame(others[key], entry, sound, rule):
                broken.add(key)
        for key in sorted(broken):
            if len(self.keys) >= _REMEMBERED:
                del self.keys[next(iter(self.keys))]
            self.keys[key] = None
            self._new += 1
            LOG.error("entry_set_aside source=%r id=%r", key.source, key.id)
        return bool(broken)

    def take_new(self) -> int:
        """Return how many entries were set aside since the last call."""
        new, self._new = self._new, 0
        return new

    def _is_to_blame(
        self, doubtful: Entry, entry: Entry, sound: Sequence[Entry], rule: Rule
    ) -> bool:
        """Return whether the stored entry `doubtful`, which raises with `entry`, is to blame.

        It is if it also raises with one of the `sound` entries, or if it raised with another
        arrived item before. Otherwise remember it for the next arrived item.
        """
        if any(_raises(rule, doubtful, other) for other in sound[:_PROBES]):
            return True
        if len(self._suspects) >= _REMEMBERED:
            del self._suspects[next(iter(self._suspects))]
        return self._suspects.setdefault(doubtful.key, entry.key) != entry.key


def _raises(rule: Rule, one: Entry, other: Entry) -> bool:
    """Return whether comparing two entries raises a bug, in any way that decisions compare them."""
    try:
        rule.match(one, other)
        rule.details(one, other)
        if rule.candidate_filter is not None:
            rows = rule.candidate_filter.make_rows([other])
            rule.candidate_filter.prospects(one, rows)
    except Exception as error:
        if not is_bug(error):
            raise
        return True
    return False
