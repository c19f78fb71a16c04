"""Names the look-ups that a batch will need, so that they are made in one request."""

from collections.abc import Iterable

from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.core.stories.commands import Command
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.ports.shared_store import Lookup, SharedStore


class Prefetch:
    """Names the look-ups that nearly every arrival needs; the others follow when missed."""

    def __init__(self, rule: Rule, store: SharedStore) -> None:
        self._rule = rule
        self._store = store
        self._latest: Micros | None = None
        """The latest time of an item that was looked up."""

    def lookups(self, arrivals: Iterable[Analyzed | Command], watermark: Watermark) -> list[Lookup]:
        """Return the look-ups of a batch, given the watermark of the stream.

        For each command and item that is its own record, for items also the leaders near them; and
        the members near them where some may be later: in the store, or among items looked up
        before.
        """
        return [look for arrival in arrivals for look in self._looks(arrival, watermark)]

    def _looks(self, arrival: Analyzed | Command, watermark: Watermark) -> list[Lookup]:
        """Return the look-ups of one item or command, and note the item's effective time."""
        if not isinstance(arrival, Analyzed):
            return [Lookup("item", arrival.key)]
        entry = entry_of(arrival, at=effective_at(arrival.item, watermark))
        filing = self._rule.index_keys(entry)
        found = [Lookup("item", entry.key), Lookup("leaders", filing=filing)]
        # Mostly an item is later than all before it, and has nobody to win. What was looked up
        # just before may be stored by the time this is answered.
        at, latest = entry.effective_at, self._latest
        self._latest = at if latest is None else max(at, latest)
        if self._store.may_hold_later_than(at) or (latest is not None and at <= latest):
            found.append(Lookup("members", filing=filing, since=at))
        return found
