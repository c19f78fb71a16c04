"""How large the steps of a worker are, and how long it waits, while others are first."""

from typing import Final

import xxhash

from newsdedup.ports.errors import Unavailable

ATTEMPTS: Final = 24
"""Steps refused in a row until a worker gives up."""
SHORTEST_CONFLICT_PAUSE: Final = 0.001
LONGEST_CONFLICT_PAUSE: Final = 0.25
GROWTH: Final = 4
"""Items by which a step grows after one that nobody disturbed."""


class Backoff:
    """Small steps are over sooner: others have less time to come between, and less is lost."""

    def __init__(self, most: int, *, seed: str) -> None:
        self.chunk = most
        self.refused = 0
        """Refusals since the last commit."""
        self._most = most
        self._seed = seed

    @property
    def alone(self) -> bool:
        """Return whether nobody came between for a while."""
        return self.chunk == self._most

    def succeeded(self) -> None:
        """Take larger steps again."""
        self.chunk = min(self._most, self.chunk + GROWTH)
        self.refused = 0

    def failed(self, *, after_commits: bool) -> float:
        """Take smaller steps; return how many seconds to wait, each worker otherwise.

        Raise Unavailable when there was no commit for too long: others change the same items all
        the time.
        """
        self.chunk = max(1, self.chunk // 2)
        self.refused = 1 if after_commits else self.refused + 1
        if self.refused == ATTEMPTS:
            raise Unavailable(f"redis: {ATTEMPTS} commits in a row were refused")
        longest = min(SHORTEST_CONFLICT_PAUSE * (1 << self.refused), LONGEST_CONFLICT_PAUSE)
        lot = xxhash.xxh3_64_intdigest(f"{self._seed} {self.refused}".encode()) / (1 << 64)
        return longest * lot
