"""One record of the input on its way through the pipeline."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from newsdedup.core.events import Event
from newsdedup.core.model import NewsItem
from newsdedup.core.stories.commands import Command
from newsdedup.engine.analyzer import Analyzed
from newsdedup.ports.errors import Rejection
from newsdedup.ports.streams import Headers

R = TypeVar("R")


@dataclass(slots=True)
class Arrival(Generic[R]):
    """A record, and what each step of the pipeline has made of it so far."""

    record: R
    content: NewsItem | Command | None = None
    """Set by decoding; None if the record holds nothing, or was rejected."""
    data: bytes = b""
    """The bytes of the item, which are published again with the verdict."""
    traces: Headers = ()
    rejection: Rejection | None = None
    """Set where the record goes to the dead letters."""
    analyzed: Analyzed | None = None
    """Set by analysis, for items."""
    events: tuple[Event, ...] = ()
    """Set by the decision, in the order in which they must be published."""

    def set_aside(self, rejection: Rejection) -> None:
        """Let the record go to the dead letters undecided: nothing of it is used any more."""
        self.rejection = rejection
        self.content, self.analyzed, self.events = None, None, ()

    @property
    def change(self) -> Analyzed | Command | None:
        """Return the analyzed item or the command to decide about.

        None if the record holds neither, was rejected, or its item is not analyzed yet.
        """
        if self.analyzed is not None:
            return self.analyzed
        return None if isinstance(self.content, NewsItem) else self.content


def dates_unread(arrivals: Iterable[Arrival[Any]]) -> int:
    """Return how many items have a date that could not be read."""
    contents = (arrival.content for arrival in arrivals)
    return sum(isinstance(one, NewsItem) and bool(one.unread_dates) for one in contents)
