"""What goes into a shared store batch by batch, and what comes out."""

from dataclasses import dataclass, field

from newsdedup.core.events import Event
from newsdedup.core.stories.acts import Act, UnknownItem
from newsdedup.engine.deduplicate import Analyzed
from newsdedup.ports.shared_store import SearchCost

Arrival = Analyzed | Act
Outcome = list[Event] | UnknownItem
"""The events of an arrival; what an editor named and nobody knows."""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of a batch, in its order, and the outbox numbers of the new events."""

    outcomes: list[Outcome] = field(default_factory=list)
    outbox_numbers: list[str] = field(default_factory=list)
    search_costs: list[SearchCost] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        """Return all events in the order in which they must be published."""
        return [event for told in self.outcomes if isinstance(told, list) for event in told]
