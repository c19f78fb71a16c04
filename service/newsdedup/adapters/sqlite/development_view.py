"""The development of a story with headlines and what is new in each step, for tables and JSON."""

from dataclasses import dataclass

from newsdedup.adapters.formats.item_json import headline
from newsdedup.adapters.sqlite.state_reader import StateReader
from newsdedup.core.events import Counted, ItemRef, Judgement, WeightedTerm, item_ref
from newsdedup.core.model import ItemKey, StoryId
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.story_list import Development, DevelopmentStep

MOST_NEW_TERMS = 5
"""Terms of a step that the story before it lacks: enough to see what it is about."""


@dataclass(frozen=True, slots=True)
class DevelopmentRow:
    """One story of a development, by its leader, and what is new in it."""

    story: StoryId | None
    """None if no item of the story is stored."""
    source: str
    id: str
    effective_at: str | None
    """None if the leader has left the window or was withdrawn; then nothing else is known."""
    title: str
    shown: bool
    """Whether this is the story that was asked for."""
    updates: ItemRef | None
    """The item that this one is an update of; None for the beginning."""
    moved: tuple[Counted, ...] = ()
    """Values that differ: `here` in this item, `there` in the updated one."""
    new_terms: tuple[WeightedTerm, ...] = ()
    """Its weightiest terms that the updated item does not share, at most MOST_NEW_TERMS."""


@dataclass(frozen=True, slots=True)
class DevelopmentView:
    """A development in the order of time, and how many of its stories are left out."""

    steps: tuple[DevelopmentRow, ...]
    left_out: int


def describe_development(
    development: Development, shown: StoryId, state: StateReader
) -> DevelopmentView:
    """Return a development with headlines; `shown` is the story whose rows are marked."""
    rows = tuple(_row(step, shown, state) for step in development.steps)
    return DevelopmentView(rows, development.left_out)


def _row(step: DevelopmentStep, shown: StoryId, state: StateReader) -> DevelopmentRow:
    if step.record is None:
        mark = step.story == shown
        return DevelopmentRow(step.story, *step.leader, None, "", shown=mark, updates=None)
    received, judgement = state.read_version(step.leader, step.record.newest)
    moved, new_terms = _news(judgement, step.updates)
    return DevelopmentRow(
        story=step.story,
        source=step.leader.source,
        id=step.leader.id,
        effective_at=to_datetime(step.record.entry.effective_at).isoformat(),
        title=headline(received),
        shown=step.story == shown,
        updates=None if step.updates is None else item_ref(step.updates),
        moved=moved,
        new_terms=new_terms,
    )


def _news(
    judgement: Judgement, updated: ItemKey | None
) -> tuple[tuple[Counted, ...], tuple[WeightedTerm, ...]]:
    """Return the moved values and the new terms of an update, from its published evidence.

    Both are empty without evidence: the updated item was not stored any more when it was written.
    """
    matched = judgement.matched
    if updated is None or matched is None or matched.evidence is None:
        return (), ()
    shared = {term.term for term in matched.evidence.shared}
    new = [term for term in judgement.terms if term.term not in shared]
    new.sort(key=lambda term: (-term.weight, term.term))
    return matched.evidence.moved or (), tuple(new[:MOST_NEW_TERMS])
