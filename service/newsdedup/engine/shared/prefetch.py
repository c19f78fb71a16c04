"""What arrivals will ask of a shared store, known before they are decided."""

from collections.abc import Iterable

from newsdedup.adapters.redis.looks import acted_on
from newsdedup.adapters.redis.stores import SharedStore
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.core.window import Watermark, effective_at
from newsdedup.engine.deduplicate import Analyzed, entry_of
from newsdedup.engine.shared.messages import Look
from newsdedup.engine.shared.outcomes import Arrival


class Foresight:
    """What arrivals will nearly always ask; the rest is looked up when it is asked."""

    def __init__(self, rule: Rule, store: SharedStore) -> None:
        self._rule = rule
        self._store = store
        self._latest: Micros | None = None
        """The latest time of an item that was looked up."""

    def looks(self, arrivals: Iterable[Arrival], watermark: Watermark) -> list[Look]:
        """Return the look-ups of arrivals, as far as the stream has come."""
        return [look for arrival in arrivals for look in self._looks(arrival, watermark)]

    def _looks(self, arrival: Arrival, watermark: Watermark) -> list[Look]:
        if not isinstance(arrival, Analyzed):
            return [Look("item", acted_on(arrival))]
        entry = entry_of(arrival, at=effective_at(arrival.item, watermark))
        filing = self._rule.index_keys(entry)
        found = [Look("item", entry.key), Look("leaders", filing=filing)]
        # Mostly an item is later than all before it, and has nobody to win. What was looked up
        # just before may be stored by the time this is answered.
        at, latest = entry.effective_at, self._latest
        self._latest = at if latest is None else max(at, latest)
        if self._store.may_hold_later_than(at) or (latest is not None and at <= latest):
            found.append(Look("members", filing=filing, since=at))
        return found
