"""How the engine learns from the stream that it judges."""

from collections.abc import Sequence
from typing import Protocol

from newsdedup.core.model import Entry
from newsdedup.core.stories.records import Record


class StreamLearner(Protocol):
    """Counts the stream for a rule that learns from it; each entry sees only what came before."""

    def with_statistics(self, entry: Entry) -> Entry:
        """Return the entry with the present statistics of its source."""
        ...

    def learn(self, entry: Entry, near: Sequence[Record]) -> None:
        """Count an admitted entry and the leaders that it was compared with."""
        ...


class PreviewLearner:
    """A StreamLearner that gives an entry the statistics of its source, and learns nothing."""

    def __init__(self, base: StreamLearner) -> None:
        self.with_statistics = base.with_statistics

    def learn(self, entry: Entry, near: Sequence[Record]) -> None:
        """Do nothing."""
