"""What goes into a shared store batch by batch, and what comes out."""

from dataclasses import dataclass, field

from newsdedup.core.stories.acts import Act, UnknownItem
from newsdedup.engine.deduplicate import Analyzed
from newsdedup.engine.event_writer import Event
from newsdedup.engine.shared.messages import Search

Arrival = Analyzed | Act
Outcome = list[Event] | UnknownItem
"""The events of an arrival; what an editor named and nobody knows."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a batch, in its order, and the outbox numbers of the new events."""

    outcomes: list[Outcome] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    searches: list[Search] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        """Return all events in the order in which they must be published."""
        return [event for told in self.outcomes if isinstance(told, list) for event in told]
