"""How a batch goes on that is decided over a shared store: its outcomes, and its next chunk."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import xxhash

from newsdedup.core.events import Event
from newsdedup.ports.errors import Rejection, Unavailable
from newsdedup.ports.store import SearchCost

_MOST_REFUSALS: Final = 24
_SHORTEST_PAUSE: Final = 0.001
_LONGEST_PAUSE: Final = 0.25
"""Seconds between a refused commit and the next attempt."""
_GROWTH: Final = 4
"""Items by which a chunk grows after an accepted commit."""


class Outcome(NamedTuple):
    """The events of one change, or why it was rejected."""

    events: tuple[Event, ...] = ()
    rejection: Rejection | None = None
    """Set for a command about an item of which nothing is stored, and for what raised a bug."""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """One outcome for each change, in their order, and the outbox numbers of the new events."""

    outcomes: list[Outcome] = field(default_factory=list)
    outbox_numbers: list[str] = field(default_factory=list)
    search_costs: list[SearchCost] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        """Return all events in the order in which they must be published."""
        return [event for outcome in self.outcomes for event in outcome.events]


class Backoff:
    """The size of the next chunk, and the pause after a refused commit.

    Small chunks are committed sooner: other workers have less time to interfere, and less work is
    lost.
    """

    def __init__(self, most: int, *, seed: str) -> None:
        self.chunk = most
        self._refused = 0
        """Refusals since the last commit."""
        self.most = most
        self._limit = most
        """The largest chunk at present, lowered while the server does not answer in time."""
        self._seed = seed

    def succeeded(self) -> None:
        """Enlarge the chunk after an accepted commit; count refusals from 0 again."""
        self.chunk = min(self._limit, self.chunk + _GROWTH)
        self._refused = 0

    def unanswered(self) -> None:
        """Halve the chunk, and let it grow no further before a batch is finished.

        A server that does not answer in time may have been busy with this chunk alone.
        """
        self.chunk = self._limit = max(1, self.chunk // 2)

    def finished(self) -> None:
        """After a batch, let chunks grow to twice the present limit, up to `most`."""
        self._limit = min(self.most, 2 * self._limit)

    def failed(self, *, after_commits: bool) -> float:
        """Halve the chunk after a refused commit; return the seconds to wait before the next try.

        The wait is pseudo-random, different for each worker, below a bound that doubles up to
        0.25 s. `after_commits`: the attempt had committed chunks, so refusals are counted anew.
        Raise Unavailable at the 24th refusal in a row.
        """
        self.chunk = max(1, self.chunk // 2)
        self._refused = 1 if after_commits else self._refused + 1
        if self._refused == _MOST_REFUSALS:
            raise Unavailable(f"redis: {_MOST_REFUSALS} commits in a row were refused")
        longest = min(_SHORTEST_PAUSE * (1 << self._refused), _LONGEST_PAUSE)
        lot = xxhash.xxh3_64_intdigest(f"{self._seed} {self._refused}".encode()) / (1 << 64)
        return longest * lot
