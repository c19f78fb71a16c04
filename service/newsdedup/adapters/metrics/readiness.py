"""Whether a worker can be given work, and what it lacks if not."""

from collections import Counter


class Readiness:
    """What is known of a worker's state; ready when nothing is missing."""

    def __init__(self) -> None:
        self.assigned = False
        """Whether the consumer group has told the worker its partitions."""
        self.stopping = False
        self._waits: Counter[str] = Counter()
        self._silent: set[str] = set()

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note that something begins or ends to wait for a server."""
        self._waits[server] += 1 if waits else -1

    def reached(self, server: str, *, answers: bool) -> None:
        """Note whether a server has answered when it was asked."""
        if answers:
            self._silent.discard(server)
        else:
            self._silent.add(server)

    def missing(self) -> list[str]:
        """Return in words what keeps the worker from work; nothing if it is ready."""
        away = self._silent | set(+self._waits)
        said = [f"waiting for {server}" for server in sorted(away)]
        if self.stopping:
            return ["draining", *said]
        return said if self.assigned else ["starting: no partitions assigned yet", *said]
