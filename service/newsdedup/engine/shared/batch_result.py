"""What becomes of the changes of a batch that is decided over a shared store."""

from dataclasses import dataclass, field
from typing import NamedTuple

from newsdedup.core.events import Event
from newsdedup.core.stories.commands import Command
from newsdedup.engine.analyzer import Analyzed
from newsdedup.ports.errors import Rejection
from newsdedup.ports.shared_store import SearchCost

Change = Analyzed | Command


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
