"""The chunk size of a worker, and how long it waits, while other workers commit first."""

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
    """The size of the next chunk, and the pause after a refused commit.

    Small chunks are committed sooner: other workers have less time to interfere, and less work is
    lost.
    """

    def __init__(self, most: int, *, seed: str) -> None:
        self.chunk = most
        self.refused = 0
        """Refusals since the last commit."""
        self._most = most
        self._seed = seed

    @property
    def alone(self) -> bool:
        """Return whether chunks have their full size: no recent commit was refused."""
        return self.chunk == self._most

    def succeeded(self) -> None:
        """Enlarge the chunk after an accepted commit; count refusals from 0 again."""
        self.chunk = min(self._most, self.chunk + GROWTH)
        self.refused = 0

    def failed(self, *, after_commits: bool) -> float:
        """Halve the chunk after a refused commit; return the seconds to wait before the next try.

        The wait is a pseudo-random part, other for each worker, of a bound that doubles up to 0.25
        s. `after_commits`: the attempt had committed chunks, so refusals are counted anew. Raise
        Unavailable at the 24th refusal in a row.
        """
        self.chunk = max(1, self.chunk // 2)
        self.refused = 1 if after_commits else self.refused + 1
        if self.refused == ATTEMPTS:
            raise Unavailable(f"redis: {ATTEMPTS} commits in a row were refused")
        longest = min(SHORTEST_CONFLICT_PAUSE * (1 << self.refused), LONGEST_CONFLICT_PAUSE)
        lot = xxhash.xxh3_64_intdigest(f"{self._seed} {self.refused}".encode()) / (1 << 64)
        return longest * lot
