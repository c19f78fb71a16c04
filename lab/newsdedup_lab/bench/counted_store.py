"""What look-ups over Redis cost: counts from their answers, processor time from INFO."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from newsdedup.adapters.redis.calls import Calls
from newsdedup.core.model import Micros
from newsdedup.ports.store import (
    Commit,
    CommitResult,
    Lookup,
    LookupResult,
    SearchCost,
    SharedStore,
)
from newsdedup_lab.bench.quantiles import summarize_counts

_REQUESTS: Final = "cmdstat_fcall"


class CountedStore:
    """A SharedStore that counts what its look-ups cost."""

    def __init__(self, store: SharedStore) -> None:
        self._store = store
        self.worker = store.worker
        self._costs: list[SearchCost] = []
        self._sent = self._matches = self._fetches = 0

    async def look(self, lookups: Sequence[Lookup]) -> LookupResult:
        """Return what is stored, and count it."""
        answer = await self._store.look(lookups)
        self._costs += answer.search_costs(lookups)
        self._sent += answer.sent
        self._fetches += answer.sent > 0
        self._matches += sum([len(found) for found in answer.answers])
        return answer

    async def commit(self, commit: Commit) -> CommitResult | None:
        """Store a commit."""
        return await self._store.commit(commit)

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether a stored item may be at this time or later."""
        return self._store.may_hold_later_than(at)

    def counts(self, *, items: int) -> dict[str, Any]:
        """Return the costs of one of so many items.

        `candidates` and `postings` are of a look-up for leaders (mean and quantiles), `found` are
        the records in all answers, `records` those that Redis sent as the worker lacked them,
        `fetches` the look-ups of which it lacked some: each took a second request.
        """
        candidates, postings = zip(*self._costs, strict=True)
        return {
            "candidates": summarize_counts(candidates),
            "postings": summarize_counts(postings),
            "found": round(self._matches / items, 2),
            "records": round(self._sent / items, 2),
            "fetches": round(self._fetches / items, 2),
        }


class ServerCost(NamedTuple):
    """What Redis has done since it was started, or for an item."""

    us: float
    """Microseconds of its processor."""
    requests: float
    """Calls of our functions."""

    def since(self, before: "ServerCost", *, items: int) -> "ServerCost":
        """Return what was done for each of so many items since then."""
        return ServerCost((self.us - before.us) / items, (self.requests - before.requests) / items)


async def read_server_cost(calls: Calls) -> ServerCost:
    """Return the processor time and the requests of Redis since it was started."""
    cpu = await calls.command("INFO", "cpu")
    stats = await calls.command("INFO", "commandstats")
    seconds = float(cpu["used_cpu_user"]) + float(cpu["used_cpu_sys"])
    return ServerCost(1e6 * seconds, int(stats.get(_REQUESTS, {}).get("calls", 0)))
