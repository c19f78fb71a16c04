"""What has expired and is freed by and by, so that expiry never pauses the stream."""

from collections import deque
from collections.abc import Callable
from typing import Protocol


class Emptied(Protocol):
    """A container that can be emptied one element at a time."""

    def __len__(self) -> int:
        """Return how many elements are left."""
        ...


class Graveyard:
    """Containers that nobody reads any more, with what must be done for each element."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Emptied, Callable[[], object]]] = deque()

    def bury(self, container: Emptied, take_one: Callable[[], object]) -> None:
        """Take over a container; `take_one` removes one element of it."""
        self._waiting.append((container, take_one))

    def free(self, steps: int) -> None:
        """Remove up to so many elements."""
        while steps and self._waiting:
            container, take_one = self._waiting[0]
            if len(container):
                take_one()
                steps -= 1
            else:
                self._waiting.popleft()
